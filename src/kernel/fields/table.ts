// Field tables: the fields of a noun that callers may set, each declared once. Columns, rows, readers, bounds, and the outputs and inputs of
// GraphQL follow from the table.

import type { Column } from '../../database/column.ts'
import { integer, text as textColumn, timestamptz } from '../../database/table.ts'
import { bounded, invalid, type Read, text, time } from '../input/fields.ts'
import { at, Invalid, oneOf, type Problem } from '../input/problem.ts'
import type { Enumeration } from './enumeration.ts'

/** GraphQL scalars by name, with the values that callers give. Addresses are given as texts, so that the reader can describe the problem. */
interface Scalars {
  String: string
  ID: string
  EmailAddress: string
  URL: string
  Boolean: boolean
  Int: number
  DateTime: Date
  Date: Date
  JSONObject: Readonly<Record<string, unknown>>
}
/** The type of a field in GraphQL: a scalar, a list of one, or an enumeration. */
export type FieldType = keyof Scalars | readonly [keyof Scalars] | Enumeration

type GivenAs<Type> = Type extends keyof Scalars
  ? Scalars[Type]
  : Type extends readonly [infer Item extends keyof Scalars]
    ? readonly Scalars[Item][]
    : Type extends Enumeration<infer Value>
      ? Value
      : never

interface Declared {
  /** Description of the output. */
  readonly is: string
  /** Description of the input. Default: the maximum length, or else the description of the output. */
  readonly takes?: string
  /** Enrichment may suggest values of this type. Default: only people set the field. */
  readonly suggestedAs?: 'text' | 'email' | 'phone' | 'url' | 'domain' | 'country' | 'timezone' | 'number'
  /** Charts may count rows by the field; its description there. */
  readonly countedBy?: string
}

interface Field<Given, Stored> extends Declared {
  readonly column: Column<Stored>
  readonly type: FieldType
  readonly read: Read<Given, Stored>
  /** The stored value of a new row, and after null; the problem if null is refused. */
  readonly empty: Stored | Invalid
}
export type FieldTable = Readonly<Record<string, Field<never, unknown>>>

export type GivenOf<Of> = Of extends Field<infer Given, infer _> ? Given : never
/** The input of a rule. An absent field stays unchanged, null clears it. */
export type InputOf<Of extends FieldTable> = { [Name in keyof Of]?: GivenOf<Of[Name]> | null }
/** The stored values. */
export type StoredIn<Of extends FieldTable> = { -readonly [Name in keyof Of]: Of[Name]['column']['value'] }

/** `default`: the value of a new row and after null, for a column that is never null. Without it, null is refused. */
export function field<Stored, const Type extends FieldType>(
  column: Column<Stored>,
  declared: Declared & {
    type: Type
    // `NoInfer`: otherwise a reader that returns null would make the column nullable.
    read: Read<GivenAs<Type>, NoInfer<Stored>>
    default?: NoInfer<Stored>
  },
): Field<GivenAs<Type>, Stored> {
  const { default: usual, ...rest } = declared
  // `as`: a nullable column's values include null.
  const empty = usual ?? (column.options.isNullable === true ? (null as Stored) : noValue(null, rest.type))
  return { ...rest, column, empty }
}

/** A nullable text of at most `max` characters. */
export const words = (max: number, is: string, more: Omit<Declared, 'is'> = {}): Field<string, string | null> =>
  field(textColumn.orNull(), { type: 'String', read: text(max), is, ...more })

/** A text of 1 to `max` characters. */
export const neededWords = (max: number, is: string, more: Omit<Declared, 'is'> = {}): Field<string, string> => {
  const read = text(max)
  return field(textColumn, { type: 'String', read: bounded(max, given => read(given) ?? noValue(given, 'String')), is, ...more })
}

/** The id of something that has no type here, such as a user. */
export const reference = (is: string, more: Omit<Declared, 'is'> = {}): Field<string, string | null> =>
  field(textColumn.orNull(), { type: 'ID', read: text(255), is, ...more })

export const moment = (is: string, more: Omit<Declared, 'is'> = {}): Field<Date, string | null> =>
  field(timestamptz.orNull(), { type: 'DateTime', read: time, is, ...more })

// The largest integer of GraphQL and of the column.
const maxCount = 2_147_483_647
const readCount = Object.assign((given: number) => (given < 0 ? invalid(given, 'greater_than_equal', { ge: 0 }) : given), {
  range: { minimum: 0, maximum: maxCount },
})

/** A whole number that is not negative. */
export const count = (is: string, more: Omit<Declared, 'is'> = {}): Field<number, number | null> =>
  field(integer.orNull(), { type: 'Int', read: readCount, is, ...more })

/** A reader that takes every value of the GraphQL type. */
export const asGiven = <Value>(given: Value): Value => given

export const fieldTable = <Of extends FieldTable>(fields: Of): Of => fields

// Object.keys, entries and fromEntries do not keep the key type; the keys are exactly the table's.
export const namesOf = <Of extends object>(fields: Of) => Object.keys(fields) as (keyof Of & string)[]
const entriesOf = <Of extends FieldTable>(fields: Of) => Object.entries(fields) as [keyof Of & string, FieldTable[string]][]
const mapFields = <Of extends FieldTable, To>(fields: Of, of: (field: Of[keyof Of & string]) => unknown): To =>
  Object.fromEntries(namesOf(fields).map(name => [name, of(fields[name])])) as To

/** The columns of the fields, for `table`. */
export const columnsOf = <Of extends FieldTable>(fields: Of): { [Name in keyof Of]: Of[Name]['column'] } =>
  mapFields(fields, ({ column }) => column)

/** The values of a new row. A field that has no default is `Invalid`. */
export const emptyOf = <Of extends FieldTable>(fields: Of): { [Name in keyof Of]: Of[Name]['empty'] } =>
  mapFields(fields, ({ empty }) => empty)

/** Validates the given values, and returns them as they are stored. Absent fields stay absent. The result has the problems of all fields. */
export function readFields<Of extends FieldTable>(fields: Of, input: InputOf<Of>): { fields: Partial<StoredIn<Of>>; problems: Problem[] } {
  const read: Partial<StoredIn<Of>> = {}
  const problems: Problem[] = []
  for (const [name, field] of entriesOf(fields)) {
    const given: unknown = input[name]
    if (given === undefined) continue
    const value = given === null ? field.empty : readField(field, given)
    if (value instanceof Invalid) for (const problem of at(name, value)) problems.push(problem)
    // `as`: each reader returns the type of its field.
    else read[name] = value as never
  }
  return { fields: read, problems }
}

/** Validates a value of one field, and returns it as it is stored. `given` has the type that the field takes. */
export const readField = ({ read }: FieldTable[string], given: unknown): unknown => read(given as never)

export const isEnumeration = (type: FieldType): type is Enumeration => typeof type === 'object' && 'meanings' in type

const noValue = (given: unknown, type: FieldType): Invalid =>
  isEnumeration(type)
    ? invalid(given, 'enum', { expected: oneOf(type.values.map(value => `'${value}'`)) })
    : invalid(given, 'string_too_short', { min_length: 1 })
