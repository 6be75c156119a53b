// Columns of tables: the SQL type, how a cell is read and written, and usual values that pages leave out.

export type Access = 'read' | 'write' | 'both'

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
  /** Declares the value that most rows have. See `sparse`. */
  usually(literal: Value & Extract<Usual, { literal: unknown }>['literal']): Column<Value, Reach> {
    return this.#with({ usual: { literal } })
  }
  /** Declares that all rows of a page have the same value, which the rule knows and sets. `sparse` returns null for it. */
  givenInPages(): Column<Value, Reach> {
    return this.#with({ isGiven: true })
  }
  /** Declares that most rows have the value of the given property, which has one column. See `sparse`. */
  usuallySameAs(property: string): Column<Value, Reach> {
    return this.#with({ usual: { sameAs: property } })
  }
}

export type Parts = Readonly<Record<string, Column<unknown, 'both'>>>
export type ValuesOf<Properties extends Parts> = {
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
  /** The object is null when its first column is null. */
  orNull(): ObjectOf<Value | null> {
    return new ObjectOf<Value | null>(this.parts, true)
  }
}

/** A property without a column, which a rule sets later. */
export class Attached<Value> {
  declare readonly value: Value | undefined
  declare readonly reach: 'read'
}

export type Field = Column<unknown, Access> | ObjectOf<unknown> | Attached<unknown>
export type Fields = Readonly<Record<string, Field>>
