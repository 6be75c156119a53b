// A database restored from a dump is in another cluster with other transaction ids, so the stored transaction ids of events are corrected
// before the outbox is read.

import { sqlState } from '../errors.ts'
import { exclusivelyWithin, type Queryable, withConnection } from './history.ts'
import { readIdentifier, readName, readState, renumberEvents, saveIdentifier } from './restored.sql.ts'

/**
 * Renumbers the events if the database is in another cluster than when it was last used, and stores the cluster's identifier. When several
 * processes do so at once, one renumbers and the others wait for it. Resolves with the number of events renumbered; null when the cluster is
 * the same. It takes about 20 s for a million events.
 */
export async function renumberRestored(url: string): Promise<number | null> {
  const { identifier, isKnown } = await withConnection(url, async database => {
    // Read before the transaction, which a refusal would end.
    const identifier = await identifierOf(database)
    return { identifier, isKnown: await isSettled(database, identifier) }
  })
  if (isKnown) return null
  return await exclusivelyWithin(url, async database => {
    if (await isSettled(database, identifier)) return null
    const [renumbered] = await database.query(renumberEvents)
    await database.query(saveIdentifier, [identifier])
    return renumbered?.count ?? 0
  })
}

async function isSettled(database: Queryable, identifier: string): Promise<boolean> {
  const [state] = await database.query(readState)
  return state !== undefined && !state.isAhead && state.known === identifier
}

// Some hosts forbid reading the identifier. There, transaction ids ahead of the cluster's own still reveal a restored database.
async function identifierOf(database: Queryable): Promise<string> {
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

/**
 * Whether two addresses lead to one database, as DATABASE_URL and DATABASE_DIRECT_URL must: the one is served, the other one migrated. False only
 * where both answer, and are different: an address that does not answer is reported by what uses it.
 */
export async function areSameDatabase(url: string, directUrl: string): Promise<boolean> {
  const [one, other] = await Promise.all([placeIn(url), placeIn(directUrl)])
  return one === undefined || other === undefined || one === other
}

async function placeIn(url: string): Promise<string | undefined> {
  try {
    return await withConnection(url, async database => {
      const [row] = await database.query(readName)
      return `${await identifierOf(database)} ${row?.name}`
    })
  } catch {
    return undefined
  }
}
