// Merging contacts: field by field, with everything that hangs on them, and back again.

import { v7 as uuid } from 'uuid'
import { describe, expect, test } from 'vitest'
import { applyRetention } from '../../src/server/queue/retention.ts'
import { type Json, openApp } from '../support/app.ts'
import { type Client, clientIn, fieldCount, problemsOf } from './client.ts'

const app = await openApp()

const merged = 'mergeId winner { id email } loser { id deletedAt } moved { calls suggestions jobs notes tasks deals events } undoneAt'
const mergeDocument = `mutation ($input: MergeContactsInput!) { mergeContacts(input: $input) { ${merged} } }`
const merge = async (on: Client, winnerId: string, loserId: string, fields?: Json) =>
  (await on.data(mergeDocument, { input: { winnerId, loserId, fields } })).mergeContacts
const undoDocument = `mutation ($id: ID!) { undoMerge(input: { mergeId: $id }) { ${merged} } }`
const undo = async (on: Client, id: string) => (await on.data(undoDocument, { id })).undoMerge

const whole = 'id email firstName lastName fullName phone companyName city tags custom doNotCall lastContactedAt deletedAt'
const read = async (on: Client, id: string) =>
  (await on.data(`query ($id: ID!) { contact(id: $id, includeDeleted: true) { ${whole} } }`, { id })).contact
const live = async (on: Client) =>
  (await on.data('{ contacts(sort: EMAIL) { nodes { id email } } }')).contacts.nodes.map(({ email }: Json) => email)

/** A call, a suggestion, an enrichment job and a note of the contact. */
async function hangOn({ orgId, data }: Client, contactId: string) {
  const agent = await data('mutation { createVoiceAgent(input: { name: "Grace", provider: SIMULATOR }) { id } }')
  const call = uuid()
  await app.services.database.pool.query(
    `insert into calls (id, org_id, agent_id, agent_version, contact_id, provider, dispatch_state, status, outcome, ended_at, to_number,
       max_duration_seconds, ring_timeout_seconds, record, voicemail_action, dispatch_after, created_by_type)
     values ($1, $2, $3, 1, $4, 'simulator', 'dispatched', 'completed', 'unknown', now(), '+14155550123', 60, 30, false, 'hang_up', now(), 'system')`,
    [call, orgId, agent.createVoiceAgent.id, contactId],
  )
  const suggestion = uuid()
  const target = { hostApp: 'rolocom', targetId: contactId, targetKind: 'contact' }
  await app.services.database.prisma.suggestion.create({
    data: {
      ...{ id: suggestion, orgId, contactId, ...target, field: 'jobTitle', valueType: 'text', proposedValue: 'Analyst', confidence: 0.9 },
      ...{ verification: 'probable', provider: 'test', observedAt: new Date(), expiresAt: new Date(Date.now() + 86_400_000) },
    },
  })
  const job = await data(
    'mutation ($id: ID!) { enqueueEnrichment(input: { target: { hostApp: "rolocom", id: $id, kind: "contact" }, recipe: "contact" }) { id } }',
    { id: contactId },
  )
  const note = await data('mutation ($id: ID!) { createNote(input: { contactId: $id, text: "Likes tea" }) { id } }', { id: contactId })
  await data('mutation ($id: ID!) { createTask(input: { contactId: $id, title: "Ring back" }) { id } }', { id: contactId })
  return { call, suggestion, job: job.enqueueEnrichment.id, note: note.createNote.id }
}

const unchecked = (value: string) => ({ value, label: null, verification: 'unverified' })

const hanging = `query ($id: ID!) {
  contact(id: $id) { calls { nodes { id } } notes { nodes { id } } timeline(first: 100) { nodes { id type } } }
  suggestions(filter: { contactId: $id }) { nodes { id } }
}`
const ids = ({ nodes }: Json) => nodes.map(({ id }: Json) => id)

describe('mergeContacts', () => {
  test('keeps the winner’s values, takes those it lacks and those that are chosen, and says so before', async () => {
    const on = await clientIn(app)
    for (const [key, type] of [
      ['size', 'NUMBER'],
      ['plan', 'TEXT'],
    ])
      await on.data(`mutation { createCustomField(input: { key: "${key}", label: "${key}", type: ${type} }) { id } }`)
    const winner = await on.create({
      ...{ email: 'ada@example.com', firstName: 'Ada', lastName: 'Byron', companyName: 'Old Ltd', tags: ['a', 'b'], custom: { size: 1 } },
      lastContactedAt: '2026-01-01T00:00:00.000Z',
    })
    const loser = await on.create({
      ...{ email: 'ada@engines.example', lastName: 'Lovelace', companyName: 'Engines', city: 'London', phone: '+442079460958' },
      ...{ tags: ['b', 'c'], custom: { size: 2, plan: 'pro' }, doNotCall: true, lastContactedAt: '2026-02-01T00:00:00.000Z' },
    })
    const fields = { lastName: 'LOSER', companyName: 'LOSER', email: 'LOSER', custom: [{ key: 'size', keep: 'LOSER' }] }

    const { mergePreview } = await on.data(
      `query ($winner: ID!, $loser: ID!, $fields: MergeFieldsInput) {
        mergePreview(winnerId: $winner, loserId: $loser, fields: $fields) { fields { field value keeps reason } }
      }`,
      { winner: winner.id, loser: loser.id, fields },
    )
    const result = await merge(on, winner.id, loser.id, fields)

    expect(mergePreview.fields.filter(({ field }: Json) => field !== 'companyId')).toEqual([
      { field: 'email', value: 'ada@engines.example', keeps: 'LOSER', reason: 'CHOSEN' },
      { field: 'firstName', value: 'Ada', keeps: 'WINNER', reason: 'ONLY_ONE' },
      { field: 'lastName', value: 'Lovelace', keeps: 'LOSER', reason: 'CHOSEN' },
      { field: 'fullName', value: 'Ada Lovelace', keeps: 'WINNER', reason: 'WINNER' },
      { field: 'phone', value: '+442079460958', keeps: 'LOSER', reason: 'ONLY_ONE' },
      { field: 'companyName', value: 'Engines', keeps: 'LOSER', reason: 'CHOSEN' },
      { field: 'city', value: 'London', keeps: 'LOSER', reason: 'ONLY_ONE' },
      { field: 'lifecycleStage', value: 'subscriber', keeps: null, reason: 'SAME' },
      { field: 'source', value: 'api', keeps: null, reason: 'SAME' },
      { field: 'emails', value: [unchecked('ada@engines.example'), unchecked('ada@example.com')], keeps: null, reason: 'UNITED' },
      { field: 'tags', value: ['a', 'b', 'c'], keeps: null, reason: 'UNITED' },
      { field: 'doNotCall', value: true, keeps: null, reason: 'EITHER' },
      { field: 'lastContactedAt', value: '2026-02-01T00:00:00.000Z', keeps: null, reason: 'LATEST' },
      { field: 'custom.size', value: 2, keeps: 'LOSER', reason: 'CHOSEN' },
      { field: 'custom.plan', value: 'pro', keeps: 'LOSER', reason: 'ONLY_ONE' },
    ])
    expect(result).toMatchObject({ winner: { id: winner.id, email: 'ada@engines.example' }, loser: { id: loser.id } })
    expect(await read(on, winner.id)).toEqual({
      ...{ id: winner.id, email: 'ada@engines.example', firstName: 'Ada', lastName: 'Lovelace', fullName: 'Ada Lovelace' },
      ...{ phone: '+442079460958', companyName: 'Engines', city: 'London', tags: ['a', 'b', 'c'], custom: { size: 2, plan: 'pro' } },
      ...{ doNotCall: true, lastContactedAt: '2026-02-01T00:00:00.000Z', deletedAt: null },
    })
    expect(await live(on)).toEqual(['ada@engines.example'])
  })

  test('moves what hung on the loser, as one event, and keeps the statistics right', async () => {
    const on = await clientIn(app)
    const winner = await on.create({ email: 'a@example.com' })
    const loser = await on.create({ email: 'b@example.com' })
    const own = await hangOn(on, loser.id)

    const { moved, mergeId } = await merge(on, winner.id, loser.id)

    const { contact, suggestions } = await on.data(hanging, { id: winner.id })
    expect(moved).toEqual({ calls: 1, suggestions: 1, jobs: 1, notes: 1, tasks: 1, deals: 0, events: expect.any(Number) })
    expect([contact.calls, suggestions, contact.notes].map(ids)).toEqual([[own.call], [own.suggestion], [own.note]])
    expect(contact.timeline.nodes.map(({ type }: Json) => type).sort()).toEqual(
      ['CONTACT_CREATED', 'CONTACT_CREATED', 'CONTACT_MERGED', 'CONTACT_NOTED', 'CONTACT_TASK_CREATED', 'ENRICHMENT_JOB_QUEUED'].sort(),
    )
    const { stats } = await on.data('{ stats { contacts { total withEmail } } }')
    expect(stats.contacts).toEqual({ total: 1, withEmail: 1 })
    const { rows } = await app.services.database.pool.query(
      `select type, changes from events where org_id = $1 and type like 'contact.%' order by sequence`,
      [on.orgId],
    )
    expect(rows.map(({ type }) => type)).toEqual(['contact.created', 'contact.created', 'contact.noted', 'contact.merged'])
    expect(rows.at(-1).changes).toMatchObject({ mergeId, loserId: loser.id, fields: {} })

    // Its target is the merged contact, which is the winner now.
    await on.data('mutation ($id: ID!) { acceptSuggestion(input: { id: $id }) { id } }', { id: own.suggestion })
    expect((await on.data('query ($id: ID!) { contact(id: $id) { jobTitle } }', { id: winner.id })).contact.jobTitle).toBe('Analyst')
  })

  test('a lookup of the loser says where it went, through several merges, in GraphQL and REST', async () => {
    const on = await clientIn(app)
    const [a, b, c] = [await on.create(), await on.create(), await on.create()]
    await merge(on, b.id, c.id)
    await merge(on, a.id, b.id)

    const byGraphql = await on.ask('query ($id: ID!) { contact(id: $id) { id } }', { id: c.id })
    const byRest = await app.rest('GET', `/api/crm/v1/contacts/${c.id}`, { key: on.key })
    const changed = await app.rest('PATCH', `/api/crm/v1/contacts/${b.id}`, { body: { city: 'Rome' }, key: on.key })
    const restored = await app.rest('POST', `/api/crm/v1/contacts/${c.id}/restore`, { key: on.key })

    expect(byGraphql).toMatchObject({ data: { contact: null }, errors: [{ extensions: { code: 'NOT_FOUND', mergedInto: a.id } }] })
    expect(byRest).toMatchObject({ status: 404, body: { code: 'not_found', merged_into: a.id } })
    expect(changed).toMatchObject({ status: 404, body: { merged_into: a.id } })
    expect(restored).toMatchObject({ status: 409, body: { code: 'conflict', merged_into: a.id } })
  })

  test('refuses a contact with itself, unknown and foreign ones, and choices of unknown fields, and changes nothing', async () => {
    const on = await clientIn(app)
    const a = await on.create({ email: 'a@example.com' })
    const b = await on.create({ email: 'b@example.com' })
    const foreign = await (await clientIn(app)).create()
    const error = (winnerId: string, loserId: string, fields?: Json) => on.error(mergeDocument, { input: { winnerId, loserId, fields } })

    expect(problemsOf(await error(a.id, a.id))).toEqual(['loserId: Value error, it is the winner itself'])
    expect(problemsOf(await error(a.id, b.id, { custom: [{ key: 'none', keep: 'LOSER' }] }))).toEqual([
      'fields.custom.0.key: Value error, neither contact has a value in this custom field',
    ])
    for (const [winnerId, loserId] of [
      [a.id, foreign.id],
      [foreign.id, a.id],
      [a.id, uuid()],
      ['nonsense', a.id],
    ] as const)
      expect(await error(winnerId, loserId)).toMatchObject({ code: 'NOT_FOUND' })
    expect(await live(on)).toEqual(['a@example.com', 'b@example.com'])
  })

  test('of A into B and B into A at once, one happens', async () => {
    const on = await clientIn(app)
    for (let round = 0; round < 5; round++) {
      const a = await on.create({ email: `a${round}@example.com` })
      const b = await on.create({ email: `b${round}@example.com` })

      const answers = await Promise.all([
        on.ask(mergeDocument, { input: { winnerId: a.id, loserId: b.id } }),
        on.ask(mergeDocument, { input: { winnerId: b.id, loserId: a.id } }),
      ])

      const [failed, ...others] = answers.filter(({ errors }) => errors)
      expect(others).toEqual([])
      expect(failed?.errors[0].extensions).toMatchObject({ code: 'NOT_FOUND', mergedInto: expect.any(String) })
    }
    expect(await live(on)).toHaveLength(5)
  })

  test('of B into A and C into B at once, nothing of C is lost', async () => {
    const on = await clientIn(app)
    for (let round = 0; round < 5; round++) {
      const [a, b, c] = [await on.create(), await on.create(), await on.create()]
      await on.data('mutation ($id: ID!) { createNote(input: { contactId: $id, text: "Likes tea" }) { id } }', { id: c.id })

      const answers = await Promise.all([
        on.ask(mergeDocument, { input: { winnerId: a.id, loserId: b.id } }),
        on.ask(mergeDocument, { input: { winnerId: b.id, loserId: c.id } }),
      ])

      const codes = answers.flatMap(({ errors = [] }) => errors.map(({ extensions }: Json) => extensions.code))
      const holder = codes.length === 0 ? a.id : c.id
      expect(codes.filter(code => code !== 'NOT_FOUND')).toEqual([])
      expect((await on.data(hanging, { id: holder })).contact.notes.nodes).toHaveLength(1)
    }
  })

  test('with updates, upserts and batches of the same addresses at once neither fails otherwise nor makes a third contact', async () => {
    const on = await clientIn(app)
    for (let round = 0; round < 5; round++) {
      const winner = await on.create({ email: `winner${round}@example.com` })
      const loser = await on.create({ email: `loser${round}@example.com` })
      const contacts = [`loser${round}@example.com`, `winner${round}@example.com`].map(email => ({ email, city: 'Rome' }))

      const [, ...answers] = await Promise.all([
        merge(on, winner.id, loser.id, { email: 'LOSER' }),
        app.rest('PUT', '/api/crm/v1/contacts?match=email', { body: contacts[0], key: on.key }),
        app.rest('PATCH', `/api/crm/v1/contacts/${winner.id}`, { body: { last_name: 'Winner' }, key: on.key }),
        app.rest('PATCH', `/api/crm/v1/contacts/${loser.id}`, { body: { last_name: 'Loser' }, key: on.key }),
        app.rest('POST', '/api/crm/v1/contacts/batch', { body: { contacts, on_conflict: 'update', atomic: true }, key: on.key }),
      ])

      expect(answers.map(({ status }) => status).filter(status => ![200, 404].includes(status))).toEqual([])
      const [kept, ...others] = (await live(on)).filter((email: string) => email.endsWith(`${round}@example.com`))
      expect(kept).toBe(`loser${round}@example.com`)
      // The winner's former address is free, so the batch may have made a contact of it.
      expect(others.filter((email: string) => email !== `winner${round}@example.com`)).toEqual([])
    }
  })

  test('a call placed to the loser at once is found with the winner', async () => {
    const on = await clientIn(app)
    const { createVoiceAgent: agent } = await on.data('mutation { createVoiceAgent(input: { name: "Grace", provider: SIMULATOR }) { id } }')
    const winner = await on.create()
    const loser = await on.create({ phone: '+14155550199' })

    const [, call] = await Promise.all([
      merge(on, winner.id, loser.id),
      app.rest('POST', '/api/voice/v1/calls', {
        body: { agent_id: agent.id, to_number: '+14155550199', contact_id: loser.id },
        key: on.key,
      }),
    ])

    expect([201, 202, 422]).toContain(call.status)
    const { contact } = await on.data(hanging, { id: winner.id })
    expect(contact.calls.nodes).toHaveLength(call.status === 422 ? 0 : 1)
  })
})

describe('undoMerge', () => {
  test('gives the loser its own rows back; later ones stay with the winner', async () => {
    const on = await clientIn(app)
    const winner = await on.create({ email: 'a@example.com', firstName: 'Ada', tags: ['a'] })
    const loser = await on.create({ email: 'b@example.com', city: 'London', phone: '+442079460958', tags: ['b'], doNotCall: true })
    const own = await hangOn(on, loser.id)
    const before = await read(on, loser.id)
    const { mergeId } = await merge(on, winner.id, loser.id, { email: 'LOSER' })
    await on.data('mutation ($id: ID!) { updateContact(input: { id: $id, city: "Rome", addTags: ["new"] }) { id } }', { id: winner.id })
    const since = await on.data('mutation ($id: ID!) { createNote(input: { contactId: $id, text: "Since" }) { id } }', { id: winner.id })

    const undone = await undo(on, mergeId)

    expect(undone).toMatchObject({
      loser: { id: loser.id, deletedAt: null },
      moved: { calls: 1, suggestions: 1, jobs: 1, notes: 1, tasks: 1 },
    })
    expect(await read(on, loser.id)).toEqual(before)
    expect(await read(on, winner.id)).toMatchObject({
      ...{ email: 'a@example.com', firstName: 'Ada', phone: null, city: 'Rome', tags: ['a', 'new'], doNotCall: true },
    })
    const { contact: back, suggestions: others } = await on.data(hanging, { id: loser.id })
    const { contact: kept, suggestions } = await on.data(hanging, { id: winner.id })
    expect([back.calls, others, back.notes].map(ids)).toEqual([[own.call], [own.suggestion], [own.note]])
    expect([kept.calls, suggestions, kept.notes].map(ids)).toEqual([[], [], [since.createNote.id]])
    expect(kept.timeline.nodes.map(({ type }: Json) => type)).toEqual([
      'CONTACT_UNMERGED',
      'CONTACT_NOTED',
      'CONTACT_UPDATED',
      'CONTACT_MERGED',
      'CONTACT_CREATED',
    ])
    expect((await on.data('{ stats { contacts { total doNotCall } } }')).stats.contacts).toEqual({ total: 2, doNotCall: 2 })
    expect((await on.error(undoDocument, { id: mergeId })).code).toBe('CONFLICT')
  })

  test('is refused while somebody has the address, the winner is deleted or merged on, and after 30 days', async () => {
    const on = await clientIn(app)
    const winner = await on.create({ email: 'a@example.com' })
    const loser = await on.create({ email: 'b@example.com' })
    const { mergeId } = await merge(on, winner.id, loser.id)
    await on.data('mutation ($id: ID!) { updateContact(input: { id: $id, emails: [{ value: "a@example.com" }] }) { id } }', {
      id: winner.id,
    })
    const taker = await on.create({ email: 'B@example.com' })

    expect(await on.error(undoDocument, { id: mergeId })).toMatchObject({ code: 'ALREADY_EXISTS', existingId: taker.id })
    await on.data('mutation ($id: ID!) { deleteContact(input: { id: $id }) { id } }', { id: taker.id })
    const third = await on.create()
    const later = await merge(on, third.id, winner.id)
    expect(await on.error(undoDocument, { id: mergeId })).toMatchObject({ code: 'CONFLICT', mergedInto: third.id })
    await undo(on, later.mergeId)
    try {
      app.setNow(new Date(Date.now() + 31 * 86_400_000))
      expect(await on.error(undoDocument, { id: mergeId })).toMatchObject({ code: 'CONFLICT' })
    } finally {
      app.setNow(null)
    }
    expect(await (await clientIn(app)).error(undoDocument, { id: mergeId })).toMatchObject({ code: 'NOT_FOUND' })
    await undo(on, mergeId)
    expect(await live(on)).toEqual(['a@example.com', 'b@example.com', null])
  })

  test('leaves after 30 days only where the contact went: what undoing needs is deleted, and the timeline stays', async () => {
    const on = await clientIn(app)
    const [winner, loser] = [await on.create({ email: 'a@example.com' }), await on.create({ firstName: 'Bob' })]
    await hangOn(on, loser.id)
    const { mergeId } = await merge(on, winner.id, loser.id)
    const [third, fourth] = [await on.create(), await on.create()]
    const undone = (await merge(on, third.id, fourth.id)).mergeId
    await undo(on, undone)
    const timeline = async () =>
      (await on.data(`{ contact(id: "${winner.id}") { timeline { nodes { id } totalCount } } }`)).contact.timeline
    const before = await timeline()
    const stored = () =>
      app.services.database.prisma.contactMerge.findMany({
        where: { id: { in: [mergeId, undone] } },
        select: { id: true, loserId: true, changes: true, moved: true },
      })

    await applyRetention(app.services)
    expect(await stored()).toHaveLength(2)
    const { now } = app.services
    await applyRetention({ ...app.services, now: () => new Date(now().getTime() + 30 * 86_400_000 + 60_000) })

    expect(await stored()).toEqual([{ id: mergeId, loserId: loser.id, changes: {}, moved: {} }])
    expect(await timeline()).toEqual(before)
    expect(await on.error('query ($id: ID!) { contact(id: $id) { id } }', { id: loser.id })).toMatchObject({ mergedInto: winner.id })
  })

  test('by two at once happens once', async () => {
    const on = await clientIn(app)
    const [a, b] = [await on.create(), await on.create()]
    const { mergeId } = await merge(on, a.id, b.id)

    const answers = await Promise.all([on.ask(undoDocument, { id: mergeId }), on.ask(undoDocument, { id: mergeId })])

    expect(answers.filter(({ errors }) => errors).map(({ errors }) => errors[0].extensions.code)).toEqual(['CONFLICT'])
  })
})

describe('POST /api/crm/v1/contacts/{id}/merge', () => {
  test('merges once for a repeated key, shows a preview before, and can be undone', async () => {
    const on = await clientIn(app)
    const winner = await on.create({ email: 'a@example.com', companyName: 'A' })
    const loser = await on.create({ email: 'b@example.com', companyName: 'B' })
    const path = `/api/crm/v1/contacts/${winner.id}`
    const body = { loser_id: loser.id, fields: { company_name: 'loser' } }
    const send = () => app.rest('POST', `${path}/merge`, { body, key: on.key, headers: { 'Idempotency-Key': 'merge-1' } })

    const preview = await app.rest('GET', `${path}/merge-preview?loser_id=${loser.id}`, { key: on.key })
    const first = await send()
    const second = await send()
    const undone = await app.rest('POST', `/api/crm/v1/merges/${first.body.merge_id}/undo`, { key: on.key })
    const refused = await app.rest('POST', `${path}/merge`, { body: { loser_id: loser.id, fields: { city: 'both' } }, key: on.key })

    expect(preview.body.fields).toContainEqual({
      ...{ field: 'companyName', winner_value: 'A', loser_value: 'B', value: 'A', keeps: 'winner', reason: 'winner' },
    })
    expect(first).toMatchObject({ status: 200, body: { winner: { id: winner.id, company_name: 'B' }, loser: { id: loser.id } } })
    expect(second).toMatchObject({ status: 200, body: first.body })
    expect(Object.keys(first.body.moved)).toHaveLength(await fieldCount(on, 'MergeMoved'))
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect(undone).toMatchObject({ status: 200, body: { winner: { company_name: 'A' }, loser: { deleted_at: null } } })
    expect(refused).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'fields', 'city'] }] } })
  })
})
