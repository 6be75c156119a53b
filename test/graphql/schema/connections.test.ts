// Connections: every list has both directions and its total, and no count keeps its rows waiting.

import { type GraphQLField, getNamedType } from 'graphql'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { publicOf } from '../../../src/graphql/schema/public.ts'
import { schema as wholeSchema } from '../../../src/graphql/schema/root.ts'
import { dryRun } from '../../../src/kernel/dry-run.ts'
import { counted } from '../../../src/kernel/lists/total.ts'
import { hookToken, type Json, openApp, serviceToken } from '../../support/app.ts'
import { createInput } from '../../support/noun-inputs.ts'
import { nouns, records } from '../../support/nouns.ts'

async function ask(query: string, variables: Json = {}): Promise<Json> {
  const { body } = await app.graphql(query, variables, { session })
  if (body.errors) throw new Error(JSON.stringify(body.errors))
  return body.data
}

// The fields with pages: those of the root, and those of a contact.
const schema = publicOf(wholeSchema)
const paged = ({ args }: GraphQLField<unknown, unknown>) => args.some(({ name }) => name === 'before')
const fieldsOf = (type: string) => Object.values((schema.getType(type) as never as typeof query).getFields()).filter(paged)
const query = schema.getQueryType() as NonNullable<ReturnType<typeof schema.getQueryType>>
const app = await openApp({ env: { ROLES: 'web,api,session,gateway', HOOKS_ENABLED: '1' } })
const owner = await app.given.session()
const session = owner.session
const agent = (await ask('mutation { createVoiceAgent(input: { name: "A" }) { id } }')).createVoiceAgent.id
const contactId = (await ask('mutation { createContact(input: { firstName: "Ada", phone: "+14155550100" }) { id } }')).createContact.id
const headers = { authorization: `Bearer ${hookToken}` }
for (let index = 0; index < 4; index++) {
  await ask(`mutation { createContact(input: { firstName: "N${index}" }) { id } }`)
  await ask(`mutation { createVoiceAgent(input: { name: "N${index}", draft: true }) { id } }`)
  await ask(`mutation { denyNumber(input: { phone: "+1415555020${index}" }) { id } }`)
  await ask(`mutation { updateContact(input: { id: "${contactId}", jobTitle: "N${index}", addTags: ["t${index}"] }) { id } }`)
  await ask(`mutation { enqueueEnrichment(input: { target: { hostApp: "a", id: "${index}", kind: "deal" } }) { id } }`)
  const later = new Date(Date.now() + 86_400_000).toISOString()
  const call = `voiceAgentId: "${agent}", contactId: "${contactId}", toNumber: "+14155550100", schedule: { earliestAt: "${later}" }`
  await ask(`mutation { createCall(input: { ${call} }) { id } }`)
  await app.rest('POST', '/hooks/wake', { body: { text: `N${index}`, mode: 'next-heartbeat' }, headers })
  for (const noun of nouns) await ask(`mutation { create${noun.name}(input: ${createInput(noun, contactId, `N${index}`)}) { id } }`)
  const paid = { user_id: owner.userId, amount: 1, reference: `paid ${index}` }
  await app.rest('POST', '/api/credits/deduct', { body: paid, headers: { 'x-svc-services-token': serviceToken } })
  await app.rest('POST', '/hooks/agent', { body: { message: `N${index}`, sessionKey: `s${index}` }, headers })
  await ask(`mutation { createWebhookEndpoint(input: { url: "https://example.com/${index}" }) { endpoint { id } } }`)
  for (const { names } of records) {
    const ids = names === 'Contacts' ? [contactId] : ['none']
    await ask(`mutation { update${names}InBulk(input: { ids: ${JSON.stringify(ids)}, addTags: ["t${index}"] }) { id } }`)
  }
}
await app.services.database.execute(
  `insert into suggestions (id, org_id, host_app, target_id, target_kind, field, value_type, proposed_value, confidence, verification,
       provider, observed_at, expires_at) select gen_random_uuid(), $1, 'a', n::text, 'deal', 'size', 'number', '1', 1, 'verified', 'p',
       now(), now() + interval '1 day' from generate_series(1, 4) n`,
  [owner.orgId],
)
await app.services.database.execute(
  `insert into contact_imports (id, org_id, byte_count, encoding, delimiter, has_header, columns, created_by_type)
     select gen_random_uuid(), $1, 1, 'utf-8', ',', true, '[]', 'user' from generate_series(1, 4)`,
  [owner.orgId],
)
await app.services.database.execute(
  `insert into webhook_deliveries (id, org_id, endpoint_id, message_id, type, entity, entity_id, event, state, due_at)
     select gen_random_uuid(), org_id, id, gen_random_uuid(), 'contact.created', 'contact', 'a', '{}', 'failed', now()
     from webhook_endpoints where org_id = $1`,
  [owner.orgId],
)
await app.services.database.execute(
  `insert into gateway_deliveries (id, org_id, run_id, channel, part, parts, text, state, due_at)
     select gen_random_uuid(), org_id, id, 'telegram', 1, 1, 'a', 'pending', now() from gateway_runs where org_id = $1`,
  [owner.orgId],
)
await app.services.database.execute(
  `insert into hook_payloads (id, org_id, hook, status, headers, payload, is_truncated, received_at)
     select gen_random_uuid(), $1, 'a', 200, '{}', '{}', false, now() from generate_series(1, 4)`,
  [owner.orgId],
)
await app.services.database.execute(
  `insert into inbox_items (id, org_id, user_id, kind, subject_type, subject_id, event_id, actor_type, created_at, updated_at, shown_at)
     select gen_random_uuid(), $1, $2, 'credits_low', 'credits', $2, gen_random_uuid(), 'system', now(), now(), now() from generate_series(1, 4)`,
  [owner.orgId, owner.userId],
)
const lists = [
  ...fieldsOf('Query').map(({ name }) => [name, (inner: string) => `{ list: ${name}${inner} }`, ({ list }: Json) => list] as const),
  ...fieldsOf('Contact').map(
    ({ name }) =>
      [
        `contact ${name}`,
        (inner: string) => `{ contact(id: "${contactId}") { list: ${name}${inner} } }`,
        ({ contact }: Json) => contact.list,
      ] as const,
  ),
]

describe('a list', () => {
  test.each(lists)('%s: backward has the same entries in the same order, and a total', async (name, document, listOf) => {
    const selection = '{ totalCount edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }'
    const page = async (args: string) => listOf(await ask(document(`(${args}) ${selection}`)))
    const idsOf = ({ edges }: Json): string[] => edges.map(({ node }: Json) => node.id)
    const whole = await page('first: 200')
    const ids = idsOf(whole)

    const last = await page('last: 2')
    const before = await page(`last: 200, before: "${last.pageInfo.startCursor}"`)
    const again = await page(`first: 200, after: "${before.pageInfo.endCursor}"`)

    expect(ids.length, name).toBeGreaterThanOrEqual(4)
    expect(whole.totalCount).toBe(ids.length)
    expect(whole.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: false })
    expect(idsOf(last)).toEqual(ids.slice(-2))
    expect(last.pageInfo).toEqual({
      hasNextPage: false,
      hasPreviousPage: true,
      startCursor: whole.edges.at(-2).cursor,
      endCursor: whole.edges.at(-1).cursor,
    })
    expect(idsOf(before)).toEqual(ids.slice(0, -2))
    expect(before.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false })
    expect(idsOf(again)).toEqual(ids.slice(-2))
    expect(again.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true })
  })

  test('every connection has both directions, except the short ones of recipes and duplicates', () => {
    const connections = Object.values(query.getFields()).filter(({ type }) => getNamedType(type).name.endsWith('Connection'))
    expect(connections.filter(field => !paged(field)).map(({ name }) => name)).toEqual([
      ...['companyDuplicatesOf', 'duplicatesOf', 'findCompanyDuplicates', 'findDuplicates', 'recipes'],
    ])
  })

  test('describes wrong arguments of a page', async () => {
    const cursor = (await ask('{ contacts(first: 1) { pageInfo { endCursor } } }')).contacts.pageInfo.endCursor
    const problems = async (args: string) => {
      const { body } = await app.graphql(`{ contacts(${args}) { nodes { id } } }`, {}, { session })
      return body.errors[0].extensions.problems.map(({ path, message }: Json) => `${path.join('.')}: ${message}`)
    }

    expect(await problems('first: 1, last: 1')).toEqual(['last: Value error, a page is asked for by `first` or by `last`, not by both'])
    expect(await problems(`last: 1, after: "${cursor}"`)).toEqual([
      'after: Value error, `after` goes with `first`; with `last` send `before`',
    ])
    expect(await problems(`first: 1, before: "${cursor}"`)).toEqual([
      'before: Value error, `before` goes with `last`; with `first` send `after`',
    ])
    expect(await problems('last: 0')).toEqual(['last: Input should be greater than or equal to 1'])
    expect(await problems('last: -1')).toEqual(['last: Input should be greater than or equal to 1'])
    expect(await problems('last: 201, before: "x"')).toEqual([
      'last: Input should be less than or equal to 200',
      'before: Value error, the cursor was not returned by this API',
    ])
    // Relay sends null for the direction that it does not go.
    expect(await ask(`{ contacts(first: null, after: null, last: 1, before: "${cursor}") { nodes { id } } }`)).toEqual({
      contacts: { nodes: [] },
    })
  })

  test("may have the aliases of types that Relay's compiler adds, interpreted and compiled", async () => {
    for (let executions = 0; executions < 4; executions++)
      expect(await ask(`query Relay($id: ID!) { node(id: $id) { __isNode: __typename id } }`, { id: contactId })).toEqual({
        node: { __isNode: 'Contact', id: contactId },
      })
  })

  test('costs by `last` as by `first`', async () => {
    const { body } = await app.graphql('{ contacts(last: 200) { nodes { calls(last: 200) { nodes { id } } } } }', {}, { session })

    expect(body.errors[0].extensions).toMatchObject({ code: 'INVALID', limit: 'cost', maximum: 5000 })
  })
})

describe('a filter', () => {
  const day = (text: string) => `${text}T00:00:00Z`
  const counts = async (list: string, filters: readonly (readonly [filter: string, total: number])[]) => {
    for (const [filter, total] of filters)
      expect([filter, (await ask(`{ ${list}(filter: { ${filter} }) { totalCount } }`))[list].totalCount]).toEqual([filter, total])
  }

  test('of calls has sets, ranges, and fields that are empty or not', async () => {
    const ended = `update calls set status = 'completed', dispatch_state = 'dispatched', answered_by = 'human', answered_at = '2026-01-02',
      ended_at = '2026-01-02', duration_seconds = 60, ended_reason = 'completed', credits_charged = 1000000, outcome = 'goal_met'
      where id = (select id from calls order by created_at limit 1)`
    await app.services.database.execute(ended)

    await counts('calls', [
      ['toNumberIn: ["+14155550100", "+14155550101"]', 4],
      ['toNumberIn: ["+14155550101"]', 0],
      ['answeredByIn: [HUMAN, MACHINE]', 1],
      ['endedReasonIn: ["completed"]', 1],
      [`endedSince: "${day('2026-01-02')}", endedUntil: "${day('2026-01-03')}"`, 1],
      [`endedUntil: "${day('2026-01-02')}"`, 0],
      ['minDurationSeconds: 60, maxDurationSeconds: 60', 1],
      ['minDurationSeconds: 61', 0],
      ['empty: [ENDED_AT, ANSWERED_BY]', 3],
      ['notEmpty: [CREDITS_CHARGED, OUTCOME], empty: [SUMMARY]', 1],
      ['notEmpty: [CONTACT_ID]', 4],
    ])
  })

  test('of suggestions and of jobs has them as well, and both orders', async () => {
    await app.services.database.execute(`update suggestions set status = 'rejected', decided_at = '2026-01-02', confidence = 0.4, reason = 'no',
      verification = 'unverified' where target_id = '1'`)

    await counts('suggestions', [
      ['maxConfidence: 0.4', 1],
      ['verificationIn: [VERIFIED, PROBABLE]', 3],
      ['verification: UNVERIFIED', 1],
      [`decidedSince: "${day('2026-01-02')}"`, 1],
      [`decidedUntil: "${day('2026-01-02')}"`, 0],
      [`createdSince: "${day('2026-01-02')}"`, 4],
      ['empty: [DECIDED_AT]', 3],
      ['notEmpty: [REASON], empty: [CONTACT_ID, JOB_ID]', 1],
    ])
    await counts('enrichmentJobs', [
      ['empty: [FINISHED_AT, RESULT]', 4],
      ['notEmpty: [FINISHED_AT]', 0],
      ['resultIn: [FOUND, NO_DATA]', 0],
      [`createdUntil: "${day('2020-01-01')}"`, 0],
      [`createdSince: "${day('2020-01-01')}"`, 4],
    ])
    for (const list of ['suggestions', 'enrichmentJobs']) {
      const { up, down } = await ask(`{ up: ${list}(sort: CREATED_AT) { nodes { id } } down: ${list} { nodes { id } } }`)
      expect(up.nodes).toEqual(down.nodes.toReversed())
    }
  })

  test('names every value that cannot be', async () => {
    const { body } = await app.graphql('{ suggestions(filter: { minConfidence: 2, maxConfidence: -1 }) { nodes { id } } }', {}, { session })

    expect(body.errors[0].extensions.problems.map(({ path }: Json) => path.join('.'))).toEqual(['minConfidence', 'maxConfidence'])
  })
})

describe('a total', () => {
  test('that takes too long is null with an error at its path, and the rows are there', async () => {
    const system = app.asSystem(null)
    const client = new pg.Client({ connectionString: app.database.url })
    await client.connect()
    await client.query('begin; lock table contact_counts in access exclusive mode')

    const asked = await Promise.all([
      app.graphql('{ contacts(first: 2) { nodes { firstName } totalCount } }', {}, { session }),
      app.rest('GET', '/api/crm/v1/contacts?limit=2&include=total', { session }),
      counted(system, db => db.execute('select pg_sleep(60)')).catch((error: unknown) => error),
    ])
    const [graphql, rest, sleeping] = asked
    const { rows } = await client.query(
      `select 1 from pg_stat_activity where query like '%pg_sleep(60)%' and state = 'active' and pid <> pg_backend_pid()`,
    )
    await client.query('rollback')
    await client.end()

    expect(graphql.body.data).toEqual({ contacts: { nodes: [{ firstName: 'N3' }, { firstName: 'N2' }], totalCount: null } })
    expect(graphql.body.errors).toMatchObject([{ path: ['contacts', 'totalCount'], extensions: { code: 'UNAVAILABLE', retryAfter: 1 } }])
    expect([rest.status, rest.body.data.length, rest.body.total]).toEqual([200, 2, null])
    expect(sleeping).toMatchObject({ code: 'UNAVAILABLE', message: expect.stringContaining('longer than 3 s') })
    expect(rows).toEqual([])
    // Once more after the lock: totals of later requests are right.
    expect(await ask('{ contacts(first: 1) { totalCount } }')).toEqual({ contacts: { totalCount: 5 } })
  })

  test('that takes too long in a dry run is given up as well, and later reads succeed', async () => {
    const system = app.asSystem(null)

    const [slow, next, quick, limit] = await dryRun(system, context =>
      Promise.all([
        counted(context, db => db.execute('select pg_sleep(60)')).catch((error: unknown) => error),
        context.db.execute('select 1 as one'),
        counted(context, db => db.prisma.contact.count()),
        context.db.execute(`select current_setting('statement_timeout') as limit`),
      ]),
    )

    expect(slow).toMatchObject({ code: 'UNAVAILABLE', message: expect.stringContaining('longer than 3 s') })
    expect([next.rows, quick]).toEqual([[{ one: 1 }], await app.services.database.prisma.contact.count()])
    expect(limit.rows).toEqual([{ limit: '10s' }])
  })

  test('that takes long holds half of the places at most, so that other organizations count meanwhile', async () => {
    const contextIn = (orgId: string) => app.asSystem(orgId)
    const client = new pg.Client({ connectionString: app.database.url })
    await client.connect()
    await client.query('begin; select pg_advisory_xact_lock(4711)')
    const waiting = () =>
      client.query(`select from pg_locks where locktype = 'advisory' and objid = 4711 and not granted`).then(({ rowCount }) => rowCount)

    const slow = [1, 2, 3, 4, 5].map(() => counted(contextIn('one'), db => db.execute('select pg_advisory_xact_lock_shared(4711)')))
    const quick = await counted(contextIn('other'), db => db.execute('select 1 as one'))
    await expect.poll(waiting).toBe(2)
    await client.query('rollback')
    await client.end()

    expect(quick.rows).toEqual([{ one: 1 }])
    expect(await Promise.all(slow)).toHaveLength(5)
  })

  test('of many contacts are one statement of a kind, and none where none is asked for', async () => {
    const statements = async (inner: string) => {
      await ask(`{ contacts { nodes { id ${inner} } } }`)
      app.statements()
      await ask(`{ contacts { nodes { id ${inner} } } }`)
      return app.statements()
    }

    expect(await statements('calls(first: 1) { nodes { id } }')).toBe(2)
    expect(await statements('calls(first: 1) { nodes { id } totalCount @skip(if: true) }')).toBe(2)
    // BEGIN, the time limit, the count and COMMIT.
    expect(await statements('calls(first: 1) { nodes { id } totalCount }')).toBe(6)
    expect(await statements('timeline(first: 1) { nodes { id } ...Count }').catch(error => error.message)).toContain('Unknown fragment')
    const spread = '{ contacts { nodes { timeline(first: 1) { ...Count } } } } fragment Count on TimelineConnection { totalCount }'
    const { contacts } = await ask(spread)
    expect(contacts.nodes.map(({ timeline }: Json) => timeline.totalCount).toSorted()).toEqual([1, 1, 1, 1, 17])
  })
})
