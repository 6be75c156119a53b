// A connection to PostgreSQL whose session is checked before it is used, and that ends for certain.

import type { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import pg from 'pg'
import { type Hosts, placeOf } from './address.ts'

/** A database that answers and cannot be used, in a sentence for the operator. */
export class UnusableDatabase extends Error {}

export interface ConnectionOptions extends Omit<pg.ClientConfig, 'connectionString'> {
  hosts: Hosts
  /** Session settings, by their names in postgresql.conf. Set where the session is our own: behind a pooler it is everybody's. */
  session?: Readonly<Record<string, string>>
  /** Called where connecting took as long as it may. */
  onSilence?: () => void
}

// What pg has and its types leave out. Its version is pinned.
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

// Longer than any network takes; within it a caller has been answered 503.
export const settleMs = 4_500
// After that the goodbye will not be heard either.
const goodbyeMs = 1_000

export class Connection extends Client {
  readonly address: string
  /** Whether a pooler stands between: a session is then nobody's, and a prepared statement may be on another one. */
  isPooled = false
  /** Statements answered so far, errors included. */
  answers = 0
  readonly #options: ConnectionOptions

  constructor({ hosts, session, onSilence, ...options }: ConnectionOptions) {
    const address = hosts.current()
    // 10 s, then once a second, ten times: a peer that is gone is found without a statement.
    super({ keepAlive: true, keepAliveInitialDelayMillis: 10_000, ...options, connectionString: address })
    this.address = address
    this.#options = { hosts, ...(session && { session }), ...(onSilence && { onSilence }) }
    // Statements under way are told. Without a listener an idle connection that breaks would end the process.
    this.on('error', () => {})
  }

  /** Whether the server owes an answer. */
  get isOwed(): boolean {
    return this.readyForQuery === false
  }

  get pid(): number {
    return this.processID ?? 0
  }

  /** Closes it without a goodbye; statements under way end with the reason. */
  cut(reason: Error): void {
    this.connection.stream.destroy(reason)
  }

  // A startup parameter that poolers know and keep for each client; statement_timeout and `options` they refuse.
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
        this.#options.hosts.failed(this.address)
        if (performance.now() - begun > settleMs * 0.9) this.#options.onSilence?.()
        this.cut(error)
        throw error
      })
    if (!callback) return settled.then(() => this)
    settled.then(() => callback(null, this), callback)
  }

  // No listener of its own, and no rest parameters below: each statement would pay for them.
  override _handleReadyForQuery(message: unknown): void {
    this.answers++
    super._handleReadyForQuery(message)
  }

  // biome-ignore lint/suspicious/noExplicitAny: as above.
  override query(query: any, values?: any, callback?: any): any {
    if (this.isPooled && typeof query === 'object' && query.name) query.name = ''
    return super.query(query, values, callback)
  }

  // biome-ignore lint/suspicious/noExplicitAny: as above.
  override end(callback?: any): any {
    const timer = setTimeout(() => this.connection.stream.destroy(), goodbyeMs)
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
      if (session?.isStandby)
        throw new UnusableDatabase(
          `The database ${placeOf(this.address)} is a standby, which takes no writes: name the primary, or both as host1:port,host2:port`,
        )
      // Times would be read and written hours off.
      if (session?.zone !== 'UTC')
        throw new UnusableDatabase(
          `The pooler before the database ${placeOf(this.address)} gives sessions in the time zone ${session?.zone}: run alter role ${this.user} set timezone to 'UTC'`,
        )
    } finally {
      clearTimeout(timer)
    }
  }
}

/** Connects to the host that serves, each tried once: one that fails moves on to the next. Throws what the last one failed with. */
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

/** What a statement ends with that is not answered. */
export const silence = () => Object.assign(new Error('PostgreSQL did not answer in time'), { code: 'ETIMEDOUT' })

// One round trip. A pooler gives its clients process ids of its own making, so that ours tells whether the session is ours to set.
function sessionQuery(pid: number, session: Readonly<Record<string, string>> = {}): string {
  const settings = Object.entries({ TimeZone: 'UTC', ...session }).map(([name, value]) => `set_config('${name}', '${value}', false)`)
  return `select pg_backend_pid() <> ${pid} as "isPooled", pg_is_in_recovery() as "isStandby",
    case when pg_backend_pid() = ${pid} then (array[${settings.join(', ')}])[1] else current_setting('TimeZone') end as zone`
}
