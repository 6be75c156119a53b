// Prints, at the end of a run, what passed only when it was tried again, and fails a run in which more than two tests did.

import type { Reporter, TestModule } from 'vitest/node'

/** A busy machine may make one test miss its moment, or two. More is a fault that trying again would hide. */
export const mostRetried = 2

/** What to say of the tests that were tried again, by name, and whether there are too many of them. */
export function verdictOn(retried: readonly string[]): { lines: string[]; isTooMuch: boolean } {
  if (retried.length === 0) return { lines: [], isTooMuch: false }
  const isTooMuch = retried.length > mostRetried
  const end = isTooMuch ? [`More than ${mostRetried} tests were tried again: the run fails.`] : []
  return { lines: ['Tried again:', ...retried.map(name => `  ${name}`), ...end], isTooMuch }
}

export class RetriedReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const retried = modules.flatMap(module =>
      [...module.children.allTests()]
        .filter(test => (test.diagnostic()?.retryCount ?? 0) > 0)
        .map(test => `${module.relativeModuleId} > ${test.fullName} (${test.diagnostic()?.retryCount} times, then ${test.result().state})`),
    )
    const { lines, isTooMuch } = verdictOn(retried)
    for (const line of lines) console.log(line)
    if (isTooMuch) process.exitCode = 1
  }
}
