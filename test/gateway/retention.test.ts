// What the gateway forgets, and what it keeps.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyRetention } from '../../src/retention.ts'
import { startGateway, type TestGateway, until } from '../support/gateway.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startGateway({ config: { heartbeat: { everyMinutes: 0 }, retention: { sessionDays: 10, eventDays: 5 } } })
})
afterAll(() => gateway.close())

const day = 86_400_000
const kept = async () => {
  const data = await gateway.ask(
    '{ agentSessions { nodes { key turns { nodes { id } } } } agentRuns { nodes { kind sessionKey } } systemEvents { nodes { text } } }',
  )
  return {
    sessions: data.agentSessions.nodes.map(({ key }: { key: string }) => key).toSorted(),
    runs: data.agentRuns.nodes.map(({ kind, sessionKey }: { kind: string; sessionKey: string }) => `${kind} ${sessionKey}`).toSorted(),
    events: data.systemEvents.nodes.map(({ text }: { text: string }) => text).toSorted(),
  }
}

test('old conversations go with their runs; the main session stays, and forgets; what nobody has seen stays', async () => {
  const start = Date.now()
  const run = async (sessionKey: string) =>
    gateway.finished((await gateway.hook('agent', { message: 'a', sessionKey, wakeMode: 'next-heartbeat', deliver: false })).body.runId)
  await run('hook:old')
  await run('hook:used')
  await gateway.hook('wake', { text: 'seen' })
  await until(async () => ((await kept()).runs.includes('HEARTBEAT main') ? true : undefined))
  await until(async () => {
    const { systemEvents } = await gateway.ask('{ systemEvents(state: QUEUED) { nodes { id } } }')
    return systemEvents.nodes.length === 0 ? true : undefined
  })
  await gateway.hook('wake', { text: 'waiting', mode: 'next-heartbeat' })

  gateway.setNow(new Date(start + 6 * day))
  await run('hook:used')
  await applyRetention(gateway.services)
  expect(await kept()).toEqual({
    sessions: ['hook:old', 'hook:used', 'main'],
    runs: ['HOOK hook:old', 'HOOK hook:used', 'HOOK hook:used'],
    events: [expect.stringMatching(/^Hook: /), 'waiting'],
  })

  gateway.setNow(new Date(start + 11 * day))
  await applyRetention(gateway.services)
  expect((await kept()).sessions).toEqual(['hook:used', 'main'])
  expect((await kept()).runs).toEqual(['HOOK hook:used', 'HOOK hook:used'])
})
