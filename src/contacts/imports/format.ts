// The format of an uploaded file: its encoding, its delimiter, and whether it begins with headers. Detected from the first bytes. Pure.

import { AppError } from '../../kernel/errors.ts'

export type Encoding = 'utf_8' | 'utf_16le' | 'utf_16be' | 'windows_1252'

/** A decoder. Our names of encodings are those of the Encoding Standard, with an underscore instead of the hyphen. */
export const decoderOf = (encoding: Encoding): TextDecoder => new TextDecoder(encoding.replace('_', '-'))

export const delimiters = { comma: ',', semicolon: ';', tab: '\t' } as const
export type Delimiter = keyof typeof delimiters

const noCsv = (what: string) => new AppError('UNSUPPORTED_MEDIA_TYPE', `The file is ${what}. Save it as CSV in UTF-8, and upload that`)

/** Detects the encoding from the byte order mark, NUL bytes, or the whole file being UTF-8. Throws for files that are not text. */
export function encodingOf(head: Buffer, isUtf8: boolean): Encoding {
  const starts = (hex: string) => head.subarray(0, hex.length / 2).toString('hex') === hex
  if (starts('504b0304')) throw noCsv('a ZIP archive, such as a workbook of Excel (.xlsx)')
  if (starts('d0cf11e0')) throw noCsv('a workbook of an old Excel (.xls)')
  if (starts('1f8b')) throw noCsv('compressed with gzip')
  if (starts('25504446')) throw noCsv('a PDF')
  if (starts('efbbbf')) return 'utf_8'
  if (starts('fffe')) return 'utf_16le'
  if (starts('feff')) return 'utf_16be'
  // Most characters of headers and names are Latin, so every second byte of UTF-16 is 0.
  const sample = head.subarray(0, 1000)
  const zeros = [0, 1].map(parity => sample.filter((byte, index) => byte === 0 && index % 2 === parity).length)
  const [even = 0, odd = 0] = zeros
  if (odd > sample.length / 4 && even === 0) return 'utf_16le'
  if (even > sample.length / 4 && odd === 0) return 'utf_16be'
  if (even + odd > 0) throw noCsv('no text: it contains NUL bytes')
  return isUtf8 ? 'utf_8' : 'windows_1252'
}

// In characters, from the beginning of the file.
const sampleLength = 65_536

/** The delimiter that divides most of the first lines into the same number of cells; a comma when there is none. */
export function delimiterOf(text: string): Delimiter {
  const lines = linesOf(text.slice(0, sampleLength))
  const scores = (Object.keys(delimiters) as Delimiter[]).map(name => {
    const counts = lines.map(line => line.split(delimiters[name]).length - 1)
    const [first = 0] = counts
    const equal = counts.filter(count => count === first).length / Math.max(counts.length, 1)
    return { name, score: first === 0 ? 0 : equal + first / 1000 }
  })
  const best = scores.reduce((one, other) => (other.score > one.score ? other : one))
  return best.score > 0 ? best.name : 'comma'
}

// The first 20 lines, without quoted parts. The last line may be cut off, so it is left out if there are others.
function linesOf(text: string): string[] {
  const bare = text.replace(/"(?:[^"]|"")*"?/g, '')
  const lines = bare.split(/\r\n|\n|\r/).filter(line => line.trim() !== '')
  return lines.length > 1 ? lines.slice(0, Math.min(20, lines.length - 1)) : lines
}

const looksLikeValue = /@|^[+\d(][\d\s().+-]*$|^\d{4}-\d\d|^https?:/

/** Whether the first record is a header: all its texts differ, and none looks like an address, a number or a day. */
export function hasHeader(first: readonly string[]): boolean {
  const cells = first.map(cell => cell.trim()).filter(cell => cell !== '')
  return cells.length > 0 && new Set(cells).size === cells.length && !cells.some(cell => looksLikeValue.test(cell))
}
