// Checks that install packages: each is a test, skipped where npm's registry cannot be reached.

import { test } from 'vitest'

// The codes by which npm says that it could not reach the registry.
const unreachable = /\b(ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENOTCACHED|ERR_SOCKET_TIMEOUT)\b/

export function check(name: string, work: (skip: (reason: string) => void) => Promise<void>): void {
  test(name, async ({ skip }) => {
    try {
      await work(skip)
    } catch (error) {
      const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
      if (unreachable.test(stderr)) skip("npm's registry cannot be reached")
      console.log(`${stdout.slice(-2_000)}${stderr.slice(-2_000)}`)
      throw error
    }
  })
}

export function ensure(isTrue: unknown, sentence: string): asserts isTrue {
  if (!isTrue) throw new Error(sentence)
}
