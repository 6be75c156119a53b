import { expect, test } from 'vitest'
import { checksum, isApiKey, newApiKey } from '../../../src/identity/keys/format.ts'

// Worked out apart from the code under test, with Python's zlib.crc32.
const vectors: [first36: string, check: string][] = [
  ['rcm_00000000000000000000000000000000', '1vb8vb'],
  ['rcm_0123456789ABCDEFGHIJKLMNOPQRSTUV', '2jpsSm'],
  ['rcm_abcdefghijklmnopqrstuvwxyzABCDEF', '35pRBp'],
  ['rcm_zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz', '19fOgD'],
]

test.each(vectors)('%s is completed by %s', (first36, check) => {
  expect(checksum(first36)).toBe(check)
  expect(isApiKey(first36 + check)).toBe(true)
})

test('a new key has the format and a valid checksum', () => {
  for (let i = 0; i < 1000; i++) {
    const key = newApiKey()
    expect(key).toMatch(/^rcm_[0-9A-Za-z]{38}$/)
    expect(isApiKey(key)).toBe(true)
  }
})

test('all digits are equally frequent', () => {
  const seen = new Map<string, number>()
  for (let i = 0; i < 5000; i++) for (const digit of newApiKey().slice(4, 36)) seen.set(digit, (seen.get(digit) ?? 0) + 1)

  // 160,000 digits, 2,581 of each expected, standard deviation 50: six of them in either direction.
  expect(seen.size).toBe(62)
  for (const count of seen.values()) expect(Math.abs(count - 160_000 / 62)).toBeLessThan(300)
})

test('one wrong character at any position is detected', () => {
  const key = newApiKey()
  for (let at = 4; at < key.length; at++) {
    const other = key[at] === 'x' ? 'y' : 'x'
    expect(isApiKey(key.slice(0, at) + other + key.slice(at + 1))).toBe(false)
  }
})

test.each([
  '',
  'rcm_',
  'RCM_',
  `${newApiKey()}x`,
  newApiKey().slice(0, -1),
  ` ${newApiKey()}`,
  newApiKey().replace('rcm_', 'rcm-'),
  `${newApiKey()}\n`,
])('%j is no key', text => {
  expect(isApiKey(text)).toBe(false)
})
