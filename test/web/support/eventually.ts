// Waits until what is read again and again is what is expected.

import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

const patienceMs = 30_000

/** Fails with the last value. */
export async function eventually<Value>(read: () => Promise<Value>, expected: Value): Promise<void> {
  const deadline = Date.now() + patienceMs
  for (;;) {
    const value = await read()
    if (JSON.stringify(value) === JSON.stringify(expected) || Date.now() > deadline) return assert.deepEqual(value, expected)
    await sleep(100)
  }
}
