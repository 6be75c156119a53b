// Transcripts of calls are in a table of their own, partitioned by month, by the time that the ids of their calls begin with: callers read
// and find them as they do the rest of the call.

import { randomUUID } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import { describe, expect, test } from 'vitest'
import { calls as callsProvider } from '../../../src/enrichment/providers/calls.ts'
import { applyRetention } from '../../../src/server/queue/retention.ts'
import { type Json, openApp } from '../../support/app.ts'
import { connected } from '../../support/database/database.ts'
import { openBefore, workWhile } from '../../support/database/migrating.ts'
import { keepOpen } from '../../support/open.ts'
import { calls, givenCallFixture } from '../call-fixture.ts'
import { fakeProvider } from '../fake-provider.ts'
import { addPastCall } from '../past-call.ts'
import { report, secretOf } from '../report.ts'

const app = await openApp({ telephony: { simulator: fakeProvider() }, env: { VOICE_CONCURRENCY: '1000' } })
const client = await keepOpen(connected(app.database.url))
const fixture = await givenCallFixture(app)
const secret = await secretOf(app, fixture)

const lines = (...texts: string[]) => texts.map(text => ({ role: 'user', text }))
const tell = (news: object) => report(app, secret, news)
const textsOf = async (id: string, { key } = fixture): Promise<string[] | undefined> =>
  (await app.rest('GET', `${calls}/${id}`, { key })).body.transcript?.map(({ text }: Json) => text)
const graphqlTextsOf = async (id: string): Promise<string[]> => {
  const { body } = await app.graphql('query ($id: ID!) { call(id: $id) { transcript { text } } }', { id }, fixture)
  return body.data.call.transcript.map(({ text }: Json) => text)
}
const found = async (query: string, { key } = fixture): Promise<string[]> => {
  const { body } = await app.rest('GET', `/api/crm/v1/search?type=call&q=${query}`, { key })
  return body.data.map(({ id }: Json) => id)
}
const addCall = (at: Date, said: string) => addPastCall(client, fixture, { at, said })
const placeOf = async (id: string): Promise<string> =>
  (await client.query('select tableoid::regclass::text as name from call_transcripts where id = $1', [id])).rows[0]?.name
const monthIn = (count: number) => new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() + count, 1))
const addMonth = async (month: Date): Promise<boolean> =>
  (await client.query(`select add_partition('call_transcripts', 'month', $1) as added`, [month])).rows[0].added
const nameOf = (month: Date) => `call_transcripts_${month.toISOString().slice(0, 7).replace('-', '_')}`
const partitions = async (): Promise<string[]> =>
  (await client.query(`select name from partitions_of('call_transcripts') order by 1`)).rows.map(({ name }) => name)

describe('a transcript', () => {
  test('is read through REST and GraphQL as far as it was reported, and its call is found by its words and its summary', async () => {
    const { id } = await fixture.call()
    expect([await textsOf(id), await graphqlTextsOf(id)]).toEqual([[], []])

    await tell({ call_id: id, status: 'in_progress', transcript: lines('zebra') })
    expect([await textsOf(id), await graphqlTextsOf(id)]).toEqual([['zebra'], ['zebra']])
    expect([await found('zebra'), await found('walrus')]).toEqual([[id], []])

    await tell({ call_id: id, status: 'completed', transcript: lines('zebra', 'walrus'), summary: 'About ostriches' })
    expect([await textsOf(id), await graphqlTextsOf(id)]).toEqual([
      ['zebra', 'walrus'],
      ['zebra', 'walrus'],
    ])
    expect([await found('zebra'), await found('walrus'), await found('ostrich')]).toEqual([[id], [id], [id]])
  })

  test('of a shorter report is not taken, and a summary that comes later changes nothing of it', async () => {
    const { id } = await fixture.call()
    await tell({ call_id: id, status: 'completed', transcript: lines('lemur', 'gecko') })
    await tell({ call_id: id, transcript: lines('heron') })
    await tell({ call_id: id, summary: 'About badgers' })

    expect(await textsOf(id)).toEqual(['lemur', 'gecko'])
    expect([await found('gecko'), await found('badgers'), await found('heron')]).toEqual([[id], [id], []])
  })

  test('may be missing where there is a summary', async () => {
    const { id } = await fixture.call()
    await tell({ call_id: id, status: 'completed', summary: 'About otters' })

    expect([await textsOf(id), await found('otters')]).toEqual([[], [id]])
  })

  test('never shows in another organization', async () => {
    const other = await givenCallFixture(app)
    const { id } = await fixture.call()
    await tell({ call_id: id, status: 'completed', transcript: lines('capybara') })
    expect(await found('capybara')).toEqual([id])
    expect([await textsOf(id, other), await found('capybara', other)]).toEqual([undefined, []])

    // Not even where its call does.
    await client.query('update call_transcripts set org_id = $2 where id = $1', [id, other.orgId])
    expect([await textsOf(id), await graphqlTextsOf(id), await found('capybara')]).toEqual([[], [], []])
  })

  test('is the evidence of the values that were extracted from its call', async () => {
    const { id, contact_id: contactId } = await fixture.call({ to_number: '+442079460123' })
    await tell({ call_id: id, status: 'completed', transcript: lines('I live in Lisbon.'), extracted: { city: 'Lisbon' } })
    const context = app.asSystem(fixture.orgId)

    const { findings } = await callsProvider.run({ contactId, options: { latest: 5 }, context } as Parameters<typeof callsProvider.run>[0])

    expect(findings).toMatchObject([{ value: 'Lisbon', evidence: 'user: I live in Lisbon.', confidence: 0.85 }])
  })

  test('is in the partition of the month of its call, and found in each; one of another time is accepted, and moved when its month is added', async () => {
    expect(await addMonth(monthIn(4))).toBe(true)
    const old = await addCall(monthIn(-40), 'marmot')
    const ahead = await addCall(monthIn(4), 'marmot')
    const far = await addCall(monthIn(5), 'marmot')

    expect([await placeOf(old), await placeOf(ahead)]).toEqual(['call_transcripts_first', nameOf(monthIn(4))])
    expect(await placeOf(far)).toBe('call_transcripts_default')
    expect(await found('marmot')).toEqual([far, ahead, old])
    expect(await addMonth(monthIn(5))).toBe(true)
    expect(await placeOf(far)).toBe(nameOf(monthIn(5)))
    expect(await found('marmot')).toEqual([far, ahead, old])
  })

  test('of a call that is not among the newest is found by the index, in whatever partition', async () => {
    const old = [await addCall(monthIn(-30), 'platypus'), await addCall(monthIn(4), 'platypus')]
    await client.query(`update calls set created_at = '2001-01-01' where id = any($1)`, [old])
    for (let n = 0; n < 60; n++) await addCall(new Date(), 'hello')

    expect((await found('platypus')).sort()).toEqual(old.toSorted())
  })

  test('is kept for ever by default', async () => {
    const id = await addCall(new Date(), 'narwhal')
    const before = await partitions()
    app.setNow(new Date(Date.now() + 40 * 365 * 86_400_000))
    const done = await applyRetention(app.services)
    app.setNow(null)

    expect(done).toMatchObject({ callTranscriptsPartitions: 0, callTranscripts: 0 })
    expect(await partitions()).toEqual(expect.arrayContaining(before))
    expect([await textsOf(id), await found('narwhal')]).toEqual([['narwhal'], [id]])
  })
})

test('the transcripts of before are copied while the previous release adds and lengthens some', async () => {
  const before = await openBefore('20261125160000')
  const [writer, other] = [await connected(before.url), await connected(before.url)]
  const [orgId, agentId] = [randomUUID(), randomUUID()]
  await writer.query(
    `insert into voice_agents (id, org_id, name, provider, created_by_type, status, extraction) values ($1, $2, 'A', 'simulator', 'system', 'active', '{}')`,
    [agentId, orgId],
  )
  const columns = `id, org_id, agent_id, agent_version, provider, dispatch_state, status, outcome, to_number, max_duration_seconds, ring_timeout_seconds,
    record, voicemail_action, dispatch_after, created_by_type, summary, transcript`
  const values = `'${orgId}', '${agentId}', 1, 'simulator', 'dispatched', 'completed', 'goal_met', '+14155550100', 60, 30, false, 'hang_up', now(), 'system'`
  // Of three, one has a transcript, one has a summary, and one has neither.
  const ids = Array.from({ length: 3000 }, () => uuid())
  await writer.query(
    `insert into calls (${columns}) select id, ${values}, case when n % 3 = 1 then 'Summary ' || n end,
       case when n % 3 = 2 then '[{"text":"one"},{"text":"two"}]' else '[]' end::jsonb from unnest($1::uuid[]) with ordinality as given (id, n)`,
    [ids],
  )

  let added = 0
  const insert = async () => {
    await writer.query(`insert into calls (${columns}) values ($1, ${values}, 'New', '[{"text":"new"}]')`, [uuid()])
    added++
  }
  const lengthen = async () => {
    const id = ids[Math.floor(Math.random() * ids.length)]
    await other.query(`update calls set transcript = transcript || '[{"text":"more"}]', summary = 'More' where id = $1`, [id])
  }
  const migrating = before.migrate('20261125160002')
  await Promise.all([workWhile(migrating, insert), workWhile(migrating, lengthen)])

  expect(await migrating).toEqual(['20261125160000_call_transcripts', '20261125160001_call_transcripts_filled'])
  const { rows } = await other.query(
    `select count(*)::int as calls, count(t.id)::int as copied, count(*) filter (where transcript_lines = jsonb_array_length(transcript)
       and t.org_id is not distinct from case when c.summary is not null or transcript <> '[]' then c.org_id end
       and t.summary is not distinct from c.summary and coalesce(t.lines, '[]') = transcript)::int as equal
     from calls c left join call_transcripts t on t.id = c.id`,
  )
  const calls = 3000 + added
  expect(rows).toEqual([{ calls, copied: expect.any(Number), equal: calls }])
  expect(rows[0].copied).toBeGreaterThan(2000 + added)
  await writer.end()
  await other.end()
  await before.close()
}, 60_000)
