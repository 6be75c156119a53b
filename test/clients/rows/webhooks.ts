// Payloads signed with the senders' SDKs: hooks accept a valid signature once, and nothing else.

import assert from 'node:assert/strict'
import { Webhooks } from '@octokit/webhooks'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import Stripe from 'stripe'
import { Webhook as SvixWebhook } from 'svix'
import type { Row } from '../row.ts'

export const row: Row = {
  name: 'svix, standardwebhooks, octokit, stripe',
  packages: ['svix', 'standardwebhooks', '@octokit/webhooks', 'stripe'],
  async run({ url, secrets }) {
    const now = new Date()
    const seconds = String(Math.floor(now.getTime() / 1000))
    const order = JSON.stringify({ type: 'order.paid', number: 7 })
    const push = JSON.stringify({
      action: 'opened',
      repository: { full_name: 'a/b' },
      sender: { login: 'ada' },
      pull_request: { title: 'One' },
    })
    const charge = JSON.stringify({
      id: 'evt_1',
      type: 'charge.succeeded',
      data: { object: { object: 'charge', id: 'ch_1', amount: 100 } },
    })
    const sent: [string, string, string, Record<string, string>][] = [
      [
        'standardwebhooks',
        'shop',
        order,
        {
          'webhook-id': 'msg_standard',
          'webhook-timestamp': seconds,
          'webhook-signature': new StandardWebhook(secrets.shop).sign('msg_standard', now, order),
        },
      ],
      [
        'svix',
        'shop',
        order,
        { 'svix-id': 'msg_svix', 'svix-timestamp': seconds, 'svix-signature': new SvixWebhook(secrets.shop).sign('msg_svix', now, order) },
      ],
      [
        'octokit',
        'github',
        push,
        {
          'x-github-event': 'pull_request',
          'x-github-delivery': 'c0ffee00-0000-4000-8000-000000000000',
          'x-hub-signature-256': await new Webhooks({ secret: secrets.github }).sign(push),
        },
      ],
      [
        'stripe',
        'stripe',
        charge,
        { 'stripe-signature': await Stripe.webhooks.generateTestHeaderStringAsync({ payload: charge, secret: secrets.stripe }) },
      ],
    ]

    for (const [sender, name, body, headers] of sent) {
      const post = (text: string) => fetch(`${url}/hooks/${name}`, { method: 'POST', headers, body: text })
      const first = await post(body)
      assert.deepEqual(
        [
          sender,
          first.status,
          await first
            .clone()
            .text()
            .then(text => JSON.parse(text).ok),
        ],
        [sender, 200, true],
      )
      const again = await post(body)
      assert.deepEqual([sender, again.status, await again.text()], [sender, 200, await first.text()])
      assert.deepEqual([sender, (await post(`${body} `)).status], [sender, 401])
    }
    return `${sent.length} senders, each taken once, each refused when changed`
  },
}
