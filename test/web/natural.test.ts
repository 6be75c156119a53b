// Dates in words: what people type for a task, in English and German.

import { describe, expect, test } from 'vitest'
import { findDate } from '../../src/web/task/natural.ts'
import { parserOf } from '../../src/web/task/parsers.ts'

// A Thursday, by the viewer's clock.
const now = new Date('2026-11-26T15:00:00Z')
const read = (locale: string, line: string) => {
  const found = findDate(parserOf(locale), line, now)
  return found && [found.rest, found.words, found.at]
}

describe('English', () => {
  test.each([
    ['Call about the offer tomorrow 9', 'Call about the offer', 'tomorrow 9', '2026-11-27T09:00'],
    ['tomorrow 9', '', 'tomorrow 9', '2026-11-27T09:00'],
    ['tomorrow at 9:30', '', 'tomorrow at 9:30', '2026-11-27T09:30'],
    ['fri', '', 'fri', '2026-11-27T09:00'],
    ['in 2 weeks', '', 'in 2 weeks', '2026-12-10T09:00'],
    ['Send it next monday 14:30', 'Send it', 'next monday 14:30', '2026-11-30T14:30'],
    ['Call at 5', 'Call', 'at 5', '2026-11-26T17:00'],
    ['Pay today', 'Pay', 'today', '2026-11-26T17:00'],
    ['Call back in 2h', 'Call back', 'in 2h', '2026-11-26T17:00'],
    ['Tomorrow 9 call Anna', 'call Anna', 'Tomorrow 9', '2026-11-27T09:00'],
    ['Write to her by friday', 'Write to her', 'friday', '2026-11-27T09:00'],
    ['Ring tonight', 'Ring', 'tonight', '2026-11-26T22:00'],
  ])('%s', (line, rest, words, at) => expect(read('en', line)).toEqual([rest, words, at]))

  test.each([
    'Order 2 sun chairs',
    'Fix 3 bugs',
    'Send the report of March',
    'Call Mary May',
    'Read part 9',
    'Sat nav repair',
    '',
  ])('no date: %s', line => expect(read('en', line)).toBeNull())

  test('the month comes first in the United States only', () => {
    expect(read('en-US', '12/3')).toEqual(['', '12/3', '2026-12-03T09:00'])
    expect(read('en-GB', '3/12')).toEqual(['', '3/12', '2026-12-03T09:00'])
  })
})

describe('German', () => {
  test.each([
    ['Wegen des Angebots anrufen morgen 9', 'Wegen des Angebots anrufen', 'morgen 9', '2026-11-27T09:00'],
    ['Anrufen morgen 9 Uhr', 'Anrufen', 'morgen 9 Uhr', '2026-11-27T09:00'],
    ['Fr', '', 'Fr', '2026-11-27T09:00'],
    ['in 2 Wochen', '', 'in 2 Wochen', '2026-12-10T09:00'],
    ['übermorgen', '', 'übermorgen', '2026-11-28T09:00'],
    ['Rechnung am 3.12.', 'Rechnung', 'am 3.12.', '2026-12-03T09:00'],
    ['Rede am Freitag um 10', 'Rede', 'am Freitag um 10', '2026-11-27T10:00'],
  ])('%s', (line, rest, words, at) => expect(read('de-AT', line)).toEqual([rest, words, at]))

  test.each(['So geht das', 'Drei Angebote schreiben'])('no date: %s', line => expect(read('de', line)).toBeNull())
})
