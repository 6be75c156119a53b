// Whether two addresses lead to one database, as DATABASE_URL and DATABASE_DIRECT_URL must: the one is served, the other one migrated.

import { withConnection } from './history.ts'
import { readName } from './restored.sql.ts'
import { identifierOf } from './restored.ts'

/** False only where both answer, and are different: an address that does not answer is reported by what uses it. */
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
