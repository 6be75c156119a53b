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
  const told: string[] = []
  const until = async (last: string) => {
    while (told.at(-1) !== last) {
      const { data } = await stream.next()
      const { text, state } = data.data.systemEventChanged
      if (text === 'Live event' && state !== 'TAKEN') told.push(state)
    }
  }

  await gateway.hook('wake', { text: 'Live event', mode: 'next-heartbeat' })
  await until('QUEUED')
  await gateway.hook('wake', { text: 'Now' })
  await until('SEEN')
  stream.leave()

  expect(told).toEqual(['QUEUED', 'SEEN'])
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
  const owners = await follow('subscription { systemEventChanged { text } }')
  await gateway.hook('wake', { text: 'private', mode: 'next-heartbeat' })

  expect((await owners.next()).data).toEqual({ data: { systemEventChanged: { text: 'private' } } })
  await expect(stream.silence(500)).resolves.toBeUndefined()
  owners.leave()
  stream.leave()
})
