// rolocom/client in a browser, as a page of somebody else loads it.

import assert from 'node:assert/strict'
import { bundled } from '../../../client/bundled.ts'
import { tell } from '../../support/story.ts'

tell({
  'the TypeScript client calls, reads a list, follows changes and verifies in a page': async ({ open, person, expects }) => {
    const { session: key } = await person()
    const page = await open('/', { bypassCSP: true })
    expects(page, /409 \(Conflict\)/)
    for (const entry of ['client.ts', 'live.ts']) await page.addScriptTag({ content: await bundled(entry) })

    const found = await page.evaluate(
      `(async options => {
        const client = rolocom_client.createClient(options)
        const changes = rolocom_live.follow({ ...options, types: ['CONTACT_CREATED'], entity: '... on Contact { email }' })
        const types = [(await changes.next()).value.type]
        for (const name of ['ada', 'grace']) {
          await client.post('/api/crm/v1/contacts', { body: { email: name + '@browser.example', tags: ['browser'] } })
          const { value } = await changes.next()
          types.push(value.type + ' ' + value.entity.email)
        }
        await changes.return()
        const emails = []
        for await (const { email } of client.list('/api/crm/v1/contacts', { query: { tag: ['browser'], limit: 1 } })) emails.push(email)
        const taken = await client.post('/api/crm/v1/contacts', { body: { email: 'ada@browser.example' } }).catch(error => error.code)
        const signed = await rolocom_client.verifyWebhook('{}', {}, 'whsec_c2VjcmV0').catch(error => error.code)
        return { types, emails, taken, signed }
      })(${JSON.stringify({ url: new URL(page.url()).origin, key })})`,
    )
    assert.deepEqual(found, {
      types: ['FOLLOWING', 'CONTACT_CREATED ada@browser.example', 'CONTACT_CREATED grace@browser.example'],
      emails: ['grace@browser.example', 'ada@browser.example'],
      taken: 'already_exists',
      signed: 'malformed',
    })
  },
})
