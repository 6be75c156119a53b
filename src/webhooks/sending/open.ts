// Open deliveries, for the metrics.

import type { Queries } from '../../database/client.ts'
import { countOpen } from './claim.sql.ts'

/** Of all organizations, by state. */
export const openDeliveries = (database: Queries): Promise<{ state: string; count: number }[]> => database.query(countOpen)
