// The same for expressions that begin with several characters, whose examination takes a second each.

import { checkSync } from 'recheck'
import { expect, test } from 'vitest'
import { literals } from './support/regular-expressions.ts'

// At most a hundred steps from each character, by the numbers in them. The examination takes each number for a large one.
const bounded = new Set([
  'src/gateway/delivery/links.ts',
  'src/database/embedded/postmaster.ts',
  'src/kernel/search/numbers.ts',
  'src/contacts/imports/cells/phones.ts',
])

const mayBegin = ({ source }: { source: string }) => /[*+]|,\}/.test(source) && !source.startsWith('^')
const isSlow = (source: string, flags: string) => checkSync(source, flags, { timeout: 30_000 }).status === 'vulnerable'

test('none of them is slow', () => {
  const found = literals.filter(mayBegin).filter(({ source, flags }) => isSlow(source, flags))

  expect(found.filter(({ place }) => !bounded.has(place.split(':')[0] ?? ''))).toEqual([])
}, 300_000)

test.each([/<!--[\s\S]*?-->/, /foo[^;]*;/, /<.*UNTRUSTED/])('%s is found out', ({ source, flags }) => {
  expect(isSlow(source, flags)).toBe(true)
})
