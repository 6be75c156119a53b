// What every subscription does: the rights of its caller as they are at each event, outages of the database, and going on behind a position.

import { describe, expect, test } from 'vitest'
import { schema } from '../../../src/graphql/schema/root.ts'
import { startRelay } from '../../faults/relay.ts'
import { type Json, openApp } from '../../support/app.ts'
import { connected, createTestDatabase, query } from '../../support/database/database.ts'
import { keepOpen } from '../../support/open.ts'
import { openStream, type Stream } from '../stream.ts'

const database = await keepOpen(createTestDatabase())
const behind = new URL(database.url)
/** Between the server and its database. */
const relay = await keepOpen(startRelay(Number(behind.port)))
behind.port = String(relay.port)
const app = await openApp({ database: { ...database, url: behind.href } })
const owner = await app.given.session()
/** Writes all that the streams tell of. */
const writer = (await app.given.apiKey(owner)).key

const follow = (token: string, query: string, headers: Record<string, string> = {}) =>
  openStream(`${app.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', authorization: `Bearer ${token}`, ...headers },
    body: JSON.stringify({ query }),
  })
const create = async (firstName: string): Promise<string> =>
  (await app.graphql('mutation ($n: String) { createContact(input: { firstName: $n }) { id } }', { n: firstName }, { key: writer })).body
    .data.createContact.id
const asOwner = async (mutation: string) => {
  const { body } = await app.graphql(`mutation { ${mutation} }`, {}, { session: owner.session, headers: { 'x-org-id': owner.orgId } })
  if (body.errors) throw new Error(JSON.stringify(body.errors))
}
const sql = (text: string, values: unknown[]) => app.services.database.execute(text, values)

const streams: Record<string, { query: string; happens: () => Promise<unknown> }> = {
  contactChanged: { query: 'subscription { contactChanged { type contact { firstName } } }', happens: () => create('Ada') },
  callChanged: { query: 'subscription { callChanged { type } }', happens: () => recorded('call.created', 'call') },
  enrichmentJobChanged: {
    query: 'subscription { enrichmentJobChanged { type } }',
    happens: () => recorded('enrichment_job.created', 'enrichment_job'),
  },
  suggestionChanged: { query: 'subscription { suggestionChanged { type } }', happens: () => recorded('suggestion.created', 'suggestion') },
  agentRunChanged: { query: 'subscription { agentRunChanged { type } }', happens: () => recorded('agent_run.started', 'agent_run') },
  agentSessionChanged: {
    query: 'subscription { agentSessionChanged { type } }',
    happens: () => recorded('agent_run.started', 'agent_run'),
  },
  systemEventChanged: {
    query: 'subscription { systemEventChanged { type } }',
    happens: () => recorded('system_event.queued', 'system_event'),
  },
  changes: { query: 'subscription { changes { type } }', happens: () => create('Ada') },
}

/** An event whose object does not exist, which is told of all the same where the caller may read it. */
async function recorded(type: string, entity: string): Promise<void> {
  await sql(
    `insert into events (id, org_id, type, entity, entity_id, actor_type, door, operation, request_id, changes)
     values (gen_random_uuid(), $1, $2, $3, gen_random_uuid()::text, 'system', 'system', 'test', 'r', '{}')`,
    [owner.orgId, type, entity],
  )
  app.services.outbox.announce()
}

test('every subscription is among these, and can be resumed', () => {
  const fields = Object.values(schema.getSubscriptionType()?.getFields() ?? {})

  expect(fields.map(({ name }) => name).toSorted()).toEqual(Object.keys(streams).toSorted())
  expect(fields.filter(({ args }) => !args.some(({ name }) => name === 'after'))).toEqual([])
})

const refused = (code: string) => ({ event: 'next', data: { errors: [{ extensions: { code } }] } })
async function ends(stream: Stream, code: string) {
  const last = await stream.next()
  expect(last).toMatchObject(refused(code))
  expect(await stream.next()).toMatchObject({ event: 'complete' })
}

describe('at its next event a subscription ends, and shows nothing more', () => {
  const forKeys = ['contactChanged', 'callChanged', 'enrichmentJobChanged', 'suggestionChanged']
  test.each(forKeys)('%s, when its key has lost the scope', async name => {
    const { key, id } = await app.given.apiKey({ ...owner, scopes: ['contacts:read', 'calls:read', 'enrich:read'] })
    const { query, happens } = streams[name] as (typeof streams)[string]
    const stream = await follow(key, query)

    await sql(`update api_keys set scopes = '{stats:read}' where id = $1`, [id])
    await app.services.listener.settle()
    await happens()

    await ends(stream, 'FORBIDDEN')
  })

  test.each(Object.keys(streams))('%s, when its user was removed', async name => {
    const member = await app.given.member({ orgId: owner.orgId, role: 'member' })
    const { query, happens } = streams[name] as (typeof streams)[string]
    const stream = await follow(member.session, query)
    if (name === 'changes') await stream.next()

    await asOwner(`removeMember(input: { userId: "${member.userId}" }) { role }`)
    await happens()

    await ends(stream, 'FORBIDDEN')
  })

  test('when its user has left one of two organizations', async () => {
    const member = await app.given.member({ orgId: owner.orgId, role: 'member' })
    await app.graphql('mutation { createOrganization(input: { name: "Own" }) { id } }', {}, { session: member.session })
    const stream = await follow(member.session, streams.contactChanged?.query ?? '', { 'x-org-id': owner.orgId })

    await app.graphql(`mutation { leaveOrganization(input: { id: "${owner.orgId}" }) { id } }`, {}, { session: member.session })
    await create('Ada')

    await ends(stream, 'FORBIDDEN')
  })

  test('when its session has expired', async () => {
    const member = await app.given.member({ orgId: owner.orgId, role: 'member' })
    const stream = await follow(member.session, streams.contactChanged?.query ?? '')

    app.setNow(new Date(Date.now() + 31 * 86_400_000))
    await create('Ada')

    await ends(stream, 'UNAUTHENTICATED')
    app.setNow(null)
  })
})

test('`changes` goes on without what its user may no longer read', async () => {
  const admin = await app.given.member({ orgId: owner.orgId, role: 'admin' })
  const stream = await follow(admin.session, 'subscription { changes(types: [INVITATION_CREATED, CONTACT_CREATED]) { type } }')
  const invite = (email: string) => asOwner(`inviteMember(input: { email: "${email}", role: MEMBER }) { id }`)
  const types = async (count: number) => {
    const read: string[] = []
    while (read.length < count) read.push((await stream.next()).data.data.changes.type)
    return read
  }

  await invite('one@example.com')
  const before = await types(2)
  await asOwner(`changeMemberRole(input: { userId: "${admin.userId}", role: VIEWER }) { role }`)
  await invite('two@example.com')
  await create('Ada')

  expect([before, await types(1)]).toEqual([['FOLLOWING', 'INVITATION_CREATED'], ['CONTACT_CREATED']])
  stream.leave()
})

describe('while the database is away', () => {
  /** All connections of the server are cut, and it gets no others, while `meanwhile` runs. */
  async function away(meanwhile: () => Promise<unknown>): Promise<void> {
    // Nothing listens there.
    relay.toPort(1)
    await query(
      database.url,
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and application_name like 'rolocom%'`,
    )
    await meanwhile()
    relay.toPort(Number(new URL(database.url).port))
  }
  const updated = `insert into events (id, org_id, type, entity, entity_id, contact_id, actor_type, door, operation, request_id, changes)
    values (gen_random_uuid(), $1, 'contact.updated', 'contact', $2::text, $2::uuid, 'system', 'system', 'test', 'r', '{}')`
  const waiting = `select count(*)::int as count from pg_locks where not granted and relation = 'contacts'::regclass`
  const isSilent = (stream: Stream) => stream.silence(700)

  test.each([
    ['contactChanged', 'subscription { contactChanged { type contact { firstName } } }'],
    ['changes', 'subscription { changes { type entity { ... on Contact { firstName } } } }'],
  ])('%s waits with an event in flight, and then tells of it once, with its object', async (name, document) => {
    const stream = await follow(writer, document)
    if (name === 'changes') await stream.next()
    const lock = await connected(database.url)
    const id = await create(`Before ${name}`)
    await stream.next()

    // The object of the event is being read when the connections are cut.
    await lock.query('begin; lock table contacts in access exclusive mode')
    await sql(updated, [owner.orgId, id])
    app.services.outbox.announce()
    await expect.poll(async () => (await lock.query(waiting)).rows[0].count, { timeout: 10_000 }).toBeGreaterThan(0)
    await away(async () => {
      await lock.end()
      await isSilent(stream)
    })

    const { data, errors } = (await stream.next()).data as Json
    const change = data[name]
    expect([errors, change.type, (change.contact ?? change.entity).firstName]).toEqual([undefined, 'CONTACT_UPDATED', `Before ${name}`])
    await create('After')
    expect((await stream.next()).data.data[name].type).toBe('CONTACT_CREATED')
    stream.leave()
  })
  test('a key that was revoked meanwhile is told nothing', async () => {
    const { key, id } = await app.given.apiKey(owner)
    const stream = await follow(key, streams.contactChanged?.query ?? '')
    const lock = await connected(database.url)
    const contactId = await create('Secret')
    await stream.next()

    await lock.query('begin; lock table contacts in access exclusive mode')
    await sql(updated, [owner.orgId, contactId])
    app.services.outbox.announce()
    await expect.poll(async () => (await lock.query(waiting)).rows[0].count, { timeout: 10_000 }).toBeGreaterThan(0)
    await sql('update api_keys set revoked_at = now() where id = $1', [id])
    await away(async () => {
      await lock.end()
      await isSilent(stream)
    })

    await ends(stream, 'UNAUTHENTICATED')
  })
})

describe('`after`', () => {
  test.each(['contactChanged', 'changes'])('goes on behind the position of any subscription: %s', async name => {
    const first = await follow(writer, 'subscription { contactChanged { position contact { firstName } } }')
    await create('One')
    const { position } = (await first.next()).data.data.contactChanged
    first.leave()
    await create('Two')
    await create('Three')

    const query =
      name === 'changes'
        ? `subscription { changes(after: "${position}") { entity { ... on Contact { firstName } } } }`
        : `subscription { contactChanged(after: "${position}") { contact { firstName } } }`
    const stream = await follow(writer, query)
    await create('Four')
    const read: string[] = []
    while (read.length < 3) {
      const change = (await stream.next()).data.data[name]
      read.push((change.contact ?? change.entity).firstName)
    }

    expect(read).toEqual(['Two', 'Three', 'Four'])
    stream.leave()
  })

  test.each(Object.keys(streams).filter(name => name !== 'changes'))('is taken by %s, and refused where it is no position', async name => {
    const stream = await follow(owner.session, `subscription { ${name}(after: "no position") { position } }`, { 'x-org-id': owner.orgId })

    expect(await stream.next()).toMatchObject({ data: { errors: [{ extensions: { code: 'INVALID', problems: [{ path: ['after'] }] } }] } })
    stream.leave()
  })

  test('of more than can be delivered is UNAVAILABLE, and says to begin again', async () => {
    const first = await follow(writer, 'subscription { contactChanged { position } }')
    await create('One')
    const { position } = (await first.next()).data.data.contactChanged
    first.leave()
    await sql(
      `insert into events (id, org_id, type, entity, entity_id, contact_id, actor_type, door, operation, request_id, changes)
       select gen_random_uuid(), $1, 'contact.updated', 'contact', id::text, id, 'system', 'system', 'test', 'r', '{}'
       from (select gen_random_uuid() as id from generate_series(1, 2500)) made`,
      [owner.orgId],
    )

    const stream = await follow(writer, `subscription { contactChanged(after: "${position}") { position } }`)

    expect((await stream.next()).data.errors[0]).toMatchObject({
      message: expect.stringContaining('follow again without `after`'),
      extensions: { code: 'UNAVAILABLE' },
    })
    stream.leave()
  })
})
