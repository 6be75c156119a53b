// Redis for counters that processes share. Each command has a short timeout; when Redis does not answer, each process counts alone for a
// while.

import type { Logger } from 'pino'

export interface SharedRedis {
  /** The client of node-redis, for the rate limiter's library. */
  client: Awaited<ReturnType<typeof connect>>
  /** Settles like `inRedis`, or like `alone` when Redis does not answer within the timeout. */
  ask<Result>(inRedis: () => Promise<Result>, alone: () => Promise<Result>): Promise<Result>
  /** Whether Redis answers, asked for the metrics. */
  isAnswering(): Promise<boolean>
}

// 250 ms: a request does not wait longer for Redis, because this process can count alone. The wait has five parts, and after each one the
// event loop reads arrived answers: if the process itself was occupied for 250 ms, the answer is there, and counting alone would double the
// limit.
const partMs = 50
const parts = 5
// 2 s: how long each process counts alone before one request tries Redis again.
const aloneMs = 2_000
// Consecutive timeouts after which the connection is replaced, because it may be dead although it is open.
const timeoutsToReconnect = 3

export async function connectRedis(url: string, log: Logger): Promise<SharedRedis> {
  const client = await connect(url, log)
  let timeouts = 0
  let aloneUntil = 0

  const noteTimeout = () => {
    aloneUntil = performance.now() + aloneMs
    if (timeouts++ === 0) log.warn('Redis does not answer; until it does, each process counts alone for the rate limits')
    if (timeouts % timeoutsToReconnect !== 0) return
    client.destroy()
    client.connect().catch(() => {})
  }
  const noteAnswer = () => {
    if (timeouts > 0) log.info('Redis answers again')
    timeouts = 0
  }

  const shared: SharedRedis = {
    client,
    isAnswering: () =>
      client.isReady
        ? shared.ask(
            async () => (await client.ping()) === 'PONG',
            async () => false,
          )
        : Promise.resolve(false),
    async ask(inRedis, alone) {
      const now = performance.now()
      if (now < aloneUntil) return await alone()
      // One request tries Redis again; concurrent ones do not wait for it.
      if (timeouts > 0) aloneUntil = now + aloneMs
      const asked = inRedis()
      const patience = startPatience()
      const first = await Promise.race([asked.then(noteAnswer, noteAnswer), patience.late])
      patience.stop()
      if (first !== 'late') {
        aloneUntil = 0
        return await asked
      }
      asked.catch(() => {})
      noteTimeout()
      return await alone()
    },
  }
  return shared
}

function startPatience() {
  const { promise: late, resolve: giveUp } = Promise.withResolvers<'late'>()
  let timer: NodeJS.Timeout | undefined
  const wait = (left: number) => {
    // Immediates run after the sockets were read, timers before.
    timer = setTimeout(() => setImmediate(() => (left === 1 ? giveUp('late') : isStopped || wait(left - 1))), partMs)
  }
  let isStopped = false
  wait(parts)
  const stop = () => {
    isStopped = true
    clearTimeout(timer)
  }
  return { late, stop }
}

async function connect(url: string, log: Logger) {
  // Loaded only if it is used, because the package has many modules.
  const { createClient } = await import('redis')
  const client = createClient({
    url,
    disableOfflineQueue: true,
    socket: { connectTimeout: 2000, reconnectStrategy: attempt => Math.min(100 * attempt, 3000) },
  })
  let isAway = false
  client.on('ready', () => {
    isAway = false
  })
  client.on('error', (error: unknown) => {
    if (!isAway) log.warn({ err: error }, 'Redis is not reachable; until it is, each process counts alone for the rate limits')
    isAway = true
  })
  client.connect().catch(() => {})
  // The connection does not keep the process alive.
  client.unref()
  return client
}
