// npm run test:long: tests that start many processes, wait for real timeouts, or send thousands of requests. Apart, so that npm test stays
// short.

import { configDefaults, defineConfig } from 'vitest/config'
import base from './vitest.config.ts'

export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['test/**/*.long.test.ts'],
    exclude: configDefaults.exclude,
    // Two at once, because most start several processes themselves.
    maxWorkers: 2,
    // A test that starts ten processes takes 13 s, on a busy machine half a minute.
    testTimeout: 90_000,
  },
})
