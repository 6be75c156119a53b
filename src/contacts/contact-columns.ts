// What of a contact a page selects: columns that nobody asked for are null, which costs neither the database nor us a thought, and
// rows keep their one shape.

import { type Contact, columnOf, contactColumns, pageColumns } from './contact-row.ts'

export interface Columns {
  /** Part of the statement's name. */
  name: string
  columns: readonly string[]
}

const whole: Columns = { name: 'whole', columns: pageColumns }

const fields = Object.entries(columnOf).map(([field, column]) => [field, [column]])
const columnsOf: Record<keyof Contact, readonly string[]> = {
  // The same keys as columnOf, which Object.fromEntries forgets.
  ...(Object.fromEntries(fields) as Record<keyof typeof columnOf, readonly string[]>),
  id: ['id'],
  orgId: ['org_id'],
  createdBy: ['created_by_type', 'created_by_id', 'created_by_name'],
  createdAt: ['created_at'],
  updatedAt: ['updated_at'],
  deletedAt: ['deleted_at'],
  version: ['version'],
}
// Whatever is selected, the page needs them: lists are sorted by them.
const always = ['id', 'created_at', 'updated_at']

// Fields of other nouns that a contact leads to by its id.
const byId = new Set<string>(['__typename'])
/** Says that a field of the schema needs of a contact its id alone. */
export const leadsById = (field: string): void => void byId.add(field)

// 32: more kinds of queries than apps have. Each is a prepared statement of its own in every connection; what comes later gets whole rows.
const mostShapes = 32
const shapes = new Map<string, Columns>()
const bySelection = new WeakMap<ReadonlySet<string>, Columns>()

/** The columns for fields of the schema. A field that is no column of its own may need any of them. */
export function columnsFor(fields: ReadonlySet<string> | undefined): Columns {
  if (!fields) return whole
  let columns = bySelection.get(fields)
  if (!columns) bySelection.set(fields, (columns = narrowed(fields)))
  return columns
}

function narrowed(fields: ReadonlySet<string>): Columns {
  const names = [...fields].filter(name => !byId.has(name))
  if (!names.every(isField)) return whole
  const wanted = new Set([...always, ...names.flatMap(name => columnsOf[name])])
  const columns = pageColumns.map((column, index) => (wanted.has(contactColumns[index] ?? '') ? column : 'null'))
  const key = columns.join()
  const known = shapes.get(key)
  if (known) return known
  if (wanted.size === contactColumns.length || shapes.size >= mostShapes) return whole
  const shape = { name: `part${shapes.size}`, columns }
  shapes.set(key, shape)
  return shape
}

const isField = (name: string): name is keyof Contact => Object.hasOwn(columnsOf, name)
