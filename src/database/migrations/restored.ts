// A database restored from a dump is in another cluster with other transaction ids, so the stored transaction ids of events are corrected
// before the outbox is read.

import { sqlState } from '../errors.ts'
import { exclusively, type Queryable, queryable, withConnection } from './history.ts'
import { readIdentifier, readState, renumberEvents, saveIdentifier } from './restored.sql.ts'

/**
 * Renumbers the events if the database is in another cluster than when it was last used, and stores the cluster's identifier. When several
 * processes do so at once, one renumbers and the others wait for it. Resolves with the number of events renumbered; null when the cluster is
 * the same. It takes about 20 s for a million events.
 */
export async function renumberRestored(url: string): Promise<number | null> {
  if (await withConnection(url, isSettled)) return null
  return await exclusively(url, async pool => {
    const database = queryable(pool)
    if (await isSettled(database)) return null
    const [renumbered] = await database.query(renumberEvents)
    await database.query(saveIdentifier, [await identifierOf(database)])
    return renumbered?.count ?? 0
  })
}

async function isSettled(database: Queryable): Promise<boolean> {
  const [state] = await database.query(readState)
  return state !== undefined && !state.isAhead && state.known === (await identifierOf(database))
}

// Some hosts forbid reading the identifier. There, transaction ids ahead of the cluster's own still reveal a restored database.
export async function identifierOf(database: Queryable): Promise<string> {
  try {
    const [row] = await database.query(readIdentifier)
    return row?.identifier ?? 'unknown'
  } catch (error) {
    if (notReadable.has(sqlState(error) ?? '')) return 'unknown'
    throw error
  }
}
// Insufficient privilege, undefined function, feature not supported.
const notReadable = new Set(['42501', '42883', '0A000'])
