// Table definitions: the properties of a noun with their columns and SQL types. Column lists, row builders, values for inserts and updates,
// and partial selections are derived from them.

/**
 * ```ts
 * export const agents = table('voice_agents', {
 *   id: uuid,
 *   hostAppId: text.orNull(),                                  // a property's column is its name in snake_case: host_app_id
 *   status: text.as<AgentStatus>(),                            // the same column, a narrower type
 *   extraction: jsonb.as<Record<string, ExtractedField>>(),
 *   creditsCharged: bigint.converted(fromMicro, toMicro),      // the cell is not the value
 *   createdBy: object({ type: text.as<ActorType>(), id: text.orNull() }), // created_by_type and created_by_id, one property
 *   target: object({ id: text, app: text.named('host_app') }), // target_id, and a column that is named otherwise
 *   lineCount: integer.computed(of => `jsonb_array_length(${of}transcript)`), // read, never written
 *   searchText: text.writeOnly(),                              // written, never read
 *   loadedAgent: attached<Agent | null>(),                     // no column: undefined until a rule sets it
 * })
 * export type Agent = RowOf<typeof agents>
 *
 * // Reading. A selection is the columns and the rows that are built of them, so the two cannot disagree.
 * const { all } = agents
 * export const agentById = statement('agent_by_id', `select ${all.sql} from voice_agents where org_id = $1 and id = $2`, all)
 * const few = agents.select(['id', 'status'])                  // rows are Pick<Agent, 'id' | 'status'>
 * const joined = `select ${few.of('a')} from calls c join voice_agents a on ...` // a.id, a.status
 *
 * // Writing. `values` has the cells in the order of `columns`.
 * const changed = agents.values(['status', 'extraction'])
 * statement('agent_change', `update voice_agents set ${changed.assignments(2)} where id = $1`) // status = $2, extraction = $3
 * db.query(change, [id, ...changed.of(agent)])
 * const added = agents.values(['id', 'status'])
 * `insert into voice_agents (${added.columns}) values (${added.parameters()})`                 // $1, $2
 *
 * // Writing a set: one parameter of JSON, whose rows are `record`s.
 * `insert into voice_agents (${added.columns}) select ${added.columns} from json_to_recordset($1) as given (${added.definitions})`
 * db.query(insert, [JSON.stringify(agents.map(added.record))])
 * ```
 *
 * Rows of a statement that do not belong to a table are described with the same columns: `rows({ id: uuid, total: bigint })`.
 */

import { snakeCase } from '../kernel/input/case.ts'

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
interface Values<Row> {
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
  /** The cells by column, for JSON. Those that are null are left out: `json_to_recordset` reads them as null. */
  record(row: Row): Record<string, unknown>
}

type Access = 'read' | 'write' | 'both'

interface Options {
  name?: string
  isNullable?: boolean
  expression?: (of: string) => string
  read?: (cell: never) => unknown
  write?: (value: never) => unknown
  usual?: Usual
  isGiven?: boolean
}
type Usual = { literal: string | number | boolean | readonly [] | Readonly<Record<string, never>> } | { sameAs: string }

/** One column of a property. Each method returns a column of its own. */
export class Column<Value, Reach extends Access = 'both'> {
  declare readonly value: Value
  declare readonly reach: Reach
  readonly type: string
  readonly options: Options
  readonly access: Access

  constructor(type: string, options: Options = {}, access: Access = 'both') {
    this.type = type
    this.options = options
    this.access = access
  }

  #with<To, R extends Access = Reach>(options: Options, access: Access = this.access): Column<To, R> {
    return new Column<To, R>(this.type, { ...this.options, ...options }, access)
  }

  orNull(): Column<Value | null, Reach> {
    return this.#with({ isNullable: true })
  }
  /** A narrower type. The database or the rules that write the column guarantee it. */
  as<Narrow extends Value>(): Column<Narrow, Reach> {
    return this.#with({})
  }
  /** For a column that is not named like its property. */
  named(name: string): Column<Value, Reach> {
    return this.#with({ name })
  }
  /** A value that is stored in another form. Neither function is called with null. */
  converted<To>(read: (cell: Value) => To, write: (value: To) => unknown): Column<To, Reach> {
    return this.#with({ read, write })
  }
  /** Read from an expression. `of` is the table's name in the statement with a dot, or nothing. */
  computed(expression: (of: string) => string): Column<Value, 'read'> {
    return this.#with({ expression }, 'read')
  }
  writeOnly(): Column<Value, 'write'> {
    return this.#with({}, 'write')
  }
  /** The value of most rows. See `sparse`. */
  usually(literal: Value & Extract<Usual, { literal: unknown }>['literal']): Column<Value, Reach> {
    return this.#with({ usual: { literal } })
  }
  /** Equal in all rows of a page and known to the rule: `sparse` returns null, and the rule sets the property. */
  givenInPages(): Column<Value, Reach> {
    return this.#with({ isGiven: true })
  }
  /** Equal to the given property, which has one column, in most rows. See `sparse`. */
  usuallySameAs(property: string): Column<Value, Reach> {
    return this.#with({ usual: { sameAs: property } })
  }
}

type Parts = Readonly<Record<string, Column<unknown, 'both'>>>
type ValuesOf<Properties extends Parts> = {
  [Name in keyof Properties]: Properties[Name]['value']
}

/** A property that is an object of several columns. */
export class ObjectOf<Value> {
  declare readonly value: Value
  declare readonly reach: 'both'
  readonly parts: Parts
  readonly isNullable: boolean
  constructor(parts: Parts, isNullable = false) {
    this.parts = parts
    this.isNullable = isNullable
  }
  /** Null when its first column is null. */
  orNull(): ObjectOf<Value | null> {
    return new ObjectOf<Value | null>(this.parts, true)
  }
}

/** A property without a column, which a rule sets later. */
class Attached<Value> {
  declare readonly value: Value | undefined
  declare readonly reach: 'read'
}

type Field = Column<unknown, Access> | ObjectOf<unknown> | Attached<unknown>
type Fields = Readonly<Record<string, Field>>

export const uuid = new Column<string>('uuid')
export const text = new Column<string>('text')
export const textArray = new Column<string[]>('text[]')
export const boolean = new Column<boolean>('boolean')
export const smallint = new Column<number>('smallint')
export const integer = new Column<number>('integer')
/** Up to 2^53. */
export const bigint = new Column<number>('bigint')
export const real = new Column<number>('real')
export const double = new Column<number>('double precision')
/** ISO 8601 text with milliseconds and `Z`. */
export const timestamptz = new Column<string>('timestamptz')
/** `YYYY-MM-DD`. */
export const date = new Column<string>('date')
export const bytea = new Column<Buffer>('bytea')
export const jsonb = new Column<unknown>('jsonb')

/** A property of several columns, named after the property and its parts: `created_by_type`. */
export const object = <Properties extends Parts>(parts: Properties): ObjectOf<ValuesOf<Properties>> => new ObjectOf(parts)
export const attached = <Value>(): Attached<Value> => new Attached<Value>()

type ReadOf<Of extends Fields> = {
  -readonly [Name in keyof Of as Of[Name]['reach'] extends 'write' ? never : Name]: Of[Name]['value']
}
type WriteOf<Of extends Fields> = {
  [Name in keyof Of as Of[Name]['reach'] extends 'read' ? never : Name]: Of[Name]['value']
}

/** The type of the rows that are read from a table. */
export type RowOf<Of> = Of extends Table<infer Properties> ? ReadOf<Properties> : never

declare const unread: unique symbol
/** In the type of a property that may not have been read. No value has this type. */
export type Unread = typeof unread
/** A row of a list: it has the properties `Always`, and others only if the request selected them. */
export type Selected<Row, Always extends keyof Row> = Pick<Row, Always> & {
  readonly [Name in Exclude<keyof Row, Always>]?: Row[Name] | Unread
}

export interface Table<Of extends Fields> {
  readonly name: string
  /** All properties that can be read. */
  readonly all: Selection<ReadOf<Of>>
  /** Some properties. The rows have these and no others. */
  select<Name extends keyof ReadOf<Of>>(names: readonly Name[]): Selection<Pick<ReadOf<Of>, Name>>
  /**
   * The properties `always`, and those of `asked` that the table has. Each selection is another prepared statement on every connection, so
   * after 32 different ones all properties are read.
   */
  selectAsked<Always extends keyof ReadOf<Of>>(always: readonly Always[], asked: readonly string[]): Selection<Selected<ReadOf<Of>, Always>>
  /** Whether a row has all properties that can be read. */
  isWhole(row: object): row is ReadOf<Of>
  /** The columns of some properties for writing. Default: all properties that can be written. */
  values<Name extends keyof WriteOf<Of> = keyof WriteOf<Of>>(names?: readonly Name[]): Values<Pick<WriteOf<Of>, Name>>
}

export function table<Of extends Fields>(name: string, properties: Of): Table<Of> {
  const fields = Object.entries(properties)
  const isRead = ([, field]: Named) => !(field instanceof Column) || field.access !== 'write'
  const isWritten = ([, field]: Named) => !(field instanceof Attached) && !(field instanceof Column && field.access === 'read')
  const read = fields.filter(isRead)
  const all = selectionOf<ReadOf<Of>>(read, allKey)
  // A key is a number with a bit for each property.
  if (read.length > 53) throw new Error(`The table ${name} has more than 53 properties`)

  const keyOf = (wanted: ReadonlySet<PropertyKey>) =>
    read.reduce((bits, [property], index) => (wanted.has(property) ? bits + 2 ** index : bits), 0).toString(36)
  const chosen = <Row>(wanted: ReadonlySet<PropertyKey>, key: string) =>
    selectionOf<Row>(
      read.filter(([property]) => wanted.has(property)),
      key,
    )
  const known = new Map<string, Selection<unknown>>()

  return {
    name,
    all,
    select<Name extends keyof ReadOf<Of>>(names: readonly Name[]) {
      const wanted = new Set<PropertyKey>(names)
      return chosen<Pick<ReadOf<Of>, Name>>(wanted, keyOf(wanted))
    },
    selectAsked<Always extends keyof ReadOf<Of>>(always: readonly Always[], asked: readonly string[]) {
      const wanted = new Set<PropertyKey>([...always, ...asked])
      const key = keyOf(wanted)
      let selection = known.get(key)
      if (!selection) {
        // TypeScript does not see that whole rows, and those with `always`, are rows of this type, because `Of` is generic.
        if (known.size >= maxAsked) return all as Selection<unknown> as Selection<Selected<ReadOf<Of>, Always>>
        selection = chosen(wanted, key)
        known.set(key, selection)
      }
      return selection as Selection<Selected<ReadOf<Of>, Always>>
    },
    isWhole: (row): row is ReadOf<Of> => read.every(([property]) => property in row),
    values: names =>
      valuesOf(names ? names.map(property => [String(property), properties[property as keyof Of]]) : fields.filter(isWritten)),
  }
}

// Not a number in base 36, which the keys of other selections are: a request could select the properties whose key is a word.
const allKey = '*'

// More different selections than client apps have.
const maxAsked = 32

/** Rows of a statement that do not belong to a table. */
export const rows = <Of extends Fields>(properties: Of): Selection<ReadOf<Of>> => selectionOf(Object.entries(properties), allKey)

type Named = readonly [property: string, field: Field]

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

function selectionOf<Row>(fields: readonly Named[], key: string): Selection<Row> {
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

/** The usual value that null stands for in a sparse column; undefined when null means null. */
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
  return compiled(functions, `return cells => ({ ${members.join(', ')} })`)
}

function valuesOf<Row>(fields: readonly Named[]): Values<Row> {
  const cells = cellsOf(fields)
  const names = cells.map(({ name }) => name)
  const parameter = (from: number) => (_: unknown, index: number) => `$${from + index}`
  const written = valuesBuilder(cells, true) as (row: Row) => unknown[]
  const forJson = valuesBuilder(cells, false) as (row: Row) => unknown[]
  return {
    columns: names.join(', '),
    count: cells.length,
    definitions: cells.map(({ name, column }) => `${name} ${column.type}`).join(', '),
    parameters: (from = 1) => cells.map(parameter(from)).join(', '),
    assignments: (from = 1) => names.map((name, index) => `${name} = $${from + index}`).join(', '),
    of: written,
    record(row) {
      const record: Record<string, unknown> = {}
      for (const [index, value] of forJson(row).entries()) if (value !== null) record[names[index] as string] = value
      return record
    },
  }
}

/** Compiles `row => [row.id, row.email, ...]`. `isParameter`: JSON values are serialized to text; inside a JSON record they are not. */
function valuesBuilder(cells: readonly Cell[], isParameter: boolean): (row: never) => unknown[] {
  const functions: unknown[] = []
  const call = (of: unknown, value: string) => `f${functions.push(of) - 1}(${value})`
  const members = cells.map(({ column, value }) => {
    const { write } = column.options
    const stored = write ? call(write, value) : value
    const cell = isParameter && column.type === 'jsonb' ? call(JSON.stringify, stored) : stored
    const isOptional = column.options.isNullable || value.includes('?.')
    return isOptional ? (cell === value ? `${value} ?? null` : `${value} == null ? null : ${cell}`) : cell
  })
  return compiled(functions, `return row => [${members.join(', ')}]`)
}

const compiled = <Compiled>(functions: readonly unknown[], source: string): Compiled =>
  // The source determines the function; each caller states its type.
  new Function(...functions.map((_, index) => `f${index}`), source)(...functions) as Compiled
