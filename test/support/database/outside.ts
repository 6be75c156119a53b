// A PostgreSQL outside of the project, on which databases may be created: TEST_DATABASE_URL, else the one on 127.0.0.1:5432.

import pg from 'pg'

/** Its address, or the reason why there is none. Throws where TEST_DATABASE_URL names one that cannot be used. */
export async function outsidePostgres(): Promise<{ url: string } | { lacking: string }> {
  const named = process.env.TEST_DATABASE_URL
  const url = named ?? 'postgresql://postgres@127.0.0.1:5432/postgres'
  const lacking = await problemOf(url)
  if (!lacking) return { url }
  if (named) throw new Error(`TEST_DATABASE_URL cannot be used: ${lacking}`)
  return { lacking: `no PostgreSQL at 127.0.0.1:5432: ${lacking}` }
}

async function problemOf(connectionString: string): Promise<string | undefined> {
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
    return server.may ? undefined : 'the user may not create databases'
  } catch (error) {
    return error instanceof Error ? error.message || String((error as NodeJS.ErrnoException).code) : String(error)
  } finally {
    await client.end().catch(() => {})
  }
}
