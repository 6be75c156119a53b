// Reviews of migrations: what may be applied while processes of the previous release serve, and what may not.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { release } from '../../../src/config/release.ts'
import { applyMigrations, migrationStatus, pendingWithJudgments } from '../../../src/database/migrations/migrate.ts'
import { formerReleases, releaseOf } from '../../../src/database/migrations/releases.ts'
import { reviewMigrations } from '../../../src/database/migrations/review/review.ts'
import { judgePending, type Review, reviewsFile } from '../../../src/database/migrations/review/reviews.ts'
import { createTestDatabase, query } from '../../support/database/database.ts'
import { baseline } from '../../upgrade/baseline.ts'

const ours = join(import.meta.dirname, '../../../prisma/migrations')
const name = '20300101000000_a'

/** The findings of one migration, after those that made what it changes. */
async function review(script: string, ...before: string[]): Promise<string[]> {
  const earlier = before.map((script, index) => ({ name: `2029010100000${index}_before`, script }))
  const reviews = await reviewMigrations([...earlier, { name, script }])
  return reviews[name]?.findings.map(({ line, effect, text }) => `${line} ${effect}: ${text}`) ?? []
}

function folderOf(migrations: Record<string, string>, reviews?: Record<string, Review>): { directory: string; schema: string } {
  const folder = mkdtempSync(join(tmpdir(), 'rolocom-reviews-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, script] of Object.entries(migrations)) {
    mkdirSync(join(folder, name))
    writeFileSync(join(folder, name, 'migration.sql'), script)
  }
  if (reviews) writeFileSync(join(folder, reviewsFile), JSON.stringify(reviews))
  return { directory: folder, schema: '' }
}

describe('a statement that the previous release and its tables bear', () => {
  test.for([
    'create table t (id uuid primary key, c uuid references contacts (id)); create unique index t_c on t (c); alter table t alter c set not null',
    'alter table contacts add column shoe_size integer, add column seen_at timestamptz not null default now(), add column n int not null default -1',
    `alter table contacts add column tags text[] not null default '{}'::text[], add column agent uuid references voice_agents (id)`,
    'alter table contacts add column a int; alter table contacts add constraint positive check (a > 0) not valid',
    '-- outside a transaction\ncreate index concurrently if not exists i on contacts (lower(city));\nalter table contacts validate constraint positive;',
    '-- outside a transaction\n-- repeat until no row changes\nupdate contacts set a = 1 where id in (select id from contacts where a is null limit 1000);',
    'create function f() returns trigger language plpgsql as $$ begin delete from contacts; return new; end $$;\ncreate trigger t before insert on contacts for each row execute function f()',
    'alter table contacts alter city drop not null, alter city set default 1, alter city set storage external',
    `insert into settings values ('a', 1); create sequence s; comment on table contacts is 'people'`,
  ])('%s', async script => {
    expect(await review(script)).toEqual([])
  })

  test('a column becomes NOT NULL when a validated check has kept it so', async () => {
    const check = 'alter table contacts add constraint city_there check (city is not null) not valid'
    const validation = '-- outside a transaction\nalter table contacts validate constraint city_there;'
    const change = 'alter table contacts alter city set not null, drop constraint city_there'

    expect(await review(change, check, validation)).toEqual([])
    expect(await review(change, check)).toHaveLength(2)
    expect(await review(change.replaceAll('city set', 'name set'), check, validation)).toHaveLength(2)
  })
})

describe('a statement that stops it', () => {
  test.for<[string, string[]]>([
    ['-- Why.\n\nalter table contacts drop column city', ['3 breaks: drops column contacts.city']],
    ['drop table contacts', ['1 breaks: drops table contacts']],
    ['drop trigger t on contacts; drop function f(int)', ['1 breaks: drops trigger t', '1 breaks: drops function f']],
    ['alter table contacts rename column city to town', ['1 breaks: renames column city to town']],
    ['alter table contacts rename to people', ['1 breaks: renames table contacts to people']],
    [
      'alter table contacts add column a int not null',
      ['1 breaks: adds contacts.a NOT NULL without a default, which the previous release does not write'],
    ],
    ['alter table contacts alter city drop default', ['1 breaks: drops the default of contacts.city']],
    ['alter table contacts drop constraint contacts_pkey', ['1 breaks: drops constraint contacts_pkey of contacts']],
    ['truncate contacts', ['1 breaks: empties tables']],
    ['alter table contacts enable row level security', ['1 breaks: AT_EnableRowSecurity on contacts cannot be judged']],
    ['do $$ begin delete from contacts; end $$', ['1 breaks: DoStmt cannot be judged']],
    [
      'alter table contacts add constraint c check (age > 0) not valid',
      ['1 breaks: adds c to contacts, which may refuse what the previous release writes'],
    ],
  ])('%s', async ([script, findings]) => {
    expect(await review(script)).toEqual(findings)
  })
})

describe('a statement that makes it wait', () => {
  test.for<[string, RegExp]>([
    ['create index i on contacts (city)', /builds index i on contacts without CONCURRENTLY/],
    ['create index concurrently i on contacts (city)', /must begin with "-- outside a transaction"/],
    ['alter table contacts add column k uuid default gen_random_uuid()', /rewrites contacts to fill contacts.k/],
    ['alter table contacts add column k bigserial', /rewrites contacts to fill contacts.k/],
    ['alter table contacts add column k int check (k > 0)', /reads all of contacts to check contacts.k/],
    ['alter table contacts add column k int unique', /builds the index of contacts.k/],
    ['alter table contacts alter city set not null', /reads all of contacts to set contacts.city NOT NULL/],
    ['alter table contacts alter city type varchar(9)', /rewrites contacts to change the type of contacts.city/],
    ['alter table contacts add constraint c check (city is not null)', /adds c to contacts, reading all of it/],
    ['alter table contacts add constraint u unique (city)', /adds u to contacts, building its index/],
    ['alter table contacts validate constraint c', /validates c in a transaction/],
    ['update contacts set city = null', /updates contacts at once/],
    ['delete from contacts where city is null', /deletes from contacts at once/],
    ['insert into towns select distinct city from contacts', /copies rows into towns at once/],
    ['-- outside a transaction\nalter table contacts add column a int;', /alters contacts, which would wait for its lock without a limit/],
    ['-- outside a transaction\nupdate contacts set city = null;', /updates contacts at once/],
  ])('%s', async ([script, finding]) => {
    const findings = await review(script)

    expect(findings.filter(text => text.includes(' blocks: ') && finding.test(text))).toHaveLength(1)
  })
})

describe('judgePending', () => {
  const contraction = '20300102000000_drop_city'
  const reviews = {
    '20300101000000_add_town': { findings: [] },
    [contraction]: {
      after: '20300101000000_add_town',
      findings: [{ line: 2, effect: 'breaks' as const, text: 'drops column contacts.city' }],
    },
    '20300103000000_index': { after: contraction, findings: [{ line: 4, effect: 'blocks' as const, text: 'builds index i' }] },
  }
  const judged = (pending: string[], applied: string[]) => judgePending(folderOf({}, reviews).directory, pending, applied)

  test('a contraction is safe once the release that it follows has been there', () => {
    expect(judged([contraction], ['20300101000000_add_town'])).toEqual([{ name: contraction, isSafe: true, reasons: [] }])
    expect(judged([contraction], ['20290101000000_a'])).toEqual([
      {
        name: contraction,
        isSafe: false,
        reasons: [
          'it is made for a database with 20300101000000_add_town: upgrade to a release that ends with that one first',
          'line 2 drops column contacts.city',
        ],
      },
    ])
  })

  test('a migration that makes others wait is never safe, nor is one without a review; in an empty database every one is', () => {
    expect(judged(['20300103000000_index'], [contraction])).toMatchObject([{ isSafe: false, reasons: ['line 4 builds index i'] }])
    expect(judged(['20300104000000_new'], [contraction])).toMatchObject([{ isSafe: false, reasons: ['it has no review'] }])
    expect(judged([contraction, '20300104000000_new'], [])).toMatchObject([{ isSafe: true }, { isSafe: true }])
  })

  test('a contraction names a migration before it', async () => {
    const script = '-- contract: after 20400101000000_later\ndrop table contacts;'

    await expect(reviewMigrations([{ name, script }])).rejects.toThrow('which is no migration before it')
  })
})

describe('prisma/migrations', () => {
  const names = readdirSync(ours).filter(name => /^\d{14}_/.test(name))

  test('has a review of each, made from its statements', async () => {
    const migrations = names.map(name => ({ name, script: readFileSync(join(ours, name, 'migration.sql'), 'utf8') }))

    expect(JSON.parse(readFileSync(join(ours, reviewsFile), 'utf8'))).toEqual(await reviewMigrations(migrations))
    expect(names).toContain(baseline)
  })

  test('each one since is safe for the release before it', () => {
    const later = names.filter(name => name > baseline)

    expect(later.flatMap(name => judgePending(ours, [name], names.slice(0, names.indexOf(name)))).filter(({ isSafe }) => !isSafe)).toEqual(
      [],
    )
  })

  // Those before it were written without a review, and the first of them when all databases were small.
  test('each one before it indexes tables that may be large without stopping their writers', () => {
    const large = new Set([
      ...['contacts', 'events', 'idempotency_keys', 'sessions', 'users', 'credit_entries', 'credit_grants', 'credit_holds'],
      ...['calls', 'provider_events', 'enrichment_jobs', 'suggestions', 'gateway_runs', 'gateway_events', 'gateway_turns'],
    ])
    const earlier = names.filter(name => name > '20261122040800_database_cluster' && name <= baseline)
    const indexed = earlier.flatMap(name => [
      ...readFileSync(join(ours, name, 'migration.sql'), 'utf8').matchAll(/create (?:unique )?index (concurrently)?.*? on "?(\w+)"?/gi),
    ])

    expect(indexed.length).toBeGreaterThan(50)
    expect(indexed.flatMap(([text, concurrently, table = '']) => (!concurrently && large.has(table) ? [text] : []))).toEqual([])
  })
})

test('a statement outside a transaction is repeated until no row changes, and the status names safe migrations', async () => {
  const database = await createTestDatabase({ empty: true })
  onTestFinished(() => database.drop())
  const scripts = {
    '20300101000000_a': 'create table a (id int primary key, b int); insert into a select generate_series(1, 25)',
    '20300102000000_b': `-- outside a transaction
-- repeat until no row changes
update a set b = (select count(*) from a where b is not null) where id in (select id from a where b is null order by id limit 10);
create index concurrently if not exists a_b on a (b);
`,
    '20300103000000_c': 'alter table a drop column b',
  }
  const reviews = await reviewMigrations(Object.entries(scripts).map(([name, script]) => ({ name, script })))
  const [first = '', second = '', third = ''] = Object.keys(scripts)
  const files = folderOf({ [first]: scripts[first as '20300101000000_a'] }, reviews)
  await applyMigrations(database.url, files)
  for (const name of [second, third]) {
    mkdirSync(join(files.directory, name))
    writeFileSync(join(files.directory, name, 'migration.sql'), scripts[name as '20300101000000_a'])
  }

  expect(pendingWithJudgments(await migrationStatus(database.url, files), files)).toEqual([
    { name: second, isSafe: true, reasons: [] },
    { name: third, isSafe: false, reasons: ['line 1 drops column a.b'] },
  ])
  rmSync(join(files.directory, third), { recursive: true })
  expect(await applyMigrations(database.url, files)).toEqual([second])
  expect(await query(database.url, 'select b, count(*)::int as rows from a group by 1 order by 1')).toEqual([
    { b: 0, rows: 10 },
    { b: 10, rows: 10 },
    { b: 20, rows: 5 },
  ])
})

describe('releases', () => {
  const former = formerReleases(ours)

  test('each follows the one before by one step, and this one the last: raising the version records what the former ended with', () => {
    const steps = ([major = 0, minor = 0, patch = 0]: number[]) =>
      [
        [major + 1, 0, 0],
        [major, minor + 1, 0],
        [major, minor, patch + 1],
      ].map(step => step.join('.'))
    const versions = [...former.map(([version]) => version), release]
    const wrong = versions.slice(1).filter((version, index) => !steps((versions[index] ?? '').split('.').map(Number)).includes(version))

    expect(wrong).toEqual([])
  })

  test('each ended with a migration that is there, later than those before', () => {
    const last = former.map(([, migration]) => migration)
    const names = readdirSync(ours)

    expect(last.filter(migration => !names.includes(migration))).toEqual([])
    expect(last.toSorted()).toEqual(last)
  })

  test('a migration is of the first release that has it', () => {
    const migrations = [
      '20261120000000_spine',
      '20261123140000_search_sample',
      '20261125103000_search_by_beginning',
      '20990101000000_later',
    ]
    expect(migrations.map(migration => releaseOf(ours, migration))).toEqual(['0.1.0', '0.1.0', '0.2.0', former[2]?.[0] ?? release])
  })
})
