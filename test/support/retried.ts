// Prints at the end of a run which tests passed only after a retry, and fails a run with more than two of them.

import type { Reporter, TestModule } from 'vitest/node'

/** On a busy machine one or two tests may miss a timeout. More are a fault that retries would hide. */
const maxRetried = 2

/** The lines to print about retried tests, by name, and whether there are too many of them. */
export function verdictOn(retried: readonly string[]): { lines: string[]; isTooMuch: boolean } {
  if (retried.length === 0) return { lines: [], isTooMuch: false }
  const isTooMuch = retried.length > maxRetried
  const end = isTooMuch ? [`More than ${maxRetried} tests were tried again: the run fails.`] : []
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
