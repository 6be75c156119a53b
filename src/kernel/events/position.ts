// A position in the outbox: which events a follower has received. It survives the connection, so that a client can resume.
//
// Events become visible when their transaction commits, in no order of any stored number. A position therefore names snapshots of
// PostgreSQL: the follower has every event of the first one, and of each later one those up to a sequence number. Following live there is one
// later snapshot; a client that disconnects again while it resumes adds one.

import { z } from 'zod'

/** A snapshot of PostgreSQL: the next transaction id, and the ids of transactions that were running. */
export interface Snapshot {
  next: number
  running: readonly number[]
}

export interface Position {
  /** Identifies the PostgreSQL cluster: transaction ids of another one mean something else. */
  cluster: string
  /** When the position was taken, in seconds since 1970: events are not kept for ever. */
  at: number
  /** The follower has all events that this snapshot shows. */
  all: Snapshot
  /** Of the events that a later snapshot shows it has those up to `sequence`. */
  parts: readonly { snapshot: Snapshot; sequence: number }[]
}

interface Numbered {
  transactionId: number
  sequence: number
}

/** The snapshot that `pg_current_snapshot()` prints as `xmin:xmax:running,...`. */
export function snapshotOf(text: string): Snapshot {
  const [, next = '', running = ''] = text.split(':')
  return { next: Number(next), running: running ? running.split(',').map(Number) : [] }
}

/** Whether the snapshot shows what the transaction wrote. */
export const shows = ({ next, running }: Snapshot, transactionId: number): boolean =>
  transactionId < next && !running.includes(transactionId)

/** Whether a follower at the position has received the event. */
export const hasReceived = ({ all, parts }: Position, { transactionId, sequence }: Numbered): boolean =>
  shows(all, transactionId) || parts.some(part => sequence <= part.sequence && shows(part.snapshot, transactionId))

/** The smallest transaction id whose events a follower at the position may not have received. */
export const firstMissing = ({ all }: Position): number => Math.min(all.next, ...all.running)

// 4: a client that lost its connection more often than that while it was resuming reads afresh.
const maxParts = 4

// Far more than the connections of a server. A position with more reads afresh, too.
const maxRunning = 1000
// `maxParts` and `maxRunning` of 16 digits, in base64.
const maxLength = 128 * 1024

const snapshotCode = z.tuple([z.int().min(0), z.array(z.int().min(0)).max(maxRunning)])
const positionCode = z.tuple([z.string().max(40), z.int(), snapshotCode, z.array(z.tuple([z.int().min(0), snapshotCode])).max(maxParts)])

/**
 * The position as clients keep it: base64url of JSON. Beyond `maxParts`, `at` is encoded as 0, so that resuming sends `read_afresh`; likewise
 * beyond `maxRunning`.
 */
export function encodePosition({ cluster, at, all, parts }: Position): string {
  const isKept = parts.length <= maxParts && [all, ...parts.map(part => part.snapshot)].every(({ running }) => running.length <= maxRunning)
  const code = [
    cluster,
    isKept ? at : 0,
    isKept ? codeOf(all) : [0, []],
    isKept ? parts.map(part => [part.sequence, codeOf(part.snapshot)]) : [],
  ]
  return Buffer.from(JSON.stringify(code)).toString('base64url')
}

/** Null for a text that is no position. */
export function decodePosition(text: string): Position | null {
  if (text.length > maxLength) return null
  try {
    const [cluster, at, all, parts] = positionCode.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
    return { cluster, at, all: snapshotIn(all), parts: parts.map(([sequence, code]) => ({ sequence, snapshot: snapshotIn(code) })) }
  } catch {
    return null
  }
}

const codeOf = ({ next, running }: Snapshot) => [next, running]
const snapshotIn = ([next, running]: z.infer<typeof snapshotCode>): Snapshot => ({ next, running })
