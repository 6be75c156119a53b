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

import { Attached, Column, type Fields, ObjectOf, type Parts, type ValuesOf } from './column.ts'
import { type Named, type Selection, selectionOf, type Values, valuesOf } from './selection.ts'

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
export const attachment = <Value>(): Attached<Value> => new Attached<Value>()

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
   * The properties `always`, and the properties of `asked` that the table has. Each selection is another prepared statement on every connection, so
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
  // Each property is one bit of the key, a JavaScript number.
  if (read.length > 53) throw new Error(`The table ${name} has more than 53 properties`)

  const keyOf = (wanted: ReadonlySet<PropertyKey>) =>
    read.reduce((bits, [property], index) => (wanted.has(property) ? bits + 2 ** index : bits), 0).toString(36)
  const selectionFor = <Row>(wanted: ReadonlySet<PropertyKey>, key: string) =>
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
      return selectionFor<Pick<ReadOf<Of>, Name>>(wanted, keyOf(wanted))
    },
    selectAsked<Always extends keyof ReadOf<Of>>(always: readonly Always[], asked: readonly string[]) {
      const wanted = new Set<PropertyKey>([...always, ...asked])
      const key = keyOf(wanted)
      let selection = known.get(key)
      if (!selection) {
        // Whole rows, and rows with `always`, are rows of this type; TypeScript cannot tell, because `Of` is generic.
        if (known.size >= maxAsked) return all as Selection<unknown> as Selection<Selected<ReadOf<Of>, Always>>
        selection = selectionFor(wanted, key)
        known.set(key, selection)
      }
      return selection as Selection<Selected<ReadOf<Of>, Always>>
    },
    isWhole: (row): row is ReadOf<Of> => read.every(([property]) => property in row),
    values: names =>
      valuesOf(names ? names.map(property => [String(property), properties[property as keyof Of]]) : fields.filter(isWritten)),
  }
}

// Other keys are numbers in base 36, and a selection's number may spell any word, so this key is not a word.
const allKey = '*'

// Client apps use fewer different selections than that.
const maxAsked = 32

/** Rows of a statement that do not belong to a table. */
export const rows = <Of extends Fields>(properties: Of): Selection<ReadOf<Of>> => selectionOf(Object.entries(properties), allKey)
