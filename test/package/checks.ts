// Checks of a round: each prints a line of its own, and the last line counts them.

const counts = { passed: 0, failed: 0, skipped: 0 }
// The codes by which npm says that it could not reach the registry.
const unreachable = /\b(ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENOTCACHED|ERR_SOCKET_TIMEOUT)\b/

/** Whether it passed. */
export async function check(name: string, work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    counts.passed++
    console.log(`passed   ${name}`)
    return true
  } catch (error) {
    const { message, stdout = '', stderr = '' } = error as Error & { stdout?: string; stderr?: string }
    if (unreachable.test(stderr)) skip(name, "npm's registry cannot be reached")
    else {
      counts.failed++
      console.log(`FAILED   ${name}\n${message.slice(-3_000)}\n${stdout.slice(-2_000)}${stderr.slice(-2_000)}`)
    }
    return false
  }
}

export function skip(name: string, reason: string): void {
  counts.skipped++
  console.log(`skipped  ${name}: ${reason}`)
}

export function ensure(isTrue: unknown, sentence: string): asserts isTrue {
  if (!isTrue) throw new Error(sentence)
}

/** Prints the counts. Returns the exit status. */
export function count(): number {
  const { passed, failed, skipped } = counts
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
  return failed > 0 ? 1 : 0
}
