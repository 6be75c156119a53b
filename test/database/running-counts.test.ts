// The running counts: after any changes of contacts, in any concurrent transactions, the sums equal a count; no two writers wait in a circle.

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { createTestDatabase, query } from '../support/database/database.ts'

const stages = ['subscriber', 'lead', 'qualified', 'opportunity', 'customer', 'evangelist', 'other']
const sources = ['api', 'web', 'desktop', 'import', 'voice', 'enrichment', 'hook', 'agent', 'system']
const days = ['2026-01-01T00:00:00.000Z', '2026-01-01T23:59:59.999Z', '2026-01-02T00:00:00.000Z']
const sum = (columns: string[]) => columns.map(column => `coalesce(sum(${column}), 0)::int as ${column}`).join(', ')
const facts: Record<string, string> = {
  total: 'true',
  with_email: 'email is not null',
  with_phone: 'phone is not null',
  do_not_call: 'do_not_call',
  ...Object.fromEntries(stages.map(stage => [`stage_${stage}`, `lifecycle_stage = '${stage}'`])),
  ...Object.fromEntries(sources.map(source => [`source_${source}`, `source = '${source}'`])),
}

let connections: pg.Client[] = []

const database = await createTestDatabase()
connections = await Promise.all(
  [1, 2, 3].map(async () => {
    const connection = new pg.Client({ connectionString: database.url })
    await connection.connect()
    return connection
  }),
)
afterAll(async () => {
  await Promise.all(connections.map(connection => connection.end()))
  await database.drop()
})

/** The running counts of an organization, summed over their slots. */
const running = async (orgId: string) => ({
  ever: (
    await query(database.url, `select ${sum(Object.keys(facts))} from contact_counts where org_id = $1 and day = '-infinity'`, [orgId])
  )[0],
  days: await query(
    database.url,
    `select day::text, sum(total)::int as total from contact_counts where org_id = $1 and day <> '-infinity' group by 1 having sum(total) <> 0 order by 1`,
    [orgId],
  ),
})

/** The same counts, by counting rows. */
const counted = async (orgId: string) => ({
  ever: (
    await query(
      database.url,
      `select ${Object.entries(facts)
        .map(([name, fact]) => `count(*) filter (where ${fact})::int as ${name}`)
        .join(', ')} from contacts where org_id = $1 and deleted_at is null`,
      [orgId],
    )
  )[0],
  days: await query(
    database.url,
    `select (created_at at time zone 'UTC')::date::text as day, count(*)::int as total from contacts
     where org_id = $1 and deleted_at is null group by 1 order by 1`,
    [orgId],
  ),
})

const insert = `insert into contacts (id, org_id, email, phone, do_not_call, lifecycle_stage, source, created_at, deleted_at, created_by_type)
  select gen_random_uuid(), $1, case when $2 then gen_random_uuid()::text end, case when $3 then '+15550001' end, $4, $5, $6, $7,
    case when $8 then now() end, 'system' from generate_series(1, $9)`

// The statements of a transaction. `share` selects the rows that a statement changes, by the last digits of their ids.
const share = fc.integer({ min: 0, max: 15 })
const stage = fc.constantFrom(...stages)
const operation = fc.oneof(
  fc.record({
    sql: fc.constant(insert),
    values: fc.tuple(
      fc.boolean(),
      fc.boolean(),
      fc.boolean(),
      stage,
      fc.constantFrom(...sources),
      fc.constantFrom(...days),
      fc.boolean(),
      fc.integer({ min: 0, max: 5 }),
    ),
  }),
  change('update contacts set deleted_at = now()', fc.tuple(share)),
  change('update contacts set deleted_at = null', fc.tuple(share)),
  change(`update contacts set email = case when email is null then gen_random_uuid()::text end`, fc.tuple(share)),
  change('update contacts set phone = case when phone is null then $3 end', fc.tuple(share, fc.constant('+15550002'))),
  change('update contacts set do_not_call = not do_not_call', fc.tuple(share)),
  change('update contacts set lifecycle_stage = $3', fc.tuple(share, stage)),
  change('update contacts set source = $3', fc.tuple(share, fc.constantFrom(...sources))),
  change('update contacts set created_at = $3', fc.tuple(share, fc.constantFrom(...days))),
  change('update contacts set first_name = $3', fc.tuple(share, fc.constant('Ada'))),
  change('delete from contacts', fc.tuple(share)),
  fc.record({ sql: fc.constant('select contact_counts_settle() where $1::uuid is not null'), values: fc.constant([]) }),
)

function change<Values extends unknown[]>(sql: string, values: fc.Arbitrary<Values>) {
  return fc.record({ sql: fc.constant(`${sql} where org_id = $1 and get_byte(uuid_send(id), 15) % 16 >= $2`), values })
}

// Half of the transactions are rolled back; their changes must not be counted.
const transaction = fc.record({ operations: fc.array(operation, { minLength: 1, maxLength: 6 }), commits: fc.boolean() })

describe('contact_counts', () => {
  test('equal a count after any transactions, run at once on several connections', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(transaction, { maxLength: 4 }), { minLength: 3, maxLength: 3 }), async plans => {
        const orgId = randomUUID()

        await Promise.all(
          plans.map(async (transactions, index) => {
            const connection = connections[index] as pg.Client
            for (const { operations, commits } of transactions) {
              try {
                await connection.query('begin')
                for (const { sql, values } of operations) await connection.query(sql, [orgId, ...values])
                await connection.query(commits ? 'commit' : 'rollback')
              } catch (error) {
                // deadlock_detected: of two transactions that change the same contacts in another order, PostgreSQL rolls one back.
                await connection.query('rollback')
                if ((error as { code?: string }).code !== '40P01') throw error
              }
            }
          }),
        )

        expect(await running(orgId)).toEqual(await counted(orgId))
      }),
      { numRuns: 40 },
    )
  })

  test('an update of columns that are not counted writes nothing', async () => {
    const orgId = randomUUID()
    await query(database.url, insert, [orgId, true, true, false, 'lead', 'api', days[0], false, 3])
    const written = () => query(database.url, `select count(*)::int as rows from contact_counts_pending where org_id = $1`, [orgId])
    await query(database.url, 'select contact_counts_settle()')
    expect(await written()).toEqual([{ rows: 0 }])

    await query(database.url, `update contacts set first_name = 'Ada', email = gen_random_uuid()::text where org_id = $1`, [orgId])

    expect(await written()).toEqual([{ rows: 0 }])
  })

  test('writers do not wait for each other, not even when one compacts the counts', async () => {
    const orgId = randomUUID()
    const [first, second] = connections as [pg.Client, pg.Client]
    const values = [orgId, true, true, false, 'lead', 'api', days[0], false, 1]
    await first.query('begin')
    await first.query(insert, values)
    await first.query('select contact_counts_settle()')

    await second.query(`set lock_timeout = '100ms'`)
    await expect(second.query(insert, values)).resolves.toMatchObject({ rowCount: 1 })
    await expect(second.query('select contact_counts_settle()')).resolves.toMatchObject({ rowCount: 1 })

    await second.query('reset lock_timeout')
    await first.query('commit')
    expect(await running(orgId)).toEqual(await counted(orgId))
  })

  test('a statement of many rows compacts the counts that it appended', async () => {
    const other = await createTestDatabase()
    await query(other.url, insert, [randomUUID(), true, true, false, 'lead', 'api', days[0], false, 500])

    expect(await query(other.url, 'select count(*)::int as rows from contact_counts_pending')).toEqual([{ rows: 0 }])
    await other.drop()
  })

  test('are zero after contacts are truncated', async () => {
    const other = await createTestDatabase()
    const orgId = randomUUID()
    await query(other.url, insert, [orgId, true, true, false, 'lead', 'api', days[0], false, 3])

    await query(other.url, 'truncate contacts cascade')

    expect(await query(other.url, 'select * from contact_counts')).toEqual([])
    await other.drop()
  })
})

describe('call_counts and enrichment_counts', () => {
  const one = `insert into call_counts as counted (org_id, day, slot, active) values ($1, $2, 3, 1)
    on conflict (org_id, day, slot) do update set active = counted.active + excluded.active`
  const other = `insert into enrichment_counts as counted (org_id, kind, status, slot, total) values ($1, $2, 'pending', 3, 1)
    on conflict (org_id, kind, status, slot) do update set total = counted.total + excluded.total`
  test.each([
    ['call_counts', one, '-infinity', '2026-01-01'],
    ['enrichment_counts', other, 'job', 'suggestion'],
  ])('%s: two transactions change the rows of a slot in opposite orders, and both commit', async (_table, statement, first, second) => {
    const orgId = randomUUID()
    const [early, late] = connections as [pg.Client, pg.Client]
    for (const connection of [early, late]) await connection.query('begin')
    await early.query(statement, [orgId, first])

    const opposite = late.query(statement, [orgId, second]).then(() => late.query(statement, [orgId, first]))
    await waiting(late)
    await early.query(statement, [orgId, second])
    await early.query('commit')
    await opposite
    await late.query('commit')
  })
})

/** Resolves when the connection waits for a lock. */
async function waiting(connection: pg.Client): Promise<void> {
  const pid = (connection as unknown as { processID: number }).processID
  const text = `select from pg_locks where pid = $1 and not granted`
  while ((await query(database.url, text, [pid])).length === 0) await sleep(5)
}
