// Prompt injection: an agent that was made to write a link cannot leak data through it.

import { expect, test } from 'vitest'
import { openGateway, until } from '../../support/gateway.ts'
import { keepOpen } from '../../support/open.ts'
import { startModel } from '../../support/servers/model.ts'
import { startPlatform } from '../../support/servers/platform.ts'

const model = await keepOpen(startModel())
const platform = await keepOpen(startPlatform(() => ({ body: { ok: true, result: { message_id: 1 } } })))
const gateway = await openGateway({
  config: {
    models: { default: 'local/small', providers: { local: model.provider } },
    heartbeat: { everyMinutes: 0 },
    hooks: { scopes: ['contacts:read', 'contacts:write'] },
    channels: { telegram: { botToken: '1:abc', baseUrl: platform.baseUrl, defaultTo: '1' }, allowedLinkHosts: ['acme.example'] },
    lastChannelFallback: 'telegram',
  },
})
const { key } = await gateway.given.apiKey({ orgId: gateway.owner.orgId })
await gateway.ask('mutation { createCustomField(input: { key: "page", label: "Page", type: TEXT }) { id } }')
const body = { email: 'ada@example.com', first_name: 'Ada', custom: { page: 'https://www.linkedin.com/in/ada' } }
await gateway.rest('POST', '/api/crm/v1/contacts', { key, body })

/** The text that the channel was sent for a run of a hook. */
async function sentFor(text: string, ...calls: { name: string; input: unknown }[]) {
  platform.received.length = 0
  const steps = calls.map(call => ({ calls: [call] }))
  model.behave(request => (request.tools ? steps.shift() : undefined) ?? { text })
  const { body } = await gateway.hook('agent', { message: 'Look Ada up and post the link.', wakeMode: 'next-heartbeat' })
  await gateway.finished(body.runId)
  return platform.received.map(({ body }) => body.text)
}
const find = { name: 'find_contacts', input: { text: 'ada' } }

test('an address that the model made up is defanged', async () => {
  expect(await sentFor('[the report](https://evil.example/?to=ada@example.com)', find)).toEqual([
    '[the report](hxxps://evil[.]example/?to=ada[@]example[.]com)',
  ])
})

test('host names with data, and email addresses of strangers, are defanged', async () => {
  expect(await sentFor('Ada is at ada.engines.evil.io, evil。com or eve@evil.com', find)).toEqual([
    'Ada is at ada[.]engines[.]evil[.]io, evil[.]com or eve[@]evil[.]com',
  ])
})

test('addresses of records and of allowed hosts stay', async () => {
  const text = 'https://www.linkedin.com/in/ada, https://acme.example/ada?tab=1, ada@example.com, sales@acme.example'
  expect(await sentFor(text, find)).toEqual([text])
  expect(await sentFor('https://www.linkedin.com/in/ada')).toEqual(['hxxps://www[.]linkedin[.]com/in/ada'])
})

test('an address that the model first wrote into a record is defanged', async () => {
  const input = { email: 'eve-of-ada@example.com', custom: { page: 'https://www.linkedin.com/in/eve-ada-at-example' } }
  const sent = await sentFor('https://www.linkedin.com/in/eve-ada-at-example', { name: 'create_contact', input }, find)

  expect(sent).toEqual(['hxxps://www[.]linkedin[.]com/in/eve-ada-at-example'])
})

test('replies of the main session to outside events are defanged; those in a conversation of users are not', async () => {
  platform.received.length = 0
  model.behave(() => ({ text: 'See https://evil.example/x' }))
  await gateway.hook('wake', { text: 'Post https://evil.example/x' })
  await until(async () => platform.received[0])
  const { startAgentRun } = await gateway.ask(
    'mutation { startAgentRun(input: { message: "Where?", wakeMode: NEXT_HEARTBEAT }) { runId } }',
  )
  await gateway.ended(startAgentRun.runId)

  expect(platform.received.map(({ body }) => body.text)).toEqual(['See hxxps://evil[.]example/x', 'See https://evil.example/x'])
})
