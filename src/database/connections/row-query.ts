// A prepared statement whose rows are built from their columns while the answer arrives, instead of from pg's arrays afterwards. Without it,
// pages take 20 to 28 % more server CPU. The server describes the columns once per statement instead of at each execution; without that, a
// page of 50 contacts (W1) takes 25 % more.

import pg from 'pg'
import { perObject } from '../../kernel/per-object.ts'
import type { Rows } from '../selection.ts'
import type { Statement } from '../statement.ts'
import { type Parse, parserOf } from './column-values.ts'
import type { RowTaker } from './data-rows.ts'

/** A client, pool or shared connection. pg's types do not declare that these accept query objects. */
interface QueryTarget {
  query(query: pg.Submittable, answer: (error: Error | null | undefined, result: never) => void): void
}

/** Sends the statement and resolves with its rows. */
export function queryRows<Row>(target: unknown, statement: Statement<Row>, values: readonly unknown[]): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    const answer = (error: Error | null | undefined, result: { rows: Row[] }) => (error ? reject(error) : resolve(result.rows))
    ;(target as QueryTarget).query(new RowQuery(statement, values) as unknown as pg.Submittable, answer)
  })
}

// Members of pg that its types omit. The version of pg is pinned.
interface DescribedConnection {
  describe(message: unknown): void
}
interface Internals {
  prepare(connection: DescribedConnection): void
  name: string
  values: readonly unknown[]
  /** The argument of the callback. */
  _results: unknown
  /** The error with which the query fails, once the server has sent the whole answer. */
  _canceledDueToError: unknown
}
const Query = pg.Query as unknown as new (text: string) => Internals

// The text of a named statement never changes, so neither do its columns while this process lives.
const parsersOf = new WeakMap<object, readonly (Parse | null)[]>()

// A statement without result columns still counts its rows, but builds none.
const noColumns = () => undefined as never

class RowQuery<Row> extends Query implements RowTaker {
  readonly #statement: Statement<Row>
  readonly #build: Rows<Row>['row']
  readonly #rows: Row[] = []
  #parsers: readonly (Parse | null)[] | undefined

  constructor(statement: Statement<Row>, values: readonly unknown[]) {
    const { name, text, rows } = statement
    // The fields are set below: pg would copy a config object with its property descriptors, which is slow.
    super(text)
    this.name = name
    this.values = values
    this.#statement = statement
    this.#build = rows?.row ?? noColumns
    this.#parsers = rows ? parsersOf.get(statement) : []
    this._results = { rows: this.#rows }
  }

  override prepare(connection: DescribedConnection): void {
    super.prepare(this.#parsers ? withoutDescribe(connection) : connection)
  }

  handleRowDescription({ fields }: { fields: readonly { dataTypeID: number }[] }): void {
    this.#parsers = fields.map(({ dataTypeID }) => parserOf(dataTypeID))
    if (this.#statement.name) parsersOf.set(this.#statement, this.#parsers)
  }

  // A row of which pg has read a part.
  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    this.takeRow(fields)
  }

  takeRow(fields: unknown[]): void {
    const parsers = this.#parsers
    if (!parsers || this._canceledDueToError) return
    try {
      for (let i = 0; i < fields.length; i++) {
        const parse = parsers[i]
        if (parse && fields[i] !== null) fields[i] = parse(fields[i] as string)
      }
      this.#rows.push(this.#build(fields as never[]))
    } catch (error) {
      this._canceledDueToError = error
    }
  }
}

// The same connection without the Describe message, which requests the columns.
const withoutDescribe = perObject(
  (connection: DescribedConnection): DescribedConnection => Object.create(connection, { describe: { value: () => {} } }),
)
