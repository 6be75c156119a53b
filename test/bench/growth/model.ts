// What a machine answers and stores, from what one request and one row were measured to take.

/** Microseconds of CPU of one request. */
interface Demand {
  server: number
  database: number
}

/**
 * Answers a second, of one process with a core of its own and a PostgreSQL with another, to callers each of whom sends the next request when
 * the last is answered: a closed network of two queues, by mean value analysis. Waiting for a disk is not in it, so it holds for reads.
 */
export function answersPerSecond({ server, database }: Demand, callers: number): number {
  let queued = { server: 0, database: 0 }
  let perMicrosecond = 0
  for (let count = 1; count <= callers; count++) {
    // A caller waits for those that are before it with one caller less.
    const stay = { server: server * (1 + queued.server), database: database * (1 + queued.database) }
    perMicrosecond = count / (stay.server + stay.database)
    queued = { server: perMicrosecond * stay.server, database: perMicrosecond * stay.database }
  }
  return perMicrosecond * 1e6
}

/** What a core is planned to be busy for, so that bursts do not queue for long. */
const plannedShare = 0.7

/** The cores that kinds of requests at these rates need: of servers, each with one process, and of PostgreSQL. */
export function coresFor(kinds: readonly { demand: Demand; perSecond: number }[]): Demand {
  const cores = (of: keyof Demand) =>
    Math.ceil(kinds.reduce((sum, { demand, perSecond }) => sum + (demand[of] * perSecond) / 1e6, 0) / plannedShare)
  return { server: cores('server'), database: cores('database') }
}

/** Bytes of a row with its part of the indexes, measured on a million of them or fewer. */
const bytesPerRow = { contact: 902, event: 535, idempotencyKey: 1132, call: 3239, suggestion: 971 }

/** Bytes that creates at this rate add in some days. Answers to an Idempotency-Key are kept for one. */
export const bytesOfCreates = (perDay: number, days: number): number =>
  perDay * (days * (bytesPerRow.contact + bytesPerRow.event) + Math.min(days, 1) * bytesPerRow.idempotencyKey)
