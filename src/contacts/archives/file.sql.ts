// A file of an archive: its columns in SQL, and the statement that reads a page of its rows.

import { type Statement, statement } from '../../database/statement.ts'
import { jsonb, rows, textArray } from '../../database/table.ts'
import type { RecordNoun } from '../records/nouns.ts'

/** The types of the columns that order a file, with a value before all others. */
export const firstKeys = {
  uuid: '00000000-0000-0000-0000-000000000000',
  timestamptz: '-infinity',
  text: '',
  bigint: '-1',
} as const
type KeyType = keyof typeof firstKeys

interface Declared {
  /** The name of the file in the archive, without `.csv`. */
  name: string
  /** The content of the file, for the reader of the archive. */
  says: string
  /** The columns by their headers, in SQL. */
  columns: Readonly<Record<string, string>>
  /** The table, or a query in parentheses, with a column `org_id`. */
  from: string
  /** Orders the rows, and tells them apart. An index has these, or the first of these, behind the organization. */
  keys: Readonly<Record<string, KeyType>>
  /** Conditions of partial indexes that have all rows together. Default: one index has them. */
  parts?: readonly string[]
  /** Rows of a page. Fewer where rows are long. */
  pageSize?: number
  /** The noun whose custom fields are further columns. */
  customOf?: RecordNoun
  /** Makes another value of a column's. */
  reads?: Readonly<Record<string, (value: unknown) => unknown>>
  /** Whether the file has a row. Default: all. */
  has?: (row: Readonly<Record<string, unknown>>) => boolean
}

interface Page {
  key: string[]
  cells: unknown[]
  custom: object
}

export interface ArchiveFile extends Declared {
  page: Statement<Page>
}

// 1,000: as lists are read for exports.
export const usualSize = 1000

export function archiveFile(declared: Declared): ArchiveFile {
  const { name, columns, from, keys, parts = ['true'], pageSize = usualSize, customOf } = declared
  const order = Object.keys(keys).join(', ')
  const behind = `(${order}) > (${Object.values(keys).map((type, index) => `$${index + 2}::${type}`)})`
  const part = (condition: string) =>
    `(select * from ${from} as one where org_id = $1 and ${condition} and ${behind} order by ${order} limit ${pageSize})`
  const text =
    `select array[${Object.keys(keys).map(key => `${key}::text`)}] as key, jsonb_build_array(${Object.values(columns)}) as cells, ` +
    `${customOf ? 'custom' : `'{}'::jsonb as custom`} from (${parts.map(part).join(' union all ')}) as rows order by ${order} limit ${pageSize}`
  return {
    ...declared,
    page: statement(
      `archive_${name.replaceAll('-', '_')}`,
      text,
      rows({ key: textArray, cells: jsonb.as<unknown[]>(), custom: jsonb.as<object>() }),
    ),
  }
}

/** Columns that are called as their headers. */
export const plain = (...names: readonly string[]): Record<string, string> => Object.fromEntries(names.map(name => [name, name]))

/** Columns of times, in UTC. */
export const times = (...names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map(name => [name, `to_char(${name} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`]))

/** Columns of who did something. */
export const actor = (what: string): Record<string, string> => plain(`${what}_type`, `${what}_id`, `${what}_name`)
