// Telephone numbers in a cell of a file. Pure.

import { e164, phonePattern } from '../../../kernel/input/problem.ts'
import { internationalNumber } from '../../contact/phone.ts'
import { type Cell, leaveOut } from './cell.ts'
import { plainText, plainWord } from './characters.ts'

const begin = /[+(]{0,3} ?\d[\d ().+/-]{0,60}/g
// Digits that are dialled once somebody answers.
const extension =
  /^[ ,;/-]{0,4}\(?(?:ext(?:ension|n)?|durchwahl|dw|app|nst|poste|interno|int|anexo|ramal|доб|wait|pause|[x#pw])[ .:=]{0,3}(\d{1,8})\)?|^,{1,3} ?(\d{1,5})(?![\d-])/iu

// Room for ten numbers with labels. Each part of a cell that may be a number is looked up in the plans of all countries, which takes 0.1 ms.
const maxLength = 500
const maxNumbers = 20

/**
 * The number as it is stored: in E.164 where `country` makes that certain, otherwise its digits as they are given. A cell has a warning for
 * the parts that are not stored, such as an extension or a second number, and for a number that cannot be called.
 */
export function phoneIn(text: string, country: string | null): Cell {
  if (text.length > maxLength) return leaveOut(`is longer than ${maxLength} characters; write one number`)
  const plain = plainText(text)
    .replace(/[·•*_~\\]/g, ' ')
    .replace(/(?<!\+)\++/g, '+')
  if (/^\+?\d+([.,]\d+)?e\+?\d+$/i.test(plain))
    return leaveOut('is a number that a spreadsheet has shortened; format its column as text, and save the file again')
  const { numbers, words } = read(plain.replace(/^(\d{7,15})\.0$/, '$1'))
  const found = inOrder(numbers.flatMap(one => numbersIn(one, country)))
  const first = found.find(({ value }) => digitsOf(value).length >= (words.length > 0 ? 7 : 3))
  if (first === undefined) return leaveOut('is not a telephone number; write it as +14155550123')
  const warnings: string[] = []
  if (found.length > 1) warnings.push(`has several numbers; only ${first.value} is imported`)
  if (first.extension !== null) warnings.push(`has the extension ${first.extension}, which is left out, because a call cannot dial it`)
  if (words.length > 0) warnings.push(`has words beside the number, which are left out: ${words.join(' ')}`)
  if (!first.isInternational) warnings.push(doubtOf(first.value, country))
  return { value: first.value, warnings }
}

function doubtOf(value: string, country: string | null): string {
  if (e164.test(value.replace(/[ ().-]/g, ''))) return 'may not be a number that exists; check it'
  return country === null
    ? 'cannot be called without its country; write it as +14155550123, or set the country of the organization'
    : `may not be a number in ${nameOf(country)}, so it cannot be called; write it as +14155550123`
}

let names: Intl.DisplayNames | undefined
function nameOf(country: string): string {
  names ??= new Intl.DisplayNames('en', { type: 'region' })
  return names.of(country) ?? country
}

interface Found {
  value: string
  extension: string | null
  isInternational: boolean
}

interface Written {
  digits: string
  extension: string | null
}

/** The numbers of a text with their extensions, and the words beside them that are no labels. */
function read(text: string): { numbers: Written[]; words: string[] } {
  const numbers: Written[] = []
  let beside = ''
  let end = 0
  for (const { 0: given, index } of text.matchAll(begin)) {
    if (index < end || numbers.length >= maxNumbers) continue
    const [digits = ''] = /^.*\d\)?/.exec(given) ?? []
    const after = text.slice(index + digits.length, index + digits.length + 40)
    // 1-800-FLOWERS is no number.
    if (digitsOf(digits).length < 7 && /^-?\p{L}/u.test(after) && !extension.test(after)) continue
    const dialled = extension.exec(after)
    numbers.push({ digits, extension: dialled?.[1] ?? dialled?.[2] ?? null })
    beside += `${text.slice(end, index)} `
    end = index + digits.length + (dialled?.[0].length ?? 0)
  }
  const words = (beside + text.slice(end)).split(/[^\p{L}\p{M}]+/u)
  return { numbers, words: words.filter(word => word !== '' && !labels.has(plainWord(word))) }
}

const inOrder = (found: readonly Found[]) => [
  ...found.filter(({ isInternational }) => isInternational),
  ...found.filter(({ isInternational }) => !isInternational),
]

const numbersIn = ({ digits, extension }: Written, country: string | null): Found[] =>
  partsOf(digits, country).flatMap((part, index) => {
    const behind = index > 0 && digitsOf(part) !== '' ? { value: digitsOf(part), extension: null, isInternational: false } : []
    return numberIn(part, extension, country) ?? behind
  })

const digitsOf = (text: string) => text.replace(/\D/g, '')

// 0171/1234567 is one number, and the other side of the slash in 030 1234567/030 7654321 is another, as is 202-555-0142/43.
function partsOf(text: string, country: string | null): string[] {
  if (digitsOf(text).length < 3) return []
  const sides = text.split(/(?=\+)|\//).filter(side => digitsOf(side) !== '')
  if (sides.length < 2 || internationalNumber(text, country)) return [text]
  return sides.every(side => digitsOf(side).length >= 6) || internationalNumber(sides[0] ?? '', country) ? sides : [text]
}

function numberIn(text: string, extension: string | null, country: string | null): Found | null {
  const parsed = internationalNumber(text, country)
  if (parsed) return { value: parsed.number, extension, isInternational: true }
  const national = text.replaceAll('/', ' ').replace(/ {2,}/g, ' ').trim()
  return phonePattern.test(national) && digitsOf(national).length >= 3 ? { value: national, extension, isInternational: false } : null
}

// Labels of numbers, and separators between two of them.
const labels = new Set(
  (
    'tel telefon telefono telefone telefoon telephone phone fon ph t p m c w h o f d nr no num number numero fax mobile mobil mobiltelefon ' +
    'mob handy cell cellphone cellulare movil celular portable office buro work job business geschaftlich dienstlich arbeit home privat ' +
    'private zuhause main zentrale direct direkt other primary whatsapp callto sip https http wa me wame or and und oder ou et y o u bzw e'
  ).split(' '),
)
