// How tests run: through real ports on real databases, a fresh one per file.

import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'
import { RetriedReporter } from './support/retried.ts'

// For .ci/run, which adds up the counts of several rounds.
const results = process.env.TEST_RESULTS

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  // Node takes graphql's main file, Vite would take another one, and a schema made with both is none.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  // rolocom/client is its source here, not what `npm run build` made of it.
  ssr: { resolve: { externalConditions: ['node', 'rolocom-source'] } },
  test: {
    include: ['test/**/*.test.ts'],
    // Those of vitest.long.config.ts.
    exclude: [...configDefaults.exclude, 'test/**/*.long.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    // Processes, because tests send signals and a server under test owns its process. Three: half of the time a file waits for the database
    // or a deadline, and two leave a third of two cores idle.
    pool: 'forks',
    maxWorkers: 3,
    // Files of one process share what they import: the program keeps its state in what `start` returns, and reading it again for every
    // file took as long as the tests. Nothing here replaces a module.
    isolate: false,
    // A server that has to be started, killed and started again on a busy machine takes seconds, never half a minute.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Where others share the machine, a test of leases and deadlines may miss its moment. The report names what was tried again, and a run in which
    // more than two were fails.
    retry: process.env.CI ? 2 : 0,
    // What is waited for comes at once, or on a busy machine when it can.
    expect: { poll: { timeout: 20_000 } },
    reporters: results ? ['default', ['json', { outputFile: results }], new RetriedReporter()] : ['default', new RetriedReporter()],
  },
})
