// Open deliveries, for the metrics.

import type { Queries } from '../../database/client.ts'
import { countOpen } from './claim.sql.ts'

const states = ['waiting', 'pending', 'sending']

/** The open deliveries of all organizations, by state; 0 for a state without any. */
export async function openDeliveries(database: Queries): Promise<{ state: string; count: number }[]> {
  const counts = new Map((await database.query(countOpen)).map(({ state, count }) => [state, count]))
  return states.map(state => ({ state, count: counts.get(state) ?? 0 }))
}
