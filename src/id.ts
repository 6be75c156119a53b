// Ids: UUIDs of version 7 (RFC 9562), in the order in which a process makes them.

import { randomFillSync } from 'node:crypto'
import { v7 } from 'uuid'

// Asking the system for 16 bytes takes as long as for a page of them, and longer than all the rest of an id.
const pool = new Uint8Array(4096)
let used = pool.length
let lastMs = 0
let seq = 0

export function newId(): string {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const random = pool.subarray(used, used + 16)
  used += 16
  const now = Date.now()
  // 31 random bits of the 32 that may be counted up within a millisecond, or while the clock is behind.
  if (now > lastMs) {
    lastMs = now
    seq = ((random[0] ?? 0) << 23) | ((random[1] ?? 0) << 15) | ((random[2] ?? 0) << 7) | ((random[3] ?? 0) >> 1)
  } else seq += 1
  return v7({ random, msecs: lastMs, seq })
}
