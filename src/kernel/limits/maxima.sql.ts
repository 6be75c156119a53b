// The lock of a noun that has a maximum.

import { statement } from '../../database/statement.ts'

/** $1 the noun, $2 whose they are. */
export const lockMaximum = statement('maximum_lock', `select from pg_advisory_xact_lock(hashtextextended('most ' || $1 || $2, 0))`)
