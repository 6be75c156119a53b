// What of a row a query looks at: rows are made of that alone, which saves the database, the wire and the collector the rest.

/** A part of a table's columns, and the rows made of it. */
export interface Shape<Row> {
  /** Part of a statement's name. */
  name: string
  columns: readonly string[]
  row(cells: readonly never[]): Row
}

export interface Shapes<Row> {
  whole: Shape<Row>
  /** The column of each field of the schema that is simply a column. */
  columnOf: Readonly<Record<string, string>>
  /** Fields that are found by the columns which are always there. */
  found: readonly string[]
  /** The fields that every row has. */
  always: readonly string[]
  /** Properties that are no columns, and are filled in later. */
  later?: readonly string[]
}

// 32: more kinds of queries than apps have. Each is a prepared statement of its own in every connection; what comes later gets whole rows.
const mostShapes = 32

/** A function from fields of the schema to the shape that has them; whole rows where the fields are not known or not simple. */
export function shaping<Row>({
  whole,
  columnOf,
  found,
  always,
  later = [],
}: Shapes<Row>): (fields: ReadonlySet<string> | undefined) => Shape<Row> {
  const shapes = new Map<string, Shape<Row>>()
  const bySelection = new WeakMap<ReadonlySet<string>, Shape<Row>>()
  const free = new Set(['__typename', ...found])

  const narrowed = (fields: ReadonlySet<string>): Shape<Row> => {
    const wanted = [...new Set([...always, ...[...fields].filter(field => !free.has(field))])].toSorted()
    if (!wanted.every(field => Object.hasOwn(columnOf, field))) return whole
    const key = wanted.join()
    const known = shapes.get(key)
    if (known) return known
    if (shapes.size >= mostShapes) return whole
    const shape = { name: `part${shapes.size}`, columns: wanted.map(field => columnOf[field] ?? field), row: rowOf<Row>(wanted, later) }
    shapes.set(key, shape)
    return shape
  }
  return fields => {
    if (!fields) return whole
    let shape = bySelection.get(fields)
    if (!shape) bySelection.set(fields, (shape = narrowed(fields)))
    return shape
  }
}

function rowOf<Row>(columns: readonly string[], later: readonly string[]): (cells: readonly never[]) => Row {
  const fields = [...columns, ...later]
  const { length } = fields
  return cells => {
    // Always in one order, so that all rows of a shape have one hidden class.
    const row: Record<string, unknown> = {}
    for (let index = 0; index < length; index++) row[fields[index] as string] = cells[index]
    // Whoever asked for these fields looks at no others.
    return row as Row
  }
}
