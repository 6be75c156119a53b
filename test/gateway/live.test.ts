// The gateway's subscriptions, of a user of its organization.

import { expect, test } from 'vitest'
import { openStream } from '../graphql/stream.ts'
import { openGateway } from '../support/gateway.ts'
import { keepOpen } from '../support/open.ts'
import { startModel } from '../support/servers/model.ts'

const model = await keepOpen(startModel())
const gateway = await openGateway({
  config: { heartbeat: { everyMinutes: 0 }, models: { default: 'local/small', providers: { local: model.provider } } },
})

const follow = (query: string, session = gateway.owner.session) =>
  openStream(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { accept: 'text/event-stream', 'content-type': 'application/json', authorization: `Bearer ${session}` },
    body: JSON.stringify({ query }),
  })

test('a run is sent at each change from its acceptance to its delivery', async () => {
  const stream = await follow('subscription { agentRunChanged { id type run { id status name summary delivery { status } } } }')
  const isRunning = Promise.withResolvers<void>()
  model.behave(async () => {
    await isRunning.promise
    return { text: 'Done.' }
  })
  const { body } = await gateway.hook('agent', { message: 'Hello', name: 'Live', wakeMode: 'next-heartbeat' })

  const statuses: string[] = []
  for (;;) {
    const { data } = await stream.next()
    const run = data.data.agentRunChanged.run
    expect({ id: run.id, name: run.name }).toEqual({ id: body.runId, name: 'Live' })
    statuses.push(run.status)
    if (run.status === 'RUNNING') isRunning.resolve()
    if (run.status === 'COMPLETED') {
      expect(run).toMatchObject({ summary: 'Hook Live: Done.', delivery: { status: 'UNDELIVERABLE' } })
      break
    }
  }
  expect(statuses).toContain('RUNNING')
  stream.leave()
})

test('a system event is sent when it is queued and when it is seen', async () => {
  const stream = await follow('subscription { systemEventChanged { id event { text state } } }')
  const told: string[] = []
  const until = async (last: string) => {
    while (told.at(-1) !== last) {
      const { data } = await stream.next()
      const { text, state } = data.data.systemEventChanged.event
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

test('a conversation is sent at changes of its own runs only', async () => {
  const stream = await follow(
    'subscription { agentSessionChanged(key: "hook:mine") { session { key turnCount turns(first: 1) { nodes { text } } } } }',
  )
  model.behave(() => ({ text: 'Yours.' }))
  await gateway.hook('agent', { message: 'not mine', sessionKey: 'hook:other', wakeMode: 'next-heartbeat', deliver: false })
  await gateway.hook('agent', { message: 'mine', sessionKey: 'hook:mine', wakeMode: 'next-heartbeat', deliver: false })

  for (;;) {
    const { data } = await stream.next()
    const session = data.data.agentSessionChanged.session
    expect(session.key).toBe('hook:mine')
    if (session.turnCount === 2) {
      expect(session.turns.nodes[0].text).toBe('Yours.')
      break
    }
  }
  stream.leave()
})

test('users of other organizations receive nothing', async () => {
  const { session } = await gateway.given.session()
  const stream = await follow('subscription { systemEventChanged { event { text } } }', session)
  const owners = await follow('subscription { systemEventChanged { event { text } } }')
  await gateway.hook('wake', { text: 'private', mode: 'next-heartbeat' })

  expect((await owners.next()).data).toEqual({ data: { systemEventChanged: { event: { text: 'private' } } } })
  await expect(stream.silence(500)).resolves.toBeUndefined()
  owners.leave()
  stream.leave()
})
