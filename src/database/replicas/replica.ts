// A replica: a standby by streaming replication, which reads may use while it follows the primary closely.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { batcher } from '../batcher.ts'
import type { Database } from '../client.ts'
import { placeOf } from '../connections/address.ts'
import type { Queries } from '../queries.ts'
import { clusterOf, replayedPosition } from './position.sql.ts'
import type { PrimaryLog } from './primary.ts'
import { readsOn } from './reads.ts'

export interface Replica {
  /** Reads of it; those that it cannot execute are repeated on the primary. */
  readonly reads: Queries
  isUsed(): boolean
  /** Resolves with whether it has replayed the log up to `position`. Waits for at most 100 ms; a replica that takes longer is left out. */
  reaches(position: number): Promise<boolean>
  /** Leaves it out until it has passed its checks again: the primary that it followed may be one no longer. */
  distrust(): void
  /** Decides whether it is used, within a second. Never rejects. */
  check(): Promise<void>
  close(): Promise<void>
}

// 100 ms: a replica in the same region is a few milliseconds behind. A read that waits longer is better answered by the primary.
const maxWaitMs = 100
const askAgainMs = 2
// With the interval between checks, a replica that does not answer is left out within 2 s.
const checkTimeoutMs = 1_000
// The checks in a row that a replica must pass before it is used: one that is behind again and again stays out.
const checksToPass = 4
const noAnswer = 'it does not answer'

export function createReplica(database: Database, primary: Queries, log: PrimaryLog, logger: Pick<Logger, 'info' | 'warn'>): Replica {
  const place = placeOf(database.url)
  let passed = 0
  let replayed = 0
  let reported = ''

  const isUsed = () => passed >= checksToPass
  const leaveOut = (reason: string) => {
    passed = 0
    if (reason !== reported) logger.warn(`The replica ${place} is left out: ${reason}`)
    reported = reason
  }
  const pass = () => {
    passed++
    if (passed !== checksToPass) return
    logger.info(`The replica ${place} is used for reads`)
    reported = ''
  }
  const ask = batcher<undefined, number | null>(
    async asking => {
      const [row] = await database.query(replayedPosition)
      return asking.map(() => row?.position ?? null)
    },
    { concurrency: 1 },
  )

  /** Undefined when it has replayed the log up to `position`; otherwise why not. */
  const whyNotAt = async (position: number): Promise<string | undefined> => {
    const deadline = performance.now() + maxWaitMs
    while (replayed < position) {
      const leftMs = deadline - performance.now()
      if (leftMs <= 0) return `it is more than ${maxWaitMs} ms behind the primary`
      const now = await Promise.race([ask(undefined), sleep(leftMs, undefined, { ref: false })])
      if (now === null) return 'it is no standby'
      if (now === undefined) return noAnswer
      replayed = Math.max(replayed, now)
      if (replayed < position) await sleep(askAgainMs)
    }
    return undefined
  }
  // Its address may lead to another server than before it was left out.
  const whyNotOurs = async (): Promise<string | undefined> => {
    replayed = (await ask(undefined)) ?? 0
    const [[own], cluster, { position }] = await Promise.all([database.query(clusterOf), log.cluster(), log.position()])
    if (own?.identifier !== cluster) return 'it follows another cluster than that of DATABASE_URL'
    // The position was read later, so a standby of this primary cannot be ahead of it. One that a failover has left behind is ahead until the
    // primary has written as much, and behind from then on.
    return replayed > position ? 'it has a log that the primary does not have: build it again from the primary' : undefined
  }
  const whyNot = async () => (isUsed() ? undefined : await whyNotOurs()) ?? (await whyNotAt((await log.position()).position))
  const decide = async (asking: () => Promise<string | undefined>): Promise<boolean> => {
    const reason = await asking().catch(sentenceOf)
    if (reason !== undefined) leaveOut(reason)
    return reason === undefined
  }

  return {
    reads: readsOn(database, primary, error => leaveOut(sentenceOf(error))),
    isUsed,
    reaches: position => decide(() => whyNotAt(position)),
    distrust: () => leaveOut('the primary has changed'),
    async check() {
      if (await decide(() => Promise.race([whyNot(), sleep(checkTimeoutMs, noAnswer, { ref: false })]))) pass()
    },
    close: () => database.close(),
  }
}

/** The message of the error that PostgreSQL or the connection reported. */
function sentenceOf(error: unknown): string {
  const { cause = error } = error as { cause?: unknown }
  return cause instanceof Error && cause.message ? cause.message : String((cause as { code?: unknown } | null)?.code)
}
