// Bare statements beside which a bench measures: they write copies of rows into tables with the same columns and indexes.

import type pg from 'pg'

export type Row = Record<string, unknown>

/** Makes empty copies of the tables, in the schema `bare`, unless they exist. Without triggers and foreign keys. */
export async function makeBareTables(database: Pick<pg.ClientBase, 'query'>, names: Iterable<string>): Promise<void> {
  await database.query('create schema if not exists bare')
  for (const name of names) await database.query(`create table if not exists bare.${name} (like public.${name} including indexes)`)
}

/** A `with` that inserts rows into the copies of the tables: $1, $2 and so on are arrays of rows as JSON, in the order of the names. */
export const bareInserts = (names: readonly string[]): string => {
  const inserts = names.map(
    (name, at) => `t${at} as (insert into bare.${name} select * from json_populate_recordset(null::bare.${name}, $${at + 1}))`,
  )
  return `with ${inserts.join(', ')}`
}
