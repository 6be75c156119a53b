// Rows that hang on records: their columns, a condition, and the statements that lock and locate their records.

import { type Statement, statement } from '../../../database/statement.ts'
import { rows, uuid } from '../../../database/table.ts'
import { type RecordNoun, recordNouns, tableOfNoun } from '../nouns.ts'
import { forNouns, type RecordIdName } from './ref.ts'

/** The columns of the ids. A check of the table says that exactly one of them is set. */
export const recordColumns = {
  contactId: uuid.orNull(),
  companyId: uuid.orNull(),
  dealId: uuid.orNull(),
} satisfies Record<RecordIdName, unknown>

/** The column of `idNameOf`. */
export const columnOf = (noun: RecordNoun): string => `${noun}_id`

/** SQL: whether the record of a row is not deleted. Subqueries for each row, so that the rows are read in the order of their index. */
export const isOfLiveRecord = (table: string): string =>
  `case ${recordNouns.values
    .map(noun => {
      const id = `${table}.${columnOf(noun)}`
      return `when ${id} is not null then (select deleted_at is null from ${tableOfNoun[noun]} where id = ${id})`
    })
    .join(' ')} end`

const place = rows({ companyId: uuid.orNull() })
/** The company whose timeline shows the events of a record, too. */
const companyOf: Readonly<Record<RecordNoun, string>> = {
  contact: 'null::uuid as company_id',
  company: 'null::uuid as company_id',
  deal: 'company_id',
}
const readPlace = (noun: RecordNoun, name: string, condition: string): Statement<{ companyId: string | null }> =>
  statement(name, `select ${companyOf[noun]} from ${tableOfNoun[noun]} where org_id = $1 and id = $2${condition}`, place)

export const lockPlaces = forNouns(noun => readPlace(noun, `${noun}_place_lock`, ' and deleted_at is null for no key update'))
export const places = forNouns(noun => readPlace(noun, `${noun}_place`, ''))
