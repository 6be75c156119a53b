// The format of an uploaded file: its encoding and its delimiter, detected from the first bytes. Pure.

import { type Encoding, legacyEncoding } from './encodings.ts'
import { unreadable } from './files/kind.ts'

export const delimiters = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' } as const
export type Delimiter = keyof typeof delimiters
const names = Object.keys(delimiters) as Delimiter[]

/** Detects the encoding from the byte order mark, NUL bytes, the whole file being UTF-8, or its words. Throws for files that are not text. */
export function encodingOf(head: Buffer, isUtf8: boolean): Encoding {
  const starts = (hex: string) => head.subarray(0, hex.length / 2).toString('hex') === hex
  if (starts('efbbbf')) return 'utf_8'
  if (starts('fffe')) return 'utf_16le'
  if (starts('feff')) return 'utf_16be'
  // Most characters of headers and names are Latin, so every second byte of UTF-16 is 0.
  const sample = head.subarray(0, 1000)
  const zeros = [0, 1].map(parity => sample.filter((byte, index) => byte === 0 && index % 2 === parity).length)
  const [even = 0, odd = 0] = zeros
  if (odd > sample.length / 4 && even === 0) return 'utf_16le'
  if (even > sample.length / 4 && odd === 0) return 'utf_16be'
  // A few are remains of a program in C, and left out where cells are read.
  if (even + odd > sample.length / 10) throw unreadable('no text: it contains NUL bytes')
  if (isUtf8 || isNearlyUtf8(head)) return 'utf_8'
  const found = legacyEncoding(head)
  // Old programs of the Mac end their lines with a carriage return alone.
  return found === 'windows_1252' && head.includes(13) && !head.includes(10) ? 'macintosh' : found
}

// One byte that was cut off or mixed in does not make another encoding: no other one shares so many characters with UTF-8.
function isNearlyUtf8(head: Buffer): boolean {
  const text = new TextDecoder().decode(head)
  const [broken, whole] = [/\ufffd/g, /[\u0080-\ufffc]/g].map(kind => text.match(kind)?.length ?? 0)
  return (whole ?? 0) > 3 * (broken ?? 0)
}

// In characters, from the beginning of the file.
const sampleLength = 65_536

const separatorLine = /^\ufeff?"?sep\s?=\s?([,;\t|])"?\s*$/i

/** Whether the record is the line `sep=;`, by which a file tells Excel its delimiter. It is neither a header nor a row. */
export const isSeparatorLine = (cells: readonly string[]): boolean =>
  /^"?sep\s?=$/i.test(cells[0]?.trim() ?? '')
    ? cells.slice(1).every(cell => cell.replace('"', '').trim() === '')
    : separatorLine.test(cells.join(','))

/** The delimiter that the line `sep=;` names, or which divides most of the first lines into the same number of cells; otherwise a comma. */
export function delimiterOf(text: string): Delimiter {
  const named = separatorLine.exec(text.slice(0, 20).split(/[\r\n]/)[0] ?? '')?.[1]
  if (named !== undefined) return names.find(name => delimiters[name] === named) ?? 'comma'
  const lines = linesOf(text.slice(0, sampleLength), text.length > sampleLength)
  const scores = names.map(name => ({ name, score: evenness(lines.map(line => line.split(delimiters[name]).length - 1)) }))
  const best = scores.reduce((one, other) => (other.score > one.score ? other : one))
  return best.score > 0 ? best.name : 'comma'
}

// The share of lines with the most common number of delimiters. A program may write some lines of notes above its table.
function evenness(counts: readonly number[]): number {
  const scores = [...new Set(counts)].map(count =>
    count === 0 ? 0 : counts.filter(one => one === count).length / counts.length + count / 1000,
  )
  return Math.max(0, ...scores)
}

const wrapped = /^\ufeff?"((?:[^"\n]|"")*)"\r?$/gm

/** Whether each row is one cell in quotes, with separators in it: by the first two lines. */
export function isWrapped(text: string): boolean {
  const [first = '', second = ''] = text.slice(0, sampleLength).split('\n', 2)
  return [first, second].every(line => line.replace(wrapped, '') === '' && line !== '') && /[,;\t|]/.test(first)
}

// The first 20 lines, without quoted parts. The last line of a part of the file may be cut off, so it is left out.
function linesOf(given: string, isPart: boolean): string[] {
  const text = isWrapped(given) ? given.replace(wrapped, (_all, inner: string) => inner.replaceAll('""', '"')) : given
  const bare = text.replace(/"(?:[^"]|"")*"?/g, '')
  const lines = bare.split(/\r\n|\n|\r/).filter(line => line.trim() !== '')
  return lines.slice(0, isPart && lines.length > 1 ? Math.min(20, lines.length - 1) : 20)
}
