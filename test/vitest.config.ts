// How tests run: through real ports on real databases. Each project can be run alone:
//
//   npm test                            the tests that every change runs
//   npm run round -- web                a round, by its name below
//   npm run round -- web -t "signs up"  the tests of a round with this text in their name
//
// CI runs the tests and short rounds (.ci/run), every night all rounds at full length (.ci/nightly).

import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { outsidePostgres } from './support/database/outside.ts'
import { EndReporter } from './support/reporter.ts'

type TestOptions = NonNullable<TestProjectInlineConfiguration['test']>

const minute = 60_000
const longTests = 'test/**/*.long.test.ts'

// Where others share the machine, a test of leases and deadlines may miss its moment. In CI what measures time is tried again; the end of a run
// names it, and more than two of them fail the run (support/reporter.ts). What loses data once has lost it: it is never tried again.
const measuresTime: TestOptions = { retry: process.env.CI ? 2 : 0 }

// Projects of one group run at the same time, groups one after the other.
const beside = (maxWorkers: number, groupOrder: number): TestOptions => ({ maxWorkers, sequence: { groupOrder } })
const alone = beside(1, 3)
const isShort = process.env.SHORT === '1'

// Files of one process share what they import: the program keeps its state in what `start` returns, and reading it again for every
// file took as long as the tests. Nothing here replaces a module.
const onDatabase: TestOptions = { ...measuresTime, isolate: false, globalSetup: ['test/support/database/global-setup.ts'] }

function project(name: string, test: TestOptions): TestProjectInlineConfiguration {
  return { extends: true, test: { name, ...test } }
}

/** A part that takes minutes, in `*.round.ts` files. `timeoutMs`: of one test. */
const round = (name: string, include: string, timeoutMs: number, test: TestOptions = {}) =>
  project(name, { include: [include], testTimeout: timeoutMs, hookTimeout: timeoutMs, ...beside(2, 2), ...test })

// Stories that a short round leaves to the night: about parts of a screen whose main story runs, or about screens that few changes touch.
const storiesOfTheNight = [
  'test/web/stories/contacts/{columns,company-people,deleted,duplicates,editors,filters,panels,sorting,stages}.round.ts',
  'test/web/stories/imports/{other-systems,round-trip}.round.ts',
  'test/web/stories/deals/{company-duplicates,deals,pipelines,record-bulk}.round.ts',
  'test/web/stories/work/{agents,talk,browser-notices,desk,enrichment,gateway,suggestions,webhooks}.round.ts',
  'test/web/stories/app/{client,dialogs,failures,first-paint,german,installed,language,menus,outages,page,readers,refusals,server}.round.ts',
  'test/web/stories/settings/{assignment,embedding,oauth,settings}.round.ts',
]

// Tests that depend on the database, on a PostgreSQL outside of the project. Short: lists, search and statistics, because another release
// sorts, folds and plans in its own way.
const onPostgres = isShort
  ? ['test/{contacts,dashboard}/*.test.ts', 'test/contacts/{contact,stats}/*.test.ts', 'test/database/**/{listener,running-counts}.test.ts']
  : [
      'test/{rest,graphql,contacts,dashboard,identity}/**/*.test.ts',
      'test/database/**/{listener,migrate,running-counts,announcements}.test.ts',
      'test/cli/seed.test.ts',
    ]
const postgres = project(
  'postgres',
  'url' in (await outsidePostgres())
    ? {
        ...onDatabase,
        include: onPostgres,
        exclude: [...configDefaults.exclude, longTests],
        testTimeout: 30_000,
        hookTimeout: minute,
        // Two at once: an outside server has a hundred connections as a rule, and a file may start several servers.
        ...beside(2, 2),
      }
    : { include: ['test/support/database/outside.round.ts'], ...beside(2, 2) },
)

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  // Node takes graphql's main file, Vite would take another one, and a schema made with both is none.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  // rolocom/client is its source here, not what `npm run build` made of it.
  ssr: { resolve: { conditions: ['node', 'rolocom-source'] } },
  test: {
    // Processes, because tests send signals and a server under test owns its process.
    pool: 'forks',
    // What is waited for comes at once, or on a busy machine when it can.
    expect: { poll: { timeout: 20_000 } },
    reporters: ['default', new EndReporter()],
    projects: [
      project('quick', {
        ...onDatabase,
        include: ['test/**/*.test.ts'],
        exclude: [...configDefaults.exclude, longTests],
        // A server that has to be started, killed and started again on a busy machine takes seconds, never half a minute.
        testTimeout: 30_000,
        hookTimeout: minute,
        // Three: half of the time a file waits for the database or a deadline, and two leave a third of two cores idle.
        ...beside(3, 0),
      }),
      // Tests that start many processes, wait for real timeouts, or send thousands of requests. Apart, so that `npm test` stays short.
      project('long', {
        ...onDatabase,
        include: [longTests],
        // A test that starts ten processes takes 13 s, on a busy machine half a minute.
        testTimeout: 1.5 * minute,
        hookTimeout: minute,
        ...beside(2, 1),
      }),
      postgres,
      round('web', 'test/web/stories/**/*.round.ts', 2 * minute, {
        ...measuresTime,
        isolate: false,
        exclude: [...configDefaults.exclude, ...(isShort ? storiesOfTheNight : [])],
        globalSetup: ['test/web/support/build.ts'],
      }),
      round('pages', 'test/pages/pages.round.ts', 2 * minute),
      round('package', 'test/package/package.round.ts', 10 * minute),
      round('image', 'test/package/image.round.ts', 20 * minute),
      round('signatures', 'test/package/signatures.round.ts', 5 * minute),
      round('tour', 'test/tour/tour.round.ts', 15 * minute, measuresTime),
      round('clients', 'test/clients/clients.round.ts', 10 * minute),
      round('attack', 'test/attack/attack.round.ts', 30 * minute, { ...measuresTime, ...alone }),
      // Half of a short one waits for leases to end.
      round('crash', 'test/crash/crash.round.ts', 180 * minute, isShort ? {} : alone),
      round('upgrade', 'test/upgrade/upgrade.round.ts', 60 * minute, { ...measuresTime, ...alone }),
      round('faults', 'test/faults/faults.round.ts', 15 * minute, { ...measuresTime, ...alone }),
      round('soak', 'test/soak/soak.round.ts', 200 * minute, alone),
      round('calls', 'test/soak/calls.round.ts', 60 * minute, alone),
      round('voice', 'test/voice/round/voice.round.ts', 5 * minute, { ...measuresTime, ...alone, globalSetup: onDatabase.globalSetup }),
    ],
  },
})
