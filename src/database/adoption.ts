// Prisma inside a transaction that is open already: it is given that transaction's connection, and beginning and ending stay with the owner.

import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'
import { Connection, type ConnectionOptions, silence } from './connection.ts'
import type { PrismaClient } from './generated/client.ts'
import type { Watch } from './silence.ts'

export type Prisma = Omit<PrismaClient, '$connect' | '$disconnect' | '$on' | '$use' | '$extends' | '$transaction'>

// While set, the next connection that Prisma asks for is the one of the transaction already open.
const adopting = new AsyncLocalStorage<{ connection: pg.PoolClient; inTurn: InTurn }>()

export class Pool extends pg.Pool {
  readonly #hosts: number
  /** Set by its owner: what is watched for silence. */
  watch: Pick<Watch, 'isSilent'> | undefined

  constructor(options: ConnectionOptions & pg.PoolConfig) {
    // The pool makes its clients with the options it was given itself, which its types do not say.
    super({ ...options, Client: Connection as unknown as NonNullable<pg.PoolConfig['Client']> })
    this.#hosts = options.hosts.count
  }

  // biome-ignore lint/suspicious/noExplicitAny: pg declares connect by overloads (promise and callback); both pass through.
  override connect(callback?: any): any {
    const open = adopting.getStore()
    if (open && !callback) return Promise.resolve(adopted(open))
    if (this.#hosts === 1 && !this.watch?.isSilent()) return callback ? super.connect(callback) : super.connect()
    const connected = this.#connectInTurn()
    if (!callback) return connected
    connected.then(
      client => callback(undefined, client, client.release),
      (error: unknown) => callback(error, undefined, () => {}),
    )
  }

  // A connection that fails moves on to the next host.
  async #connectInTurn(): Promise<pg.PoolClient> {
    if (this.watch?.isSilent()) throw silence()
    for (let left = this.#hosts - 1; ; left--)
      try {
        return await super.connect()
      } catch (error) {
        if (left === 0 || (error as Error).message.startsWith('timeout exceeded')) throw error
      }
  }
}

/** Sends when what came before has been answered. */
export type InTurn = <Result>(send: () => Promise<Result>) => Promise<Result>

/** Resolvers side by side ask at the same time; a connection answers one after the other, and pg will not queue for us for ever. */
export function oneAfterAnother(): InTurn {
  let last: Promise<unknown> = Promise.resolve()
  return send => {
    const answered = last.then(send)
    last = answered.catch(() => {})
    return answered
  }
}

const transactionControl = /^(BEGIN|COMMIT|ROLLBACK)$/

// An open transaction's connection as Prisma sees it: beginning, ending and releasing it stay with its owner.
function adopted({ connection, inTurn }: { connection: pg.PoolClient; inTurn: InTurn }) {
  return {
    query(config: { text: string } | string, values?: unknown[]) {
      const text = typeof config === 'string' ? config : config.text
      if (transactionControl.test(text)) return Promise.resolve({ rows: [], fields: [], rowCount: 0, command: text })
      return inTurn(() => connection.query(config as string, values))
    },
    on() {},
    removeListener() {},
    release() {},
  }
}

// A transaction's Prisma, made when it is first asked for. A getter among the members of each transaction would give each a hidden class of
// its own, and those keep all that the transaction knew until the next full collection.
export class Adopted {
  readonly #adopt: () => Prisma
  #prisma: Prisma | undefined
  constructor(adopt: () => Prisma) {
    this.#adopt = adopt
  }
  get prisma(): Prisma {
    this.#prisma ??= this.#adopt()
    return this.#prisma
  }
}

// Prisma's interactive transaction API, laid over a transaction that is open already. Made only when a rule asks for it.
export function adopt(client: PrismaClient, connection: pg.PoolClient, inTurn: InTurn) {
  const finished = Promise.withResolvers<void>()
  const started = Promise.withResolvers<Prisma>()
  const whole = adopting.run({ connection, inTurn }, () =>
    client.$transaction(
      tx => {
        started.resolve(tx as unknown as Prisma)
        return finished.promise
      },
      // The owner's statement and idle timeouts rule; Prisma's must not fire before them.
      { timeout: 60_000, maxWait: 5_000 },
    ),
  )
  whole.catch(started.reject)
  return {
    prisma: delayed(started.promise),
    async end(commit: boolean) {
      if (commit) finished.resolve()
      else finished.reject(new Error('rolled back'))
      await whole.catch(() => {})
    },
  }
}

// Starting a Prisma transaction is asynchronous, `tx.prisma.model.method()` is not: the call waits for the start.
function delayed(started: Promise<Prisma>): Prisma {
  type Model = Record<string, (...args: unknown[]) => Promise<unknown>>
  const model = (name: string) =>
    new Proxy({} as Model, {
      get:
        (_target, method: string) =>
        async (...args: unknown[]) => {
          const tx = (await started) as unknown as Record<string, Model>
          return tx[name]?.[method]?.(...args)
        },
    })
  return new Proxy({} as Prisma, {
    get: (_target, name: string) =>
      name.startsWith('$') ? async (...args: unknown[]) => ((await started) as unknown as Model)[name]?.(...args) : model(name),
  })
}
