// Redis for counts that processes share. It is asked for a moment only: where it does not answer, each process counts alone for a while.

import type { Logger } from 'pino'

export interface SharedRedis {
  /** node-redis' client, for the library that counts. */
  client: Awaited<ReturnType<typeof connect>>
  /** Resolves or rejects as `inRedis` does, or where it is not quick enough, as `alone`. */
  ask<Result>(inRedis: () => Promise<Result>, alone: () => Promise<Result>): Promise<Result>
}

// 250 ms: a request does not wait longer for a count that this process can do without.
const patienceMs = 250
// 2 s: as long each process counts alone before one request tries again.
const aloneMs = 2_000
// A connection that is silent as often in a row may be dead, and only looks open.
const silencesToReconnect = 3

export async function connectRedis(url: string, log: Logger): Promise<SharedRedis> {
  const client = await connect(url, log)
  let silences = 0
  let aloneUntil = 0

  const silent = () => {
    aloneUntil = performance.now() + aloneMs
    if (silences++ === 0) log.warn('Redis does not answer; until it does, each process counts alone for the rate limits')
    if (silences % silencesToReconnect !== 0) return
    client.destroy()
    client.connect().catch(() => {})
  }
  const answered = () => {
    if (silences > 0) log.info('Redis answers again')
    silences = 0
  }

  return {
    client,
    async ask(inRedis, alone) {
      const now = performance.now()
      if (now < aloneUntil) return await alone()
      // One request tries; those beside it do not wait with it.
      if (silences > 0) aloneUntil = now + aloneMs
      const asked = inRedis()
      const { promise: late, resolve: giveUp } = Promise.withResolvers<'late'>()
      const timer = setTimeout(giveUp, patienceMs, 'late')
      const first = await Promise.race([asked.then(answered, answered), late])
      clearTimeout(timer)
      if (first !== 'late') {
        aloneUntil = 0
        return await asked
      }
      asked.catch(() => {})
      silent()
      return await alone()
    },
  }
}

async function connect(url: string, log: Logger) {
  // Loaded where it is used: it is a sixth of all modules of a start.
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
  // The process does not stay alive for it.
  client.unref()
  return client
}
