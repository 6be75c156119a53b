// Amounts of money as people type them.

import { expect, test } from 'vitest'
import { decimalOf, moneyOf } from '../../src/web/language/amount.ts'

test.each([
  ['1250.50', '1250.50'],
  ['1250,50', '1250.50'],
  ['1.250,50', '1250.50'],
  ['1,250.50', '1250.50'],
  ['1 250 000,5', '1250000.5'],
  ["1'250'000.50", '1250000.50'],
  ['1,250,000', '1250000'],
  ['1.250.000', '1250000'],
  ['0.125', '0.125'],
  ['24500', '24500'],
])('%s is %s in every language', (text, decimal) => {
  for (const point of ['.', ',']) expect(decimalOf(text, point)).toBe(decimal)
})

test('what two languages read as two amounts is thousands in one, and no amount in the other', () => {
  expect([decimalOf('24,500', '.'), decimalOf('24.500', '.')]).toEqual(['24500', null])
  expect([decimalOf('24.500', ','), decimalOf('24,500', ',')]).toEqual(['24500', null])
})

test.each(['', 'a', '1.2.3', '1,25,000', '1.250,500.00', '-5', '1e3', '.5', '12.', '1,250.50.5'])('%j is no amount', text => {
  expect(decimalOf(text, '.')).toBeNull()
})

test.each([
  ['9000 eur', '9000 EUR'],
  ['1,250.50USD', '1250.50 USD'],
  ['1250', '1250'],
  ['EUR', null],
  ['12 euros', null],
])('%j with its currency is %j', (text, money) => {
  expect(moneyOf(text)).toBe(money)
})
