// The properties of vCards 2.1, 3.0 and 4.0, one card at a time. Pure, except that it reads text as it arrives.

import { AppError } from '../../../kernel/errors.ts'

export interface Property {
  /** In upper case: `TEL`. */
  name: string
  /** In lower case; a parameter without a name, as in 2.1, is a type. */
  types: ReadonlySet<string>
  /** 1 is the preferred one of several; 100 without a preference. */
  preference: number
  /** As it stands there, without its encoding. */
  value: string
}
export type Card = readonly Property[]

// In characters: pictures are longer, and left out.
const maxLine = 100_000
const maxProperties = 1000

/** Throws INVALID for a card without an end. */
export async function* cardsOf(texts: AsyncIterable<string>): AsyncGenerator<Card> {
  let card: Property[] = []
  // 2.1 has cards inside of cards: agents of a person.
  let depth = 0
  for await (const line of linesOf(texts)) {
    if (/^BEGIN[ \t]*:[ \t]*VCARD[ \t]*$/i.test(line)) {
      if (++depth === 1) card = []
    } else if (/^END[ \t]*:[ \t]*VCARD[ \t]*$/i.test(line)) {
      if (depth > 0 && --depth === 0) yield card
    } else if (depth === 1 && card.length < maxProperties) {
      const property = propertyIn(line)
      if (property) card.push(property)
    }
  }
  if (depth > 0) throw new AppError('INVALID', 'The last vCard has no end: the file is cut off. Export it again, and upload that')
}

/** Lines without their folds: a line that begins with a blank continues the one before, and in 2.1 one after an `=`. */
async function* linesOf(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  let line: string | null = null
  const add = function* (raw: string): Generator<string> {
    const isSoft = line?.endsWith('=') && /^[^:]*quoted-printable/i.test(line)
    if (line !== null && isSoft) line = line.slice(0, -1) + raw.replace(/^[ \t](?==)/, '')
    else if (line !== null && /^[ \t]/.test(raw)) line += line.length < maxLine ? raw.slice(1) : ''
    else {
      if (line !== null) yield line
      line = raw
    }
    if (line !== null && line.length > 2 * maxLine) line = line.slice(0, 2 * maxLine)
  }
  for await (const text of texts) {
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    for (const raw of lines) yield* add(raw)
    // Not one line of a hundred megabytes.
    if (rest.length > 2 * maxLine) rest = rest.slice(0, 2 * maxLine)
  }
  yield* add(rest.replace(/\r$/, ''))
  if (line !== null) yield line
}

const head = /^(?:[\w-]+\.)?([\w-]+)((?:;(?:"[^"]*"|[^":;])*)*):/

function propertyIn(line: string): Property | null {
  const [whole, name = '', given = ''] = head.exec(line.slice(0, maxLine)) ?? []
  if (whole === undefined || line.length > maxLine) return null
  const parameters = [...given.matchAll(/;((?:"[^"]*"|[^":;])+)/g)].map(([, part = '']) => {
    const [key = '', value] = part.split(/=(.*)/s)
    return value === undefined ? { key: 'TYPE', value: key } : { key: key.trim().toUpperCase(), value: value.replaceAll('"', '').trim() }
  })
  const parameterOf = (key: string) => parameters.find(one => one.key === key)?.value
  const types = new Set(parameters.filter(({ key }) => key === 'TYPE').flatMap(({ value }) => value.toLowerCase().split(',')))
  const encoding = (parameterOf('ENCODING') ?? ['quoted-printable', 'base64'].find(one => types.has(one)) ?? '').toLowerCase()
  const preference = types.has('pref') ? 1 : Number.parseInt(parameterOf('PREF') ?? '', 10) || 100
  return { name: name.toUpperCase(), types, preference, value: decoded(line.slice(whole.length), encoding, parameterOf('CHARSET')) }
}

function decoded(value: string, encoding: string, charset: string | undefined): string {
  if (encoding === 'quoted-printable') return decoderOf(charset).decode(bytesOfQuoted(value))
  if (encoding === 'b' || encoding === 'base64') return decoderOf(charset).decode(Buffer.from(value, 'base64'))
  return value
}

function decoderOf(charset: string | undefined): TextDecoder {
  try {
    return new TextDecoder(charset ?? 'utf-8')
  } catch {
    return new TextDecoder()
  }
}

const bytesOfQuoted = (value: string) =>
  Buffer.concat(
    value
      .split(/((?:=[\dA-F]{2})+)/i)
      .map((part, index) => (index % 2 === 1 ? Buffer.from(part.replaceAll('=', ''), 'hex') : Buffer.from(part))),
  )

/** The parts of a value with semicolons, such as a name. */
export const partsOf = (value: string): string[] => split(value, ';')
/** The items of a list such as `CATEGORIES`. */
export const itemsOf = (value: string): string[] => split(value, ',')

function split(value: string, separator: string): string[] {
  const parts = ['']
  for (const [piece] of value.matchAll(/\\.?|[^\\;,]+|[;,]/gs)) {
    if (piece === separator) parts.push('')
    else parts[parts.length - 1] += piece
  }
  return parts.map(plainText)
}

/** Without the backslashes before separators. */
export const plainText = (value: string): string =>
  value
    .replaceAll('\r\n', '\n')
    .replace(/\\([nN,;:\\])/g, (_all, sign: string) => (/n/i.test(sign) ? '\n' : sign))
    .trim()
