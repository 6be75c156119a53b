// The end of a run: skipped tests with their reason, tests that passed only when tried again, and the counts that CI adds up.

import { appendFileSync } from 'node:fs'
import type { Reporter, TestModule, Vitest } from 'vitest/node'

/** On a busy machine one or two tests may miss a timeout. More are a fault that retries would hide. */
const maxRetried = 2

export interface Outcome {
  name: string
  state: 'passed' | 'failed' | 'skipped'
  /** How many times it was tried again. */
  retries: number
  /** Why it was skipped. */
  note?: string | undefined
}

/** The lines to print, and whether too many tests were tried again. */
export function verdictOn(outcomes: readonly Outcome[]): { lines: string[]; isTooMuch: boolean } {
  const skipped = outcomes.filter(({ state }) => state === 'skipped')
  const retried = outcomes.filter(({ retries }) => retries > 0)
  const isTooMuch = retried.length > maxRetried
  const lines = [
    ...section(
      'Skipped:',
      skipped.map(({ name, note }) => (note ? `${name}: ${note}` : name)),
    ),
    ...section(
      'Tried again:',
      retried.map(({ name, retries, state }) => `${name} (${retries} times, then ${state})`),
    ),
    ...(isTooMuch ? [`More than ${maxRetried} tests were tried again: the run fails.`] : []),
  ]
  return { lines, isTooMuch }
}

const section = (title: string, names: readonly string[]) => (names.length > 0 ? [title, ...names.map(name => `  ${name}`)] : [])

/** TEST_COUNTS names a file to which each run appends a line: the numbers of tests passed, failed and skipped. */
export class EndReporter implements Reporter {
  #isFiltered = false

  onInit(vitest: Vitest): void {
    // With `-t` the tests of other names are skipped, which is no news.
    this.#isFiltered = vitest.config.testNamePattern !== undefined
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const outcomes = modules.flatMap(outcomesOf)
    const { lines, isTooMuch } = verdictOn(this.#isFiltered ? outcomes.filter(({ state }) => state !== 'skipped') : outcomes)
    for (const line of lines) console.log(line)
    if (isTooMuch) process.exitCode = 1
    const { TEST_COUNTS } = process.env
    const count = (state: Outcome['state']) => outcomes.filter(outcome => outcome.state === state).length
    const failed = count('failed') + (isTooMuch ? 1 : 0)
    if (TEST_COUNTS) appendFileSync(TEST_COUNTS, `${count('passed')} ${failed} ${count('skipped')}\n`)
  }
}

function outcomesOf(module: TestModule): Outcome[] {
  const outcomes = [...module.children.allTests()].map((test): Outcome => {
    const result = test.result()
    return {
      name: `${module.relativeModuleId} > ${test.fullName}`,
      // A test that never ran, because the run was interrupted, did not pass.
      state: result.state === 'pending' ? 'failed' : result.state,
      retries: test.diagnostic()?.retryCount ?? 0,
      note: result.state === 'skipped' ? result.note : undefined,
    }
  })
  // A file that could not be loaded, or whose `beforeAll` failed, has no test that failed.
  const isBroken = module.state() === 'failed' && !outcomes.some(({ state }) => state === 'failed')
  return isBroken ? [...outcomes, { name: module.relativeModuleId, state: 'failed', retries: 0 }] : outcomes
}
