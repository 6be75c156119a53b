import { expect, test } from 'vitest'
import { isStorable, storableJson } from '../../src/kernel/input/storable.ts'

test.each([
  ['plain values', { a: [1, true, null, 'é 😀'] }, true],
  ['the six characters of an escape as plain text', { a: '\\u0000' }, true],
  ['a NUL character in a text', { a: ['x\0'] }, false],
  ['a NUL character in a name', { 'x\0': 1 }, false],
  ['half of a surrogate pair', { a: { b: '\ud83e' } }, false],
])('JSON with %s: can it be stored?', (_case, value, expected) => {
  expect(isStorable(value)).toBe(expected)
  expect(isStorable(storableJson(value))).toBe(true)
})
