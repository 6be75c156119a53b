// The type of a custom field that fits the values of a column. Pure.

import type { CustomFieldType } from '../../custom-fields/field.sql.ts'
import { webAddressIn } from './addresses.ts'
import { isPlaceholder } from './cell.ts'
import { readMoment } from './dates.ts'
import { numberIn, yesOrNoIn } from './numbers.ts'

// A column with few different values that come again is a choice.
const mostOptions = 12
const leastValues = 6
const longestOption = 40

const isRead = (cell: { value?: unknown; warnings: readonly string[] }) => cell.value !== undefined && cell.warnings.length === 0

const fitting: readonly { type: CustomFieldType; fits(text: string): boolean }[] = [
  { type: 'boolean', fits: text => isRead(yesOrNoIn(text)) && !/^[01]$/.test(text) },
  // An id or a number that is dialled loses its zeros as a number.
  { type: 'number', fits: text => isRead(numberIn(text)) && !/^(?:\+|0\d)/.test(text) && text.length < 12 },
  { type: 'date', fits: text => readMoment(text, null) !== null },
  { type: 'url', fits: text => /^(?:https?:|www\.)/i.test(text) && isRead(webAddressIn(text)) },
]

export function typeOf(given: readonly string[]): { type: CustomFieldType; options: string[] } {
  const values = given.filter(value => !isPlaceholder(value))
  if (values.length === 0) return { type: 'text', options: [] }
  const found = fitting.find(({ fits }) => values.every(value => fits(value)))
  if (found) return { type: found.type, options: [] }
  const different = [...new Set(values)]
  const isChoice = values.length >= leastValues && different.length <= Math.min(mostOptions, values.length / 2)
  return isChoice && different.every(value => value.length <= longestOption)
    ? { type: 'select', options: different }
    : { type: 'text', options: [] }
}
