// TRANSCRIPT_RETENTION_DAYS: transcripts are dropped by month, and their calls stay.

import { beforeEach, describe, expect, test } from 'vitest'
import { applyRetention } from '../../../src/server/queue/retention.ts'
import { voiceRetention } from '../../../src/voice/retention.sql.ts'
import { type Json, openApp } from '../../support/app.ts'
import { connected } from '../../support/database/database.ts'
import { keepOpen } from '../../support/open.ts'
import { calls, givenCallFixture } from '../call-fixture.ts'
import { fakeProvider } from '../fake-provider.ts'
import { addPastCall, type PastCall } from '../past-call.ts'

const dayMs = 86_400_000
// Months behind the first partition.
const month = (count: number, days = 0) =>
  new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() + 2 + count, 1) + days * dayMs)

const app = await openApp({ telephony: { simulator: fakeProvider() }, env: { TRANSCRIPT_RETENTION_DAYS: '90' } })
const client = await keepOpen(connected(app.database.url))
const fixture = await givenCallFixture(app)
for (const count of [0, 1, 2, 3]) await client.query(`select add_partition('call_transcripts', 'month', $1)`, [month(count)])
beforeEach(async () => {
  await client.query('delete from call_transcripts')
})

const add = (call: PastCall) => addPastCall(client, fixture, call)
const readCall = async (id: string) => {
  const { summary, transcript } = (await app.rest('GET', `${calls}/${id}`, fixture)).body
  return { summary, said: transcript.map(({ text }: Json) => text) }
}
const found = async (query: string): Promise<string[]> =>
  (await app.rest('GET', `/api/crm/v1/search?type=call&q=${query}`, fixture)).body.data.map(({ id }: Json) => id)
const retainedAt = async (now: Date) => {
  app.setNow(now)
  const { callTranscriptsPartitions: partitions, callTranscripts: rows } = await applyRetention(app.services)
  app.setNow(null)
  return { partitions, rows }
}

describe('a transcript past TRANSCRIPT_RETENTION_DAYS', () => {
  test('is deleted where its partition stays, as the first one does, a tenth later', async () => {
    const [old, young] = [new Date(month(-2).getTime() - 90 * dayMs), month(-2)]
    const ids = [await add({ at: old, said: 'walrus' }), await add({ at: young, said: 'lemur' })]

    expect(await retainedAt(month(-2, 8))).toEqual({ partitions: 0, rows: 0 })
    expect(await retainedAt(month(-2, 10))).toEqual({ partitions: 0, rows: 1 })
    expect(await Promise.all(ids.map(readCall))).toEqual([
      { summary: null, said: [] },
      { summary: null, said: ['lemur'] },
    ])
  })

  test('is looked for in the partitions of past months alone', async () => {
    const { text } = voiceRetention.callTranscripts.statement
    const { rows } = await client.query(`explain (format json) ${text}`, [month(0).toISOString()])
    const tablesOf = (plan: Json): string[] => [plan['Relation Name'], ...(plan.Plans ?? []).flatMap(tablesOf)].filter(Boolean)
    const locked = (plan: Json): Json[] => [...(plan['Node Type'] === 'LockRows' ? [plan] : []), ...(plan.Plans ?? []).flatMap(locked)]

    expect(new Set(locked(rows[0]['QUERY PLAN'][0].Plan).flatMap(tablesOf))).toEqual(new Set(['call_transcripts_first']))
  })

  test('is dropped with its month; the call and its summary stay, and it is found no more', async () => {
    const past = await add({ at: month(0, 27), said: 'walrus', summary: 'About ostriches' })
    const kept = await add({ at: month(1), said: 'lemur', summary: 'About badgers' })
    expect([await found('walrus'), await found('ostriches'), await found('lemur')]).toEqual([[past], [past], [kept]])

    expect(await retainedAt(month(1, 89))).toEqual({ partitions: 1, rows: 0 })
    expect(await readCall(past)).toEqual({ summary: 'About ostriches', said: ['walrus'] })

    expect(await retainedAt(month(1, 90))).toEqual({ partitions: 1, rows: 0 })
    expect([await readCall(past), await readCall(kept)]).toEqual([
      { summary: 'About ostriches', said: [] },
      { summary: 'About badgers', said: ['lemur'] },
    ])
    expect([await found('walrus'), await found('ostriches'), await found('lemur'), await found('badgers')]).toEqual([
      [],
      [],
      [kept],
      [kept],
    ])
  })

  test('stays while it is not past by the time of its writing, and keeps its month until then', async () => {
    const late = await add({ at: month(1, 3), said: 'walrus', writtenAt: month(3) })
    const beside = await add({ at: month(1, 3), said: 'lemur' })

    expect(await retainedAt(month(1, 98))).toMatchObject({ rows: 0 })
    expect([(await readCall(late)).said, (await readCall(beside)).said]).toEqual([['walrus'], ['lemur']])
    expect(await retainedAt(month(1, 122))).toMatchObject({ rows: 1 })
    expect([(await readCall(late)).said, (await readCall(beside)).said]).toEqual([['walrus'], []])

    // Of this month and the next one.
    expect(await retainedAt(month(3, 91))).toEqual({ partitions: 2, rows: 0 })
    expect((await readCall(late)).said).toEqual([])
  })
})
