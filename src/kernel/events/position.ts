// A position in the outbox: which events a follower has received. Clients store it, so that they can resume after a disconnect.
//
// Events become visible when their transaction commits, so no stored number has their order. A position therefore names snapshots of
// PostgreSQL: the follower has every event of the first snapshot, and from each later snapshot the events up to a sequence number. A live
// follower has one later snapshot; each disconnect during a resume adds one.

import { z } from 'zod'
import { parseJson } from '../input/json-text.ts'

/** A snapshot of PostgreSQL: the next transaction id, and the ids of transactions that were running. */
export interface Snapshot {
  next: number
  running: readonly number[]
}

export interface Position {
  /** Identifies the PostgreSQL cluster. Transaction ids of another cluster are not comparable. */
  cluster: string
  /** When the position was taken, in seconds since 1970. Positions expire, because events do. */
  at: number
  /** The follower has received all events in this snapshot. */
  all: Snapshot
  /** From each of these later snapshots the follower has received the events up to `sequence`. */
  parts: readonly { snapshot: Snapshot; sequence: number }[]
}

interface Numbered {
  transactionId: number
  sequence: number
}

/** Parses the text of `pg_current_snapshot()`: `xmin:xmax:running,...`. */
export function snapshotOf(text: string): Snapshot {
  const [, next = '', running = ''] = text.split(':')
  return { next: Number(next), running: running ? running.split(',').map(Number) : [] }
}

/** Whether the writes of the transaction are visible in the snapshot. */
export const shows = ({ next, running }: Snapshot, transactionId: number): boolean =>
  transactionId < next && !running.includes(transactionId)

/** Whether a follower at the position has received the event. */
export const hasReceived = ({ all, parts }: Position, { transactionId, sequence }: Numbered): boolean =>
  shows(all, transactionId) || parts.some(part => sequence <= part.sequence && shows(part.snapshot, transactionId))

/** The smallest transaction id with events that a follower at the position may lack. */
export const firstMissing = ({ all }: Position): number => Math.min(all.next, ...all.running)

// 4: a client that lost its connection more often while it was resuming receives `read_afresh`.
const maxParts = 4

// Far more than the connections of a server. A position with more running transactions also leads to `read_afresh`.
const maxRunning = 1000
// The length in base64 of `maxParts` snapshots of `maxRunning` ids with 16 digits.
const maxLength = 128 * 1024

const snapshotCode = z.tuple([z.int().min(0), z.array(z.int().min(0)).max(maxRunning)])
const positionCode = z.tuple([z.string().max(40), z.int(), snapshotCode, z.array(z.tuple([z.int().min(0), snapshotCode])).max(maxParts)])

/**
 * The position as clients store it: JSON in base64url. Beyond `maxParts` or `maxRunning`, `at` is encoded as 0, so that resuming sends
 * `read_afresh`.
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

/** Null for a text that is not a position. */
export function decodePosition(text: string): Position | null {
  if (text.length > maxLength) return null
  try {
    const [cluster, at, all, parts] = positionCode.parse(parseJson(Buffer.from(text, 'base64url').toString()))
    return { cluster, at, all: snapshotIn(all), parts: parts.map(([sequence, code]) => ({ sequence, snapshot: snapshotIn(code) })) }
  } catch {
    return null
  }
}

const codeOf = ({ next, running }: Snapshot) => [next, running]
const snapshotIn = ([next, running]: z.infer<typeof snapshotCode>): Snapshot => ({ next, running })
