// Telephone numbers in a cell of a file. Pure.

import { phonePattern } from '../../../kernel/input/problem.ts'
import { internationalNumber } from '../../contact/phone.ts'
import { type Cell, left } from './cell.ts'

// Programs write labels in front, and people what a number is for behind it.
const label = /^\s{0,9}(?:tel|fax)?\s{0,9}:?\s{0,9}(?:[\p{L}. ]{1,60}:)?\s{0,9}/iu
const extension = /[\s,;]{0,9}(?:ext(?:ension|n)?|x|#|durchwahl|dw|app|poste|interno)\s{0,9}[.:=]?\s{0,9}\(?(\d{1,8})\)?\s{0,9}$/i
const separators = /\s{0,9}(?:[;|\n]|:::|,(?=\s{0,9}[+(\d]{2})|\s\/\s|\s(?:or|and|und|oder|ou|et|y|o)\s)\s{0,9}/i

// Room for ten numbers with labels. Each part of a cell that may be a number is looked up in the plans of all countries, which takes 0.1 ms.
const maxLength = 500
const maxParts = 20

/**
 * The number as it is stored: in E.164 where `country` makes that certain, otherwise its digits as they are given. A cell has a warning for
 * what is not stored, such as an extension or a second number, and for a number that cannot be called.
 */
export function phoneIn(text: string, country: string | null): Cell {
  if (text.length > maxLength) return left(`is longer than ${maxLength} characters; write one number`)
  const plain = text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\p{Pd}/gu, '-')
    .replace(/\s/g, ' ')
    .trim()
  if (/^\+?\d+([.,]\d+)?e\+?\d+$/i.test(plain))
    return left('is a number that a spreadsheet has shortened; format its column as text, and save the file again')
  const [first, ...others] = numbersIn(plain, country)
  if (first === undefined) return left('is not a telephone number; write it as +14155550123')
  const warnings: string[] = []
  if (others.length > 0) warnings.push(`has several numbers; only ${first.value} is imported`)
  if (first.extension !== null) warnings.push(`has the extension ${first.extension}, which is left out, because a call cannot dial it`)
  if (!first.isInternational)
    warnings.push(
      country === null
        ? 'cannot be called without its country; write it as +14155550123, or set the country of the organization'
        : `is not for certain a number of ${country}, so it cannot be called; write it as +14155550123`,
    )
  return { value: first.value, warnings }
}

interface Found {
  value: string
  extension: string | null
  isInternational: boolean
}

function numbersIn(text: string, country: string | null): Found[] {
  const whole = numberIn(text, country)
  // 0171/1234567 is one number, and the other side of the slash in 030 1234567/030 7654321 is another.
  if (whole?.isInternational) return [whole]
  const parts = text.split(separators).flatMap(part => (isPair(part) ? part.split('/') : [part]))
  const found = parts.slice(0, maxParts).flatMap(part => numberIn(part, country) ?? [])
  const international = found.filter(({ isInternational }) => isInternational)
  if (found.length > 1) return [...international, ...found.filter(({ isInternational }) => !isInternational)]
  return whole ? [whole] : found
}

const digitsOf = (text: string) => text.replace(/\D/g, '')
const isPair = (text: string) => {
  const sides = text.split('/')
  return sides.length > 1 && sides.every(side => digitsOf(side).length >= 6)
}

function numberIn(text: string, country: string | null): Found | null {
  const bare = text.replace(label, '')
  const parsed = internationalNumber(bare, country)
  if (parsed) return { value: parsed.number, extension: parsed.extension, isInternational: true }
  const ended = extension.exec(bare)
  const national = (ended ? bare.slice(0, ended.index) : bare).replaceAll('/', ' ').replace(/\s+/g, ' ').trim()
  if (!phonePattern.test(national) || digitsOf(national).length < 3) return null
  return { value: national, extension: ended?.[1] ?? null, isInternational: false }
}
