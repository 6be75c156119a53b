// The gateway as it happens: subscriptions of a session of its organization.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStream } from '../graphql/stream.ts'
import { startGateway, type TestGateway } from '../support/gateway.ts'
import { startModel } from '../support/model.ts'

let model: Awaited<ReturnType<typeof startModel>>
let gateway: TestGateway
beforeAll(async () => {
  model = await startModel()
  gateway = await startGateway({
    config: { heartbeat: { everyMinutes: 0 }, models: { default: 'local/small', providers: { local: model.provider } } },
  })
})
afterAll(async () => {
  await gateway.close()
  await model.close()
})

const follow = (query: string, session = gateway.owner.session) =>
  openStream(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { accept: 'text/event-stream', 'content-type': 'application/json', authorization: `Bearer ${session}` },
    body: JSON.stringify({ query }),
  })

test('a run is told from its acceptance to its delivery', async () => {
  const stream = await follow('subscription { agentRunChanged { id status name summary delivery { status } } }')
  const heard = Promise.withResolvers<void>()
  model.behave(async () => {
    await heard.promise
    return { text: 'Done.' }
  })
  const { body } = await gateway.hook('agent', { message: 'Hello', name: 'Live', wakeMode: 'next-heartbeat' })

  const statuses: string[] = []
  for (;;) {
    const { data } = await stream.next()
    const run = data.data.agentRunChanged
    expect({ id: run.id, name: run.name }).toEqual({ id: body.runId, name: 'Live' })
    statuses.push(run.status)
    if (run.status === 'RUNNING') heard.resolve()
    if (run.status === 'COMPLETED') {
      expect(run).toMatchObject({ summary: 'Hook Live: Done.', delivery: { status: 'UNDELIVERABLE' } })
      break
    }
  }
  expect(statuses).toContain('RUNNING')
  stream.leave()
})

test('a system event is told when it is queued and when it is seen', async () => {
  const stream = await follow('subscription { systemEventChanged { text state } }')
  await gateway.hook('wake', { text: 'Live event' })

  const states = new Set<string>()
  while (!states.has('SEEN')) {
    const { data } = await stream.next()
    const { text, state } = data.data.systemEventChanged
    if (text === 'Live event') states.add(state)
  }
  stream.leave()
})

test('a conversation is told when something happens in it, and in no other', async () => {
  const stream = await follow('subscription { agentSessionChanged(key: "hook:mine") { key turnCount turns(first: 1) { nodes { text } } } }')
  model.behave(() => ({ text: 'Yours.' }))
  await gateway.hook('agent', { message: 'not mine', sessionKey: 'hook:other', wakeMode: 'next-heartbeat', deliver: false })
  await gateway.hook('agent', { message: 'mine', sessionKey: 'hook:mine', wakeMode: 'next-heartbeat', deliver: false })

  for (;;) {
    const { data } = await stream.next()
    const session = data.data.agentSessionChanged
    expect(session.key).toBe('hook:mine')
    if (session.turnCount === 2) {
      expect(session.turns.nodes[0].text).toBe('Yours.')
      break
    }
  }
  stream.leave()
})

test('nobody else hears of it', async () => {
  const { session } = await gateway.given.session()
  const stream = await follow('subscription { systemEventChanged { text } }', session)
  await gateway.hook('wake', { text: 'private', mode: 'next-heartbeat' })

  await stream.silence(500)
  stream.leave()
})
