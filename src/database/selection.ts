// The columns that statements read and write: as SQL, and the functions between a row's cells and its object.

import { snakeCase } from '../kernel/input/case.ts'
import { type Access, Attached, Column, type Field } from './column.ts'

/** How the rows of a statement are built from its columns. A test compares the names and types with those that PostgreSQL describes. */
export interface Rows<Row> {
  readonly described: readonly { readonly name: string; readonly type: string }[]
  readonly row: (cells: readonly never[]) => Row
}

/** Properties of a table and the columns that they are read from. */
export interface Selection<Row> extends Rows<Row> {
  /** Equal for equal properties, also in other processes. Part of a statement's name. */
  readonly key: string
  /** The columns, separated by commas. */
  readonly sql: string
  /** The columns, qualified with an alias of the table. */
  of(alias: string): string
  /**
   * The columns for pages: a column with its usual value is returned as null, which needs no bytes and no parsing. `exact`: columns that the
   * statement sorts by, which are returned unchanged.
   */
  sparse(...exact: readonly string[]): string
}

/** The columns that some properties of a row are written to. */
export interface Values<Row> {
  /** The names of the columns, separated by commas. */
  readonly columns: string
  readonly count: number
  /** Columns with their types, for `json_to_recordset`. */
  readonly definitions: string
  /** `$1, $2, ...` */
  parameters(from?: number): string
  /** `email = $1, phone = $2, ...` */
  assignments(from?: number): string
  /** The cells in the order of `columns`. */
  readonly of: (row: Row) => unknown[]
  /** The cells by column name, for JSON. Null cells are undefined, so JSON leaves them out, and `json_to_recordset` reads them as null. */
  record(row: Row): Record<string, unknown>
}

export type Named = readonly [property: string, field: Field]

/** A column of a table: its name, and the JavaScript expression of its value in a row. */
interface Cell {
  name: string
  column: Column<unknown, Access>
  value: string
}

function cellsOf(fields: readonly Named[]): Cell[] {
  return fields.flatMap(([property, field]) => {
    const value = `row[${JSON.stringify(property)}]`
    if (field instanceof Column) return [{ name: field.options.name ?? snakeCase(property), column: field, value }]
    if (field instanceof Attached) return []
    return Object.entries(field.parts).map(([part, column]) => ({
      name: column.options.name ?? `${snakeCase(property)}_${snakeCase(part)}`,
      column,
      value: `${value}${field.isNullable ? '?.' : ''}[${JSON.stringify(part)}]`,
    }))
  })
}

export function selectionOf<Row>(fields: readonly Named[], key: string): Selection<Row> {
  const cells = cellsOf(fields)
  const read = ({ name, column: { options } }: Cell, of: string) =>
    options.expression ? `${options.expression(of)} as ${name}` : `${of}${name}`
  const sparse = (cell: Cell) => {
    if (cell.column.options.isGiven) return `null as ${cell.name}`
    const usual = usualOf(cell, cells)
    return usual ? `nullif(${cell.name}, ${usual.sql}) as ${cell.name}` : read(cell, '')
  }
  return {
    key,
    described: cells.map(({ name, column }) => ({ name, type: column.type })),
    sql: cells.map(cell => read(cell, '')).join(', '),
    of: alias => cells.map(cell => read(cell, `${alias}.`)).join(', '),
    sparse: (...exact) => cells.map(cell => (exact.includes(cell.name) ? read(cell, '') : sparse(cell))).join(', '),
    row: rowBuilder(fields, cells) as (cells: readonly never[]) => Row,
  }
}

/** The usual value that null stands for in a sparse column; undefined when null is null. */
function usualOf({ column }: Cell, cells: readonly Cell[]): { sql: string; value: string } | undefined {
  const { usual } = column.options
  if (!usual) return undefined
  if ('literal' in usual) return { sql: sqlLiteral(usual.literal), value: JSON.stringify(usual.literal) }
  const name = snakeCase(usual.sameAs)
  const index = cells.findIndex(cell => cell.name === name)
  return index < 0 ? undefined : { sql: name, value: `cells[${index}]` }
}

function sqlLiteral(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return `'${typeof value === 'string' ? value.replaceAll("'", "''") : '{}'}'`
}

/**
 * Compiles `cells => ({ id: cells[0], email: cells[1], ... })`. With one object literal, all rows of a selection have one hidden class and
 * are built as fast as by handwritten code, unlike in a loop over the properties. The source contains only names of this program.
 */
function rowBuilder(fields: readonly Named[], all: readonly Cell[]): (cells: readonly never[]) => unknown {
  const functions: unknown[] = []
  let index = 0
  const next = (): string => {
    const cell = all[index]
    const value = `cells[${index++}]`
    if (!cell) return 'undefined'
    const { read, isNullable } = cell.column.options
    const usual = usualOf(cell, all)
    if (usual) return `${value} ?? ${usual.value}`
    if (!read) return value
    const converted = `f${functions.push(read) - 1}(${value})`
    return isNullable ? `${value} === null ? null : ${converted}` : converted
  }
  const members = fields.map(([property, field]) => {
    if (field instanceof Attached) return `${JSON.stringify(property)}: undefined`
    if (field instanceof Column) return `${JSON.stringify(property)}: ${next()}`
    const first = `cells[${index}]`
    const parts = Object.keys(field.parts).map(part => `${JSON.stringify(part)}: ${next()}`)
    return `${JSON.stringify(property)}: ${field.isNullable ? `${first} === null ? null : ` : ''}{ ${parts.join(', ')} }`
  })
  return compile(functions, `return cells => ({ ${members.join(', ')} })`)
}

export function valuesOf<Row>(fields: readonly Named[]): Values<Row> {
  const cells = cellsOf(fields)
  const names = cells.map(({ name }) => name)
  const parameter = (from: number) => (_: unknown, index: number) => `$${from + index}`
  return {
    columns: names.join(', '),
    count: cells.length,
    definitions: cells.map(({ name, column }) => `${name} ${column.type}`).join(', '),
    parameters: (from = 1) => cells.map(parameter(from)).join(', '),
    assignments: (from = 1) => names.map((name, index) => `${name} = $${from + index}`).join(', '),
    of: parametersBuilder(cells),
    record: recordBuilder(cells),
  }
}

/** Compiles `row => [row.id, row.email ?? null, ...]`. JSON values are serialized to text. */
function parametersBuilder<Row>(cells: readonly Cell[]): (row: Row) => unknown[] {
  const call = calls()
  const members = cells.map(cell => {
    const asText = (value: string) => (cell.column.type === 'jsonb' ? call(JSON.stringify, value) : value)
    return sourceOf(cell, 'null', call, asText)
  })
  return compile(call.functions, `return row => [${members.join(', ')}]`)
}

/**
 * Compiles `row => ({ id: row.id, email: row.email ?? undefined, ... })`. One object literal, so that all records have one hidden class: with
 * a loop over the cells, a create (W3) allocated 5 kB more.
 */
function recordBuilder<Row>(cells: readonly Cell[]): (row: Row) => Record<string, unknown> {
  const call = calls()
  const members = cells.map(cell => `${JSON.stringify(cell.name)}: ${sourceOf(cell, 'undefined', call)}`)
  return compile(call.functions, `return row => ({ ${members.join(', ')} })`)
}

/** The source of a cell's stored value, and `absent` where it is null. */
function sourceOf({ column, value }: Cell, absent: string, call: ReturnType<typeof calls>, also = (stored: string) => stored): string {
  const { write, isNullable } = column.options
  const cell = also(write ? call(write, value) : value)
  if (!isNullable && !value.includes('?.')) return cell
  return cell === value ? `${value} ?? ${absent}` : `${value} == null ? ${absent} : ${cell}`
}

/** Collects the functions that a source calls, and returns the source of each call. */
function calls() {
  const functions: unknown[] = []
  return Object.assign((of: unknown, value: string) => `f${functions.push(of) - 1}(${value})`, { functions })
}

const compile = <Compiled>(functions: readonly unknown[], source: string): Compiled =>
  // The source determines the function; each caller states its type.
  new Function(...functions.map((_, index) => `f${index}`), source)(...functions) as Compiled
