// What the end of a run says of tests that were skipped or tried again.

import { expect, test } from 'vitest'
import { type Outcome, verdictOn } from './reporter.ts'

const passed = (name: string, retries = 0): Outcome => ({ name, state: 'passed', retries })

test('a run in which every test passes at once prints nothing', () => {
  expect(verdictOn([passed('a'), passed('b')])).toEqual({ lines: [], isTooMuch: false })
})

test('a skipped test is named with its reason', () => {
  const skipped: Outcome = { name: 'a', state: 'skipped', retries: 0, note: 'pgbouncer is not installed' }

  expect(verdictOn([skipped])).toEqual({ lines: ['Skipped:', '  a: pgbouncer is not installed'], isTooMuch: false })
})

test('two tests that were tried again are named', () => {
  expect(verdictOn([passed('a', 1), passed('b', 2), passed('c')])).toEqual({
    lines: ['Tried again:', '  a (1 times, then passed)', '  b (2 times, then passed)'],
    isTooMuch: false,
  })
})

test('a third one fails the run', () => {
  const { lines, isTooMuch } = verdictOn([passed('a', 1), passed('b', 1), passed('c', 1)])

  expect(lines.at(-1)).toBe('More than 2 tests were tried again: the run fails.')
  expect(isTooMuch).toBe(true)
})
