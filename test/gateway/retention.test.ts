// The retention of sessions, runs and system events.

import { describe, expect, test } from 'vitest'
import { reopenRun } from '../../src/gateway/runs/run.sql.ts'
import { applyRetention } from '../../src/server/queue/retention.ts'
import { openGateway, until } from '../support/gateway.ts'

const gateway = await openGateway({ config: { heartbeat: { everyMinutes: 0 }, retention: { sessionDays: 10, eventDays: 5 } } })

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

test('old conversations are deleted with their runs; of the main session only old runs; unseen events stay', async () => {
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

describe('a conversation in use', () => {
  const old = async (sessionKey: string) => {
    gateway.setNow(null)
    const { body } = await gateway.hook('agent', { message: 'a', sessionKey, wakeMode: 'next-heartbeat', deliver: false })
    await gateway.finished(body.runId)
    gateway.setNow(new Date(Date.now() + 11 * day))
    return body.runId as string
  }

  test('stays while it is being continued', async () => {
    await old('hook:continued')

    await gateway.services.database.transaction(async db => {
      await db.execute(`update gateway_sessions set updated_at = now() + interval '11 days' where key = 'hook:continued'`)
      await applyRetention(gateway.services)
    })
    expect((await kept()).sessions).toContain('hook:continued')
  })

  test('stays while one of its runs is being retried', async () => {
    const runId = await old('hook:retried')
    await gateway.services.database.execute(`update gateway_runs set status = 'failed' where id = $1`, [runId])

    await gateway.services.database.transaction(async db => {
      const parameters = [gateway.owner.orgId, runId, gateway.services.now().toISOString(), null]
      expect(await db.query(reopenRun, parameters)).toEqual([{ id: runId }])
      await applyRetention(gateway.services)
    })
    expect((await kept()).sessions).toContain('hook:retried')
    expect(await gateway.finished(runId)).toMatchObject({ status: 'completed' })
  })
})
