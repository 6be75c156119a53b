// The parser of dates in words, by language. Loaded when somebody types one.

import { type Chrono, en } from 'chrono-node'
import * as de from 'chrono-node/de'

// Only in the United States the month comes first.
export const parserOf = (locale: string): Chrono =>
  locale.startsWith('de') ? german : locale === 'en' || locale === 'en-US' ? en.casual : en.GB

const german = de.casual.clone()
// "3.12." without a year, which the package does not read.
german.parsers.unshift({
  pattern: () => /(?<![\d.])(?:am\s+)?(\d{1,2})\.\s?(\d{1,2})\.(?!\d)/i,
  extract: (_context, match) => ({ day: Number(match[1]), month: Number(match[2]) }),
})
