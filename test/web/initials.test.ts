// Initials of names, as lists and cards show them.

import { expect, test } from 'vitest'
import { initialsOf } from '../../src/web/language/characters.ts'

test.each([
  ['Ada Lovelace', 'AL'],
  ['ada@example.com', 'AD'],
  ['Alder & Finch', 'AF'],
  ['  Thistle  & Co ', 'TC'],
  ['A', 'A'],
  ['👩‍🚀🏳️‍🌈', '👩‍🚀🏳️‍🌈'],
  ['! ? .', '! '],
  ['', ''],
])('of %s', (name, initials) => {
  expect(initialsOf(name)).toBe(initials)
})
