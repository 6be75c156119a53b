// npm run test:postgres: runs the tests that depend on the database on an external PostgreSQL instead of the embedded one.
//
// TEST_DATABASE_URL names a server on which databases may be created. Without it the one on 127.0.0.1:5432 is tried, and when none
// answers there is nothing to test against, which is no failure.

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import pg from 'pg'

const files = [
  'test/rest/',
  'test/graphql/',
  'test/contacts/',
  'test/dashboard/',
  'test/cli/seed',
  'test/identity/',
  'test/database/listener',
  'test/database/migrate',
  'test/database/contact-counts',
  'test/database/announcements',
]
const local = 'postgresql://postgres@127.0.0.1:5432/postgres'

const named = process.env.TEST_DATABASE_URL
const url = named ?? local
const found = await look(url)
if (typeof found === 'string') {
  console.log(`${named ? 'TEST_DATABASE_URL cannot be used' : 'No outside PostgreSQL to test on at 127.0.0.1:5432'}: ${found}`)
  process.exit(named ? 1 : 0)
}

const { host, pathname } = new URL(url)
console.log(`Testing on PostgreSQL ${found.version} at ${host}${pathname}: ${files.join(' ')}, without the long tests`)
const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))
// Two at once: an outside server has a hundred connections as a rule, and a file may start several servers.
const { status } = spawnSync(process.execPath, [vitest, 'run', '--config', 'test/vitest.config.ts', '--maxWorkers=2', ...files], {
  cwd: fileURLToPath(new URL('../..', import.meta.url)),
  env: { ...process.env, TEST_DATABASE_URL: url },
  stdio: 'inherit',
})
process.exit(status ?? 1)

/** The server's version, or the reason why it cannot be used. */
async function look(connectionString: string): Promise<{ version: string } | string> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 3_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ version: string; major: number; may: boolean }>(
      `select current_setting('server_version') as version, current_setting('server_version_num')::int / 10000 as major,
         (select rolcreatedb or rolsuper from pg_roles where rolname = current_user) as may`,
    )
    const [server] = rows
    if (!server || server.major < 15) return `it is PostgreSQL ${server?.version}, older than 15`
    return server.may ? server : 'the user may not create databases'
  } catch (error) {
    return error instanceof Error ? error.message || String((error as NodeJS.ErrnoException).code) : String(error)
  } finally {
    await client.end().catch(() => {})
  }
}
