import { expect, test } from 'vitest'
import { isStorable, storableJson, storableText } from '../../src/kernel/input/storable.ts'

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

test('a list of texts is repaired whole, and the index of `map` is not taken for a length', () => {
  const texts = ['first', 'se\0cond', 'third \ud800']

  expect(texts.map(text => storableText(text))).toEqual(['first', 'se\ufffdcond', 'third \ufffd'])
  // @ts-expect-error: the type check is the test.
  const refused = () => texts.map(storableText)
  expect(refused).toBeTypeOf('function')
  expect(Array(1001).fill('a').map(storableJson)).toEqual(Array(1001).fill('a'))
})
