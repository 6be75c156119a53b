// No regular expression of the sources takes more than linear time, whatever text it is given: most of it comes from outside.
//
// What to write instead: `(?<!x)x+$` for `x+$`, one set of characters beside another that it does not contain (`[^\s@]+@\S+` for
// `\S+@\S+`), a number for `*` and `+` (`{1,64}`), or `indexOf`, `split` and `trim`. What begins with several characters, such as
// `<!--[^]*?-->`, is examined by regular-expressions.long.test.ts.

import { analyse } from 'scslre'
import { expect, test } from 'vitest'
import { composed, literals } from './support/regular-expressions.ts'

/** How an expression can be slow: `Self` and `Trade` by dividing the same text in several ways, `Move` by beginning at every character. */
const slow = (source: string, flags: string) => [
  ...new Set(analyse(new RegExp(source, flags), { maxReports: 3 }).reports.map(({ type }) => type)),
]

test('none of them is slow', () => {
  const found = literals.map(({ place, source, flags }) => ({ place, source, how: slow(source, flags) }))

  expect(found.filter(({ how }) => how.length > 0)).toEqual([])
  expect(found.length).toBeGreaterThan(300)
}, 60_000)

test('few are put together at run time, of constants alone', () => {
  expect([...composed].toSorted()).toEqual([
    'src/database/migrations/script.ts',
    'src/gateway/payloads/payload.ts',
    'src/gateway/runs/untrusted.ts',
    'src/kernel/ids.ts',
    'src/kernel/search/fold.ts',
  ])
})

test.each([
  [/\.+$/, ['Move']],
  [/\s+[|]\s+/, ['Move']],
  [/^\S+@\S+$/, ['Trade']],
  [/^(\w+\s?)*$/, ['Self']],
  [/(?<!\.)\.+$/, []],
  [/^[^\s@]+@\S+$/, []],
])('%s is found out', (expression, how) => {
  expect(slow(expression.source, expression.flags)).toEqual(how)
})
