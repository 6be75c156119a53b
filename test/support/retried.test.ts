// The report on tests that passed only when retried.

import { expect, test } from 'vitest'
import { verdictOn } from './retried.ts'

test('a run without retries prints nothing', () => {
  expect(verdictOn([])).toEqual({ lines: [], isTooMuch: false })
})

test('two retries are named', () => {
  expect(verdictOn(['a', 'b'])).toEqual({ lines: ['Tried again:', '  a', '  b'], isTooMuch: false })
})

test('a third one fails the run', () => {
  expect(verdictOn(['a', 'b', 'c'])).toEqual({
    lines: ['Tried again:', '  a', '  b', '  c', 'More than 2 tests were tried again: the run fails.'],
    isTooMuch: true,
  })
})
