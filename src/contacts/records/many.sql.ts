// The statements that lock and write companies and deals together.

import type { Selection, Values } from '../../database/selection.ts'
import { type Statement, statement } from '../../database/statement.ts'

export interface Many<Row, Written> {
  /** $1 organization, $2 ids. Locks them, deleted or not, in the order of ids, so that two batches cannot deadlock. */
  lock: Statement<Row>
  /** $1 organization, $2 the rows as JSON. */
  update: Statement<unknown>
  record(row: Written & { id: string }): unknown
}

/** `updated`: the columns that a write sets. */
export function manyOf<Row, Written>({ name, all }: { name: string; all: Selection<Row> }, updated: Values<Written>): Many<Row, Written> {
  const sets = updated.columns.split(', ').map(column => `${column} = given.${column}`)
  return {
    lock: statement(
      `${name}_lock_many`,
      `select ${all.sql} from ${name} where org_id = $1 and id = any($2::uuid[]) order by id for no key update`,
      all,
    ),
    update: statement(
      `${name}_update_many`,
      `update ${name} set ${sets.join(', ')} from json_to_recordset($2) as given (id uuid, ${updated.definitions})
       where ${name}.org_id = $1 and ${name}.id = given.id`,
    ),
    record: row => ({ id: row.id, ...updated.record(row) }),
  }
}
