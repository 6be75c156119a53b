// A connection to PostgreSQL that checks its session before use, and whose end() always completes.

import { randomUUID } from 'node:crypto'
import type { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import pg from 'pg'
import { type Hosts, placeOf } from './address.ts'

/** The database is reachable but cannot be used. The message is a sentence for the operator. */
export class UnusableDatabase extends Error {}

export interface ConnectionOptions extends Omit<pg.ClientConfig, 'connectionString'> {
  hosts: Hosts
  /** Session settings, by their names in postgresql.conf. Not set behind a pooler, whose sessions are shared by its clients. */
  session?: Readonly<Record<string, string>>
  /** Accepts a standby, which takes no writes. Default: refused. */
  isReplica?: boolean | undefined
  /** Called when connecting has timed out. */
  onSilence?: () => void
}

// Members of pg that its types omit. The version of pg is pinned.
interface Internals {
  connection: EventEmitter & { stream: Socket }
  readyForQuery?: boolean
  processID: number | null
  getStartupConf(): Record<string, string>
  _handleReadyForQuery(message: unknown): void
}
const Client = pg.Client as unknown as new (options: pg.ClientConfig) => pg.Client & Internals

interface Session {
  isPooled: boolean
  isStandby: boolean
  zone: string
}

// The timeout of connecting: longer than any network needs, and short enough that a caller gets its 503.
export const settleMs = 4_500
// The timeout of end(): a server that has not closed the connection by then does not answer.
const endTimeoutMs = 1_000

export class Connection extends Client {
  readonly address: string
  /** Whether the connection leads through a pooler: consecutive transactions may then use different sessions. */
  isPooled = false
  /** Whether the pooler does not keep prepared statements (PgBouncer before 1.21). Statements are then sent without a name. */
  losesStatements = false
  /** The number of statements answered so far, errors included. */
  answers = 0
  readonly #options: ConnectionOptions

  constructor({ hosts, session, isReplica, onSilence, ...options }: ConnectionOptions) {
    const address = hosts.current()
    // TCP keepalive after 10 s, then ten times once a second: it detects a lost peer while no statement is sent.
    super({ keepAlive: true, keepAliveInitialDelayMillis: 10_000, ...options, connectionString: address })
    this.address = address
    this.#options = { hosts, isReplica, ...(session && { session }), ...(onSilence && { onSilence }) }
    // A failed connection also fails its running statements. Without a listener, an error of an idle connection would end the process.
    this.on('error', () => {})
    this.connection.on('errorMessage', ({ code = '' }: { code?: string }) => {
      // The next connection finds out again whether the pooler keeps statements.
      if (mixedUp.test(code)) this.cut(Object.assign(new Error('A prepared statement was lost'), { code }))
    })
  }

  /** Whether the server still owes the answer of a statement. */
  get isOwed(): boolean {
    return this.readyForQuery === false
  }

  get pid(): number {
    return this.processID ?? 0
  }

  /** Closes the socket at once; running statements fail with the reason. */
  cut(reason: Error): void {
    this.connection.stream.destroy(reason)
  }

  // Poolers accept this startup parameter and keep it for each client; they refuse statement_timeout and `options`.
  override getStartupConf(): Record<string, string> {
    return { ...super.getStartupConf(), TimeZone: 'UTC' }
  }

  // biome-ignore lint/suspicious/noExplicitAny: pg declares connect by overloads (promise and callback); both pass through.
  override connect(callback?: any): any {
    const begun = performance.now()
    const connected = new Promise<void>((resolve, reject) => super.connect((error: Error | null) => (error ? reject(error) : resolve())))
    const settled = connected
      .then(() => this.#settle())
      .catch((error: Error) => {
        this.#options.hosts.noteFailure(this.address)
        if (performance.now() - begun > settleMs * 0.9) this.#options.onSilence?.()
        this.cut(error)
        throw error
      })
    if (!callback) return settled.then(() => this)
    settled.then(() => callback(null, this), callback)
  }

  // An override instead of a listener, and no rest parameters below, because both would cost CPU for each statement.
  override _handleReadyForQuery(message: unknown): void {
    this.answers++
    super._handleReadyForQuery(message)
  }

  // biome-ignore lint/suspicious/noExplicitAny: as above.
  override query(query: any, values?: any, callback?: any): any {
    if (this.losesStatements && typeof query === 'object') query.name = ''
    return super.query(query, values, callback)
  }

  // biome-ignore lint/suspicious/noExplicitAny: as above.
  override end(callback?: any): any {
    const timer = setTimeout(() => this.connection.stream.destroy(), endTimeoutMs)
    timer.unref()
    this.once('end', () => clearTimeout(timer))
    return callback ? super.end(callback) : super.end()
  }

  async #settle(): Promise<void> {
    const timer = setTimeout(() => this.cut(silence()), settleMs)
    try {
      const { rows } = await super.query<Session>(sessionQuery(this.pid, this.#options.session))
      const [session] = rows
      this.isPooled = session?.isPooled ?? false
      if (this.isPooled) this.losesStatements = await this.#isNameLost()
      if (session?.isStandby && !this.#options.isReplica)
        throw new UnusableDatabase(
          `The database ${placeOf(this.address)} is a standby, which takes no writes: name the primary, or both as host1:port,host2:port`,
        )
      // In another time zone, times would be read and written hours off.
      if (session?.zone !== 'UTC')
        throw new UnusableDatabase(
          `The pooler before the database ${placeOf(this.address)} gives sessions in the time zone ${session?.zone}: run alter role ${this.user} set timezone to 'UTC'`,
        )
    } finally {
      clearTimeout(timer)
    }
  }

  // A pooler that keeps its clients' prepared statements (PgBouncer from 1.21 on, with max_prepared_statements) gives them names of its own in
  // the session.
  async #isNameLost(): Promise<boolean> {
    const name = `rolocom_${randomUUID()}`
    await super.query('BEGIN')
    const { rows } = await super.query<{ isInSession: boolean }>({ name, text: isInSession, values: [name] })
    const isLost = rows[0]?.isInSession !== false
    await super.query(isLost ? `DEALLOCATE "${name}"; COMMIT` : 'COMMIT')
    return isLost
  }
}

/**
 * Collects messages until the returned function is called, which sends all of them in one write. Each write costs a system call, and
 * wakes the backend.
 */
export function holdWrites(connection: pg.PoolClient): () => void {
  const { stream } = (connection as unknown as Internals).connection
  stream.cork()
  return () => stream.uncork()
}

/** Sends in one write what `send` sends before it returns. */
export function inOneWrite<Result>(connection: pg.PoolClient, send: () => Result): Result {
  const release = holdWrites(connection)
  try {
    return send()
  } finally {
    release()
  }
}

/** Connects to the first host that works. Each is tried once; throws the error of the last. */
export async function connectInTurn({ count }: Hosts, make: () => Connection): Promise<Connection> {
  for (let left = count - 1; ; left--) {
    const connection = make()
    try {
      await connection.connect()
      return connection
    } catch (error) {
      if (left === 0) throw error
    }
  }
}

/** The error of a statement that was not answered. */
export const silence = () => Object.assign(new Error('PostgreSQL did not answer in time'), { code: 'ETIMEDOUT' })

const isInSession = 'select exists (select from pg_prepared_statements where name = $1) as "isInSession"'

/** SQLSTATEs of a pooler that mixes up the prepared statements of its clients, such as one whose settings have changed. */
export const mixedUp = /^(26000|42P05)$/

// Sent in one round trip. A pooler gives its clients invented process ids, so an id that differs from the backend's reveals a pooler.
function sessionQuery(pid: number, session: Readonly<Record<string, string>> = {}): string {
  const settings = Object.entries({ TimeZone: 'UTC', ...session }).map(([name, value]) => `set_config('${name}', '${value}', false)`)
  return `select pg_backend_pid() <> ${pid} as "isPooled", pg_is_in_recovery() as "isStandby",
    case when pg_backend_pid() = ${pid} then (array[${settings.join(', ')}])[1] else current_setting('TimeZone') end as zone`
}
