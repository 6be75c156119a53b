// A database restored from a dump stands in another cluster, whose transactions are numbered anew: what it holds of the old numbers is
// renumbered before anybody follows the outbox.

import { sqlState, statement } from './client.ts'
import { type Asker, alone, asker, connected } from './migration-history.ts'

const readIdentifier = statement<{ identifier: string }>(
  'cluster_identifier',
  'select system_identifier::text as identifier from pg_control_system()',
)
// An event that can be seen has a number below the snapshot's end. One with a higher number is of another cluster.
const readState = statement<{ known: string | null; isAhead: boolean }>(
  'cluster_state',
  `select (select system_identifier from database_cluster) as known,
     exists (select from events where transaction_id >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint) as "isAhead"`,
)
const saveIdentifier = statement<never>(
  'cluster_save',
  'insert into database_cluster (system_identifier) values ($1) on conflict (id) do update set system_identifier = excluded.system_identifier',
)
// 0: before every transaction there is. The order of what is past is that of its ids.
const renumberEvents = statement<{ count: number }>(
  'cluster_renumber',
  `with renumbered as (
     update events set transaction_id = 0
     where transaction_id >= pg_snapshot_xmin(pg_current_snapshot())::text::bigint returning 1
   ) select count(*)::int as count from renumbered`,
)

/**
 * Renumbers the events where the database has come into another cluster since it was last used, and remembers the cluster. Processes that
 * do so at once wait for each other; the others find nothing to do. Resolves with the number of events renumbered, null where the cluster
 * is the same. It takes about 20 s for a million events.
 */
export async function renumberRestored(url: string): Promise<number | null> {
  if (await connected(url, isSettled)) return null
  return await alone(url, async pool => {
    const database = asker(pool)
    if (await isSettled(database)) return null
    const [renumbered] = await database.query(renumberEvents)
    await database.query(saveIdentifier, [await identifierOf(database)])
    return renumbered?.count ?? 0
  })
}

async function isSettled(database: Asker): Promise<boolean> {
  const [state] = await database.query(readState)
  return state !== undefined && !state.isAhead && state.known === (await identifierOf(database))
}

// Some hosts do not tell the identifier. Numbers ahead of the cluster's own are noticed there all the same.
async function identifierOf(database: Asker): Promise<string> {
  try {
    const [row] = await database.query(readIdentifier)
    return row?.identifier ?? 'unknown'
  } catch (error) {
    if (untold.has(sqlState(error) ?? '')) return 'unknown'
    throw error
  }
}
// Insufficient privilege, undefined function, feature not supported.
const untold = new Set(['42501', '42883', '0A000'])
