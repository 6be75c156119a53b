// A prepared statement whose rows are built from their columns while the answer arrives, instead of from pg's arrays afterwards. Without it,
// pages take 20 to 28 % more server CPU. The server describes the columns once per statement instead of at each execution; without that, a
// page of 50 contacts (W1) takes 25 % more.
//
// Behind a pooler whose sessions the clients share (PgBouncer before 1.21, or without max_prepared_statements), a session keeps what another client
// has prepared. So the name says which text it is: it is executed by name, and where the session does not have it, it is prepared there and
// sent again; as the first of a transaction, which is begun again before. Planned each time, a page takes PostgreSQL 2.7 times as long.

import { createHash } from 'node:crypto'
import pg from 'pg'
import { AppError } from '../../kernel/errors.ts'
import { perObject } from '../../kernel/per-object.ts'
import type { Rows } from '../selection.ts'
import type { Statement } from '../statement.ts'
import { type Parse, parserOf } from './column-values.ts'

/** A client, pool or shared connection. pg's types do not declare that these accept query objects. */
interface QueryTarget {
  query(query: pg.Submittable, answer: (error: Error | null | undefined, result: never) => void): void
}

/** Where a statement is sent: outside a transaction, as the first of one, whose answer is awaited before anything else is sent, or later in one. */
export type Place = 'outside' | 'first' | 'later'

/** Sends the statement and resolves with its rows. */
export function queryRows<Row>(target: unknown, statement: Statement<Row>, values: readonly unknown[], place: Place): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    const answer = (error: Error | null | undefined, result: { rows: Row[] }) => (error ? reject(error) : resolve(result.rows))
    ;(target as QueryTarget).query(new RowQuery(statement, values, place) as unknown as pg.Submittable, answer)
  })
}

// Members of pg that its types omit. The version of pg is pinned.
interface DescribedConnection {
  describe(message: unknown): void
  close(message: { type: 'S'; name: string }): void
}
interface Internals {
  prepare(connection: DescribedConnection): void
  hasBeenParsed(connection: DescribedConnection): boolean
  handleError(error: Error & { code?: string }, connection: DescribedConnection): void
  name: string
  values: readonly unknown[]
  callback?: unknown
  /** The argument of the callback. */
  _results: unknown
  /** The error with which the query fails, once the server has sent the whole answer. */
  _canceledDueToError: unknown
}
const Query = pg.Query as unknown as new (text: string) => Internals

// The text of a named statement never changes, so neither do its columns while this process lives.
const parsersOf = new WeakMap<object, readonly (Parse | null)[]>()

/**
 * The most text of one answer, in characters. A page of 200 long calls fits. Without a limit, a page of rows that a tenant has filled takes all
 * memory of the process, and the answer to it as much again.
 */
const maxCharacters = 64_000_000

const tooLarge = () =>
  new AppError('INVALID', `These rows hold more than ${maxCharacters / 1e6} MB of text: ask for a smaller page, or for fewer fields`)

// A statement without result columns still counts its rows, but builds none.
const noColumns = () => undefined as never

// A name of 40 characters, of which PostgreSQL distinguishes 63.
const sharedNameOf = perObject(({ text }: Statement<unknown>) => `rolocom_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`)

// The session does not have the statement, or has it from before a migration that changed its columns.
const isToPrepareAnew = /^(26000|0A000)$/

class RowQuery<Row> extends Query {
  readonly #statement: Statement<Row>
  readonly #build: Rows<Row>['row']
  readonly #rows: Row[] = []
  readonly #place: Place
  #parsers: readonly (Parse | null)[] | undefined
  #characters = 0
  readonly #isForCaller: boolean
  /** How the session shares its prepared statements with other clients of a pooler, if it does. */
  #sharing: 'executed' | 'prepared' | undefined
  #send: ((query: pg.Submittable | string) => void) | undefined

  constructor(statement: Statement<Row>, values: readonly unknown[], place: Place) {
    const { name, text, rows } = statement
    // The fields are set below: pg would copy a config object with its property descriptors, which is slow.
    super(text)
    this.name = name
    this.values = values
    this.#statement = statement
    this.#build = rows?.row ?? noColumns
    this.#parsers = rows ? parsersOf.get(statement) : []
    this._results = { rows: this.#rows }
    this.#place = place
    this.#isForCaller = statement.isPage === true || statement.isShort === true || name === ''
  }

  /** Called for a named statement behind a pooler whose sessions are shared. `send` sends another query on the same connection. */
  shareName(send: (query: pg.Submittable | string) => void): void {
    // It could not be sent again: what the transaction has done would be lost.
    if (this.#place === 'later') {
      this.name = ''
      return
    }
    this.name = sharedNameOf(this.#statement)
    this.#sharing = 'executed'
    this.#send = send
  }

  override hasBeenParsed(connection: DescribedConnection): boolean {
    return this.#sharing ? this.#sharing === 'executed' : super.hasBeenParsed(connection)
  }

  override prepare(connection: DescribedConnection): void {
    // Another client may have prepared it in this session meanwhile. Closing a statement that there is not is no error.
    if (this.#sharing === 'prepared') connection.close({ type: 'S', name: this.name })
    super.prepare(this.#parsers ? withoutDescribe(connection) : connection)
  }

  override handleError(error: Error & { code?: string }, connection: DescribedConnection): void {
    if (this.#sharing === 'executed' && isToPrepareAnew.test(error.code ?? '')) this.#prepareAnew()
    else super.handleError(error, connection)
  }

  #prepareAnew(): void {
    // The failed transaction still has its session.
    if (this.#place === 'first') this.#send?.('ROLLBACK; BEGIN')
    const again = new RowQuery(this.#statement, this.values, this.#place)
    again.callback = this.callback
    again.#sharing = 'prepared'
    again.name = this.name
    this.#send?.(again as unknown as pg.Submittable)
  }

  handleRowDescription({ fields }: { fields: readonly { dataTypeID: number }[] }): void {
    this.#parsers = fields.map(({ dataTypeID }) => parserOf(dataTypeID))
    if (this.#statement.name) parsersOf.set(this.#statement, this.#parsers)
  }

  handleDataRow({ fields }: { fields: unknown[] }): void {
    const parsers = this.#parsers
    if (!parsers || this._canceledDueToError) return
    try {
      // Before they are parsed, which multiplies what they take.
      for (let i = 0; i < fields.length; i++) this.#characters += (fields[i] as string | null)?.length ?? 0
      if (this.#characters > maxCharacters && this.#isForCaller) throw tooLarge()
      for (let i = 0; i < fields.length; i++) {
        const parse = parsers[i]
        if (parse && fields[i] !== null) fields[i] = parse(fields[i] as string)
      }
      this.#rows.push(this.#build(fields as never[]))
    } catch (error) {
      this._canceledDueToError = error
      this.#rows.length = 0
    }
  }
}

// The same connection without the Describe message, which requests the columns.
const withoutDescribe = perObject(
  (connection: DescribedConnection): DescribedConnection => Object.create(connection, { describe: { value: () => {} } }),
)
