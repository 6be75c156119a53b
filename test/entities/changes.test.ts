// The subscription `changes`: one stream of all that happens, resumed behind the last change received.

import pg from 'pg'
import { v7 as uuid } from 'uuid'
import { describe, expect, test } from 'vitest'
import { openStream, type Stream } from '../graphql/stream.ts'
import { type Json, openApp } from '../support/app.ts'

const app = await openApp()

const followed = `subscription ($after: String, $types: [ChangeType!]) {
  changes(after: $after, types: $types) {
    id type entityId contactId createdAt
    actor { type name }
    changes { field before after }
    entity { __typename ... on Contact { id firstName deletedAt } ... on VoiceAgent { id name } ... on Call { id } ... on CreditBalance { available } }
  }
}`

const follow = (token: string, variables: Json = {}, query = followed) =>
  openStream(`${app.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query, variables }),
  })
const next = async (stream: Stream): Promise<Json> => (await stream.next()).data.data.changes
/** Reads until a change fits, and resolves with all that were read. */
async function until(stream: Stream, fits: (change: Json) => boolean): Promise<Json[]> {
  for (const read: Json[] = []; ; ) {
    const change = await next(stream)
    read.push(change)
    if (fits(change)) return read
  }
}
const create = async (key: string, firstName: string): Promise<string> => {
  const { body } = await app.graphql('mutation ($n: String) { createContact(input: { firstName: $n }) { id } }', { n: firstName }, { key })
  return body.data.createContact.id
}
const rename = (key: string, id: string, firstName: string) =>
  app.graphql('mutation ($id: ID!, $n: String) { updateContact(input: { id: $id, firstName: $n }) { id } }', { id, n: firstName }, { key })
const namesOf = (changes: Json[]) =>
  changes.flatMap(change => change.changes.filter((one: Json) => one.field === 'firstName').map((one: Json) => one.after))

const insertEvent = (on: pg.Client, orgId: string, entityId: string, type = 'contact.updated', changes: Json = {}) =>
  on.query(
    `insert into events (id, org_id, type, entity, entity_id, actor_type, door, operation, request_id, changes)
     values ($1, $2, $3, split_part($3, '.', 1), $4, 'system', 'system', 'test', 'r', $5)`,
    [uuid(), orgId, type, entityId, changes],
  )
async function insertMany(orgId: string, count: number): Promise<void> {
  const writer = await connected()
  await writer.query(
    `insert into events (id, org_id, type, entity, entity_id, actor_type, door, operation, request_id, changes)
     select gen_random_uuid(), $1, 'contact.updated', 'contact', gen_random_uuid(), 'system', 'system', 'test', 'r', '{}'
     from generate_series(1, $2::int)`,
    [orgId, count],
  )
  await writer.end()
}
async function connected(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: app.database.url })
  client.on('error', () => {})
  await client.connect()
  return client
}

describe('subscription changes', () => {
  test('begins with FOLLOWING and delivers changes of every kind, each with its entity, actor and fields', async () => {
    const { key } = await app.given.apiKey()
    const stream = await follow(key)
    const first = await next(stream)
    const id = await create(key, 'Ada')
    const created = await next(stream)
    await rename(key, id, 'Augusta')
    const updated = await next(stream)
    await app.graphql('mutation { createVoiceAgent(input: { name: "Grace", provider: SIMULATOR }) { id } }', {}, { key })
    const [agent] = (await until(stream, change => change.type === 'VOICE_AGENT_CREATED')).slice(-1)
    stream.leave()

    expect(first).toEqual({
      id: expect.any(String),
      type: 'FOLLOWING',
      entityId: null,
      contactId: null,
      createdAt: expect.any(String),
      actor: null,
      changes: [],
      entity: null,
    })
    expect(created).toEqual({
      id: expect.any(String),
      type: 'CONTACT_CREATED',
      entityId: id,
      contactId: id,
      createdAt: expect.any(String),
      actor: { type: 'API_KEY', name: 'Test key' },
      changes: [],
      entity: { __typename: 'Contact', id, firstName: expect.any(String), deletedAt: null },
    })
    expect(updated).toMatchObject({
      type: 'CONTACT_UPDATED',
      changes: expect.arrayContaining([{ field: 'firstName', before: 'Ada', after: 'Augusta' }]),
    })
    expect(agent).toMatchObject({ entity: { __typename: 'VoiceAgent', name: 'Grace' } })
  })

  test('names the records whose timelines show a change, and a merge of companies leads them on', async () => {
    const { key, orgId } = await app.given.apiKey()
    const run = async (query: string, variables: Json = {}): Promise<Json> => (await app.graphql(query, variables, { key })).body.data
    const { a, b } = await run('mutation { a: createCompany(input: { name: "A" }) { id } b: createCompany(input: { name: "B" }) { id } }')
    const makeDeal = 'mutation ($b: ID!) { createDeal(input: { title: "Turbines", companyId: $b }) { id } }'
    const { createDeal: deal } = await run(makeDeal, { b: b.id })
    const ada = await create(key, 'Ada')
    const stream = await follow(
      key,
      { types: ['DEAL_NOTED', 'CONTACT_NOTED', 'CONTACT_TASK_CREATED'] },
      `subscription ($types: [ChangeType!]) {
        changes(types: $types) { type contactId companyId dealId contact { firstName } company { name } deal { title } }
      }`,
    )
    await next(stream)

    await run('mutation ($deal: ID!) { createNote(input: { dealId: $deal, text: "Two years" }) { id } }', { deal: deal.id })
    const ofDeal = await next(stream)
    await run('mutation ($b: ID!) { createTask(input: { companyId: $b, title: "Call" }) { id } }', { b: b.id })
    const ofCompany = await next(stream)
    await run('mutation ($ada: ID!) { createNote(input: { contactId: $ada, text: "Writes programs" }) { id } }', { ada })
    const ofContact = await next(stream)
    stream.leave()
    await run('mutation ($a: ID!, $b: ID!) { mergeCompanies(input: { winnerId: $a, loserId: $b }) { winner { id } } }', {
      a: a.id,
      b: b.id,
    })
    const reader = await connected()
    const { rows } = await reader.query('select distinct company_id from events where org_id = $1 and company_id is not null', [orgId])
    await reader.end()

    const none = { contactId: null, companyId: null, dealId: null, contact: null, company: null, deal: null }
    const inB = { companyId: b.id, company: { name: 'B' } }
    expect(ofDeal).toEqual({ ...none, ...inB, type: 'DEAL_NOTED', dealId: deal.id, deal: { title: 'Turbines' } })
    expect(ofCompany).toEqual({ ...none, ...inB, type: 'CONTACT_TASK_CREATED' })
    expect(ofContact).toEqual({ ...none, type: 'CONTACT_NOTED', contactId: ada, contact: { firstName: 'Ada' } })
    expect(rows).toEqual([{ company_id: a.id }])
  })

  test('continues behind a change: missed changes arrive once, in order', async () => {
    const { key } = await app.given.apiKey()
    const before = await follow(key)
    await next(before)
    const id = await create(key, 'zero')
    const { id: after } = await next(before)
    before.leave()
    for (const name of ['one', 'two', 'three']) await rename(key, id, name)

    const stream = await follow(key, { after, types: ['CONTACT_UPDATED'] })
    const missed = [await next(stream), await next(stream)]
    stream.leave()
    const again = await follow(key, { after: missed[1].id, types: ['CONTACT_UPDATED'] })
    const third = await next(again)
    await rename(key, id, 'four')
    const fourth = await next(again)
    again.leave()

    expect(namesOf([...missed, third, fourth])).toEqual(['one', 'two', 'three', 'four'])
  })

  test('delivers an event that began before the change resumed behind, and was committed after it', async () => {
    const { key, orgId } = await app.given.apiKey()
    const slow = await connected()
    await slow.query('begin')
    const late = uuid()
    await insertEvent(slow, orgId, late)
    const before = await follow(key)
    await next(before)
    await create(key, 'quick')
    const { id: after } = await next(before)
    before.leave()
    await slow.query('commit')

    const stream = await follow(key, { after })
    const change = await next(stream)
    await expect(stream.silence(1500)).resolves.toBeUndefined()
    stream.leave()
    await slow.end()

    expect(change).toMatchObject({ type: 'CONTACT_UPDATED', entityId: late, entity: null })
  })

  test('tells changes of one contact in the order in which they were made, whatever their transactions', async () => {
    const { key, orgId } = await app.given.apiKey()
    const id = await create(key, 'shared')
    const [first, second] = [await connected(), await connected()]
    const stream = await follow(key)
    await next(stream)
    // The transaction with the smaller id writes second.
    await first.query('begin')
    await first.query('select pg_current_xact_id()')
    await second.query('begin')
    await insertEvent(second, orgId, id, 'contact.deleted')
    await insertEvent(first, orgId, id, 'contact.restored')
    await second.query('commit')
    await first.query('commit')
    app.services.outbox.announce()

    const types = [await next(stream), await next(stream)].map(change => change.type)
    stream.leave()
    await Promise.all([first.end(), second.end()])

    expect(types).toEqual(['CONTACT_DELETED', 'CONTACT_RESTORED'])
  })

  test('says READ_AFRESH where more was missed than can be told, and goes on', async () => {
    const { key, orgId } = await app.given.apiKey()
    const before = await follow(key)
    const { id: after } = await next(before)
    before.leave()
    await insertMany(orgId, 1001)

    const stream = await follow(key, { after })
    const signal = await next(stream)
    const id = await create(key, 'later')
    const later = await next(stream)
    stream.leave()

    expect(signal).toMatchObject({ type: 'READ_AFRESH', entity: null })
    expect(later).toMatchObject({ type: 'CONTACT_CREATED', entityId: id })
  })

  test('refuses an id that is none, and says READ_AFRESH behind one of another database or of long ago', async () => {
    const { key } = await app.given.apiKey()
    const stream = await follow(key)
    const { id } = await next(stream)
    stream.leave()
    const code = JSON.parse(Buffer.from(id, 'base64url').toString())
    const changed = (index: number, value: unknown) => Buffer.from(JSON.stringify(code.with(index, value))).toString('base64url')

    const refused = await (await follow(key, { after: 'nonsense' })).next()
    const elsewhere = await follow(key, { after: changed(0, 'another') })
    const old = await follow(key, { after: changed(1, code[1] - 100_000) })

    expect(refused.data.errors[0]).toMatchObject({ extensions: { code: 'INVALID' } })
    expect(await next(elsewhere)).toMatchObject({ type: 'READ_AFRESH' })
    expect(await next(old)).toMatchObject({ type: 'READ_AFRESH' })
    elsewhere.leave()
    old.leave()
  })

  test('counts only the wanted changes as missed, and reads a bounded number of others, whatever the position', async () => {
    const { key, orgId } = await app.given.apiKey()
    const narrow = { types: ['VOICE_AGENT_CREATED'] }
    const before = await follow(key, narrow)
    const { id: after } = await next(before)
    before.leave()
    await insertMany(orgId, 1001)
    await app.graphql('mutation { createVoiceAgent(input: { name: "Missed", provider: SIMULATOR }) { id } }', {}, { key })

    const stream = await follow(key, { after, ...narrow })
    const missed = await next(stream)
    stream.leave()
    await insertMany(orgId, 20_000)
    const code = JSON.parse(Buffer.from(missed.id, 'base64url').toString()).with(2, [0, []]).with(3, [])
    const forged = await follow(key, { after: Buffer.from(JSON.stringify(code)).toString('base64url'), ...narrow })
    const signal = await next(forged)
    forged.leave()

    expect(missed).toMatchObject({ type: 'VOICE_AGENT_CREATED', entity: { name: 'Missed' } })
    expect(signal).toMatchObject({ type: 'READ_AFRESH' })
  })

  test('has field changes of updates only: a list of two suggested values is none', async () => {
    const { key, orgId } = await app.given.apiKey()
    const writer = await connected()
    const stream = await follow(key)
    await next(stream)
    await insertEvent(writer, orgId, uuid(), 'suggestion.created', { field: 'tags', proposedValue: ['a', 'b'] })
    await insertEvent(writer, orgId, uuid(), 'call.updated', { status: ['ringing', 'answered'] })
    await writer.end()

    const changes = [await next(stream), await next(stream)]
    stream.leave()

    expect(changes.map(change => change.changes)).toEqual([[], [{ field: 'status', before: 'ringing', after: 'answered' }]])
  })

  test('delivers members, keys, settings, denied numbers and deliveries to users, and to keys by their scopes; sign-ins to nobody', async () => {
    const { session, userId, orgId } = await app.given.session()
    const { key: caller } = await app.given.apiKey({ orgId, scopes: ['calls:read'] })
    const { key: reader } = await app.given.apiKey({ orgId, scopes: ['contacts:read', 'agents:read'] })
    const streams = [await follow(session), await follow(caller), await follow(reader)] as const
    for (const stream of streams) await next(stream)
    const runId = uuid()
    const writer = await connected()
    await insertEvent(writer, orgId, uuid(), 'session.created')
    await insertEvent(writer, orgId, uuid(), 'delivery.sent', { runId, channel: 'log', part: 0 })
    await insertEvent(writer, orgId, '+4930123456', 'denied_number.added', { reason: null })
    await insertEvent(writer, orgId, orgId, 'voice_settings.updated', { settings: [{ concurrency: 1 }, { concurrency: 2 }] })
    await insertEvent(writer, orgId, orgId, 'organization.joined', { userId })
    await insertEvent(writer, orgId, uuid(), 'api_key.revoked')
    await insertEvent(writer, orgId, uuid(), 'agent.created')
    await writer.end()

    const toUser = await until(streams[0], change => change.type === 'VOICE_AGENT_CREATED')
    const toCaller = await until(streams[1], change => change.type === 'VOICE_SETTINGS_UPDATED')
    const toReader = await until(streams[2], change => change.type === 'VOICE_AGENT_CREATED')
    for (const stream of streams) stream.leave()

    expect(toUser.map(change => change.type)).toEqual([
      'DELIVERY_SENT',
      'DENIED_NUMBER_ADDED',
      'VOICE_SETTINGS_UPDATED',
      'ORGANIZATION_JOINED',
      'API_KEY_REVOKED',
      'VOICE_AGENT_CREATED',
    ])
    expect(toUser[0]).toMatchObject({ entityId: runId })
    expect(toCaller.map(change => [change.type, change.entityId, change.entity])).toEqual([
      ['DENIED_NUMBER_ADDED', '+4930123456', null],
      ['VOICE_SETTINGS_UPDATED', orgId, null],
    ])
    expect(toReader.map(change => change.type)).toEqual(['VOICE_AGENT_CREATED'])
  })

  test('tells each caller only what it may read', async () => {
    const owner = await app.given.apiKey()
    const { key: reader } = await app.given.apiKey({ orgId: owner.orgId, scopes: ['contacts:read'] })
    const { key: stranger } = await app.given.apiKey()
    const { session } = await app.given.session({ userId: owner.userId })
    const streams = [await follow(reader), await follow(stranger), await follow(session)] as const
    for (const stream of streams) await next(stream)

    await app.graphql('mutation { createVoiceAgent(input: { name: "Unseen", provider: SIMULATOR }) { id } }', {}, { key: owner.key })
    const id = await create(owner.key, 'Seen')

    const [read] = [await next(streams[0])]
    const all = await until(streams[2], change => change.type === 'CONTACT_CREATED')
    await expect(streams[1].silence(500)).resolves.toBeUndefined()
    for (const stream of streams) stream.leave()

    expect(read).toMatchObject({ type: 'CONTACT_CREATED', entityId: id })
    expect(all.map(change => change.type)).toContain('VOICE_AGENT_CREATED')
  })

  test("tells the payer of credits about them, and nobody else's", async () => {
    const payer = await app.given.session()
    const other = await app.given.organization()
    await app.services.database.prisma.membership.create({
      data: { userId: other.userId, organizationId: payer.orgId, role: 'member', createdAt: new Date() },
    })
    const member = await app.given.session({ userId: other.userId })
    const headers = { 'x-org-id': payer.orgId }
    const open = (session: string) =>
      openStream(`${app.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'text/event-stream', authorization: `Bearer ${session}`, ...headers },
        body: JSON.stringify({ query: followed }),
      })
    const [own, others] = [await open(payer.session), await open(member.session)]
    await next(own)
    await next(others)

    await app.rest('GET', '/api/credits/balance', { session: payer.session })
    const change = await next(own)
    await expect(others.silence(500)).resolves.toBeUndefined()
    own.leave()
    others.leave()

    expect(change).toMatchObject({ type: 'CREDITS_GRANTED', entity: { __typename: 'CreditBalance', available: expect.any(Number) } })
  })
})
