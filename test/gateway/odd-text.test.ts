// Characters that PostgreSQL or JSON refuses, in what models and channels say: stored repaired, and the run ends.

import { describe, expect, test } from 'vitest'
import { openGateway } from '../support/gateway.ts'
import { keepOpen } from '../support/open.ts'
import { startModel } from '../support/servers/model.ts'
import { startPlatform } from '../support/servers/platform.ts'

const model = await keepOpen(startModel())
const platform = await keepOpen(startPlatform())
const gateway = await openGateway({
  config: {
    models: { default: 'local/small', providers: { local: model.provider } },
    heartbeat: { everyMinutes: 0 },
    channels: { mattermost: { token: 'a', baseUrl: platform.baseUrl } },
  },
})

const run = async (body: Record<string, unknown> = {}) => {
  const { body: accepted } = await gateway.hook('agent', { message: 'a', wakeMode: 'next-heartbeat', ...body })
  return gateway.finished(accepted.runId)
}
const recipient = { channel: 'mattermost', to: 'somewhere' }

describe.each([
  ['a NUL character', '\0'],
  ['half of a surrogate pair', '\ud83e'],
])('%s', (_name, odd) => {
  test("in a model's answer and its tool calls is replaced", async () => {
    const input = { query: `x${odd}`, [odd]: [odd] }
    model.behave((_request, count) =>
      model.requests.at(-1)?.messages.some(({ role }) => role === 'tool')
        ? { text: `It is${odd} done.` }
        : {
            calls: [
              { name: `search_contacts`, input },
              { name: `none${count}`, input },
            ],
          },
    )
    const told = await run({ deliver: false })

    expect(told).toMatchObject({ status: 'completed', summary: 'Hook: It is\ufffd done.' })
  })

  test("in a model's refusal is replaced", async () => {
    model.behave(() => ({ status: 400, message: `no${odd}` }))

    expect(await run({ deliver: false })).toMatchObject({ status: 'failed', error: 'the model answered 400: no\ufffd' })
  })

  test("in a channel's ids and refusals is replaced", async () => {
    model.behave(() => ({ text: 'The reply.' }))
    platform.reply(() => ({ body: { id: `1${odd}` } }))
    const sent = await run(recipient)
    platform.reply(() => ({ status: 400, body: { message: `no${odd}` } }))
    const refused = await run(recipient)

    expect(sent.delivery).toMatchObject({ status: 'sent', messageIds: ['1\ufffd'] })
    expect(refused.delivery).toMatchObject({ status: 'undeliverable', reason: '400: no\ufffd' })
  })
})
