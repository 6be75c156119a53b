// Splitting a reply at a channel's limit: at line ends, else at blanks, never inside of a character as readers see it (a grapheme, such as
// a family emoji), nor inside of a link, a code span or bold text that fits. Whitespace stays, except the line break or blank at which it was
// split. A code fence that a part leaves open is closed at its end and opened again, with its language, in the next part, and a quote goes on
// there.

import type { Channel } from '../channels/channel.ts'

type Limit = Pick<Channel, 'limit' | 'unit'>

/** The text in parts that the channel takes, in order. */
export function split(text: string, { limit, unit }: Limit): string[] {
  const size = (piece: string) => sizeOf(piece, unit)
  const parts: string[] = []
  let rest = trimPart(text.replaceAll('\r\n', '\n'))
  let open: Fence | null = null
  while (rest !== '') {
    const start = open ? `${open.opening}\n` : ''
    // No unit counts more than two UTF-16 code units as one, so a long rest need not be measured.
    if (rest.length <= 2 * limit && size(start) + size(rest) <= limit) {
      parts.push(start + rest)
      break
    }
    const { chunk, left, fence } = cut(rest, open, limit - size(start), size)
    parts.push(start + chunk + (fence ? `\n${fence.closing}` : ''))
    // A fence whose last lines fitted is closed already.
    const end = fence && closingLine(left, fence)
    open = end == null ? fence : null
    rest = open ? left : withoutBlankLines(left.slice(end ?? 0))
  }
  return parts
}

/** The reply without blank lines around it. The indentation of its first line stays. */
export const trimPart = (text: string): string => withoutBlankLines(text.trimEnd())

function withoutBlankLines(text: string): string {
  const first = text.search(/\S/)
  return first < 0 ? '' : text.slice(text.lastIndexOf('\n', first) + 1)
}

interface Fence {
  /** The line that opens it again: its marks and its language. */
  opening: string
  closing: string
  isQuoted: boolean
}

// The longest start of the text that fits, with room to close the fence in which it ends.
function cut(text: string, before: Fence | null, room: number, size: (piece: string) => number) {
  let reserved = 0
  for (;;) {
    const { end, skipped } = breakIn(fitting(text, room - reserved, size), text)
    const chunk = text.slice(0, end)
    const open = openIn(chunk, before)
    // A limit with no room for the fence: its marks are only text.
    const roomy = open && size(`${open.fence.opening}\n\n${open.fence.closing}`) * 2 < room ? open : null
    const isBegun = roomy !== null && (roomy.at < 0 || chunk.indexOf('\n', roomy.at) >= 0)
    // The line that opens a fence stays with its code.
    if (roomy && !isBegun && roomy.at > 0) return { chunk: text.slice(0, roomy.at - 1), left: text.slice(roomy.at), fence: null }
    // A line that is itself longer than a part opens none.
    const fence = isBegun ? roomy.fence : null
    const needed = fence ? size(`\n${fence.closing}`) : 0
    // In code only the line break at which it is split goes: further ones and blanks belong to it.
    const dropped = fence ? (text[end] === '\n' ? 1 : 0) : skipped
    if (size(chunk) + needed <= room || reserved >= needed) {
      const quote = text[end] === '\n' || (fence && !fence.isQuoted) ? '' : quoteOf(chunk)
      return { chunk, left: (size(quote) * 2 < room ? quote : '') + text.slice(end + dropped), fence }
    }
    reserved = needed
  }
}

// A fence may stand in a quote, and begin in the line of a list item.
const fenceLine = /^((?:[ \t]{0,20}(?:>|(?:[-*+]|\d{1,9}[.)])[ \t]))*[ \t]*)(`{3,}(?!`)|~{3,}(?!~))([^\n]*)$/
const quoted = /^[ \t]*>/
// 40: longer than the name of any language. The text behind it is for programs.
const language = /^[ \t]*[^\s`]{1,40}/

/** The fence that is open at the end of the text, and where its line begins; -1 for one that was open before the text. */
function openIn(text: string, before: Fence | null): { fence: Fence; at: number } | null {
  let open = before && { fence: before, at: -1 }
  let at = 0
  for (const line of text.split('\n')) {
    const [, start = '', marks = '', info = ''] = fenceLine.exec(line) ?? []
    // A quote ends with its last line, and so does the fence in it.
    if (open?.fence.isQuoted && !quoted.test(line)) open = null
    if (open) {
      if (closes(line, open.fence)) open = null
    } else if (marks !== '' && !(marks.startsWith('`') && info.includes('`'))) {
      // The further lines of a list item are indented.
      const closing = start.replace(/[^\s>]/g, ' ') + marks
      open = { fence: { opening: `${closing}${language.exec(info)?.[0] ?? ''}`, closing, isQuoted: quoted.test(start) }, at }
    }
    at += line.length + 1
  }
  return open
}

function closes(line: string, { closing, isQuoted }: Fence): boolean {
  const [wanted = '', marks = ''] = [closing, line].map(one => (isQuoted ? one.replace(/^[ \t>]+/, '') : one).trim())
  return marks.startsWith(wanted) && marks === wanted.charAt(0).repeat(marks.length)
}

/** The end of the first line, if that closes the fence; null otherwise. */
function closingLine(text: string, fence: Fence): number | null {
  const end = text.indexOf('\n')
  const line = end < 0 ? text : text.slice(0, end)
  return closes(line, fence) ? line.length : null
}

function sizeOf(text: string, unit: Limit['unit']): number {
  if (unit === 'utf16') return text.length
  return unit === 'bytes' ? Buffer.byteLength(text) : [...text].length
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

// In whole graphemes. A grapheme larger than the limit is cut between code points.
function fitting(text: string, limit: number, size: (piece: string) => number): string {
  const looked = text.slice(0, Math.max(2, 2 * limit + 2))
  const whole = longest(
    Array.from(graphemes.segment(looked), ({ segment }) => segment),
    limit,
    size,
  )
  return whole || longest([...looked], limit, size) || ([...looked.slice(0, 2)][0] ?? '')
}

function longest(pieces: readonly string[], limit: number, size: (piece: string) => number): string {
  let used = 0
  const end = pieces.findIndex(piece => (used += size(piece)) > limit)
  return pieces.slice(0, end < 0 ? pieces.length : end).join('')
}

/** The marks of the quote in which the text ends. */
const quoteOf = (text: string): string => /^(?:[ \t]{0,20}>){1,20} ?/.exec(text.slice(text.lastIndexOf('\n') + 1))?.[0] ?? ''

// The limits keep the search linear. A longer one is cut, as is one that is longer than a part.
const span =
  /!?\[[^[\]\n]{0,300}\]\([^\s()]{1,2000}(?:\([^\s()]{0,200}\))?\)|https?:\/\/[^\s<>]{1,2000}|`[^`\n]{1,300}`|\*\*[^*\n]{1,300}\*\*/g
const longestSpan = 2600

// Not in the first half: that would make many small parts. But no span is cut for that. `skipped`: the line breaks or the blank between the
// parts.
function breakIn(fitted: string, text: string): { end: number; skipped: number } {
  const looked = text.slice(0, fitted.length + 1)
  const spans = [...text.slice(0, fitted.length + longestSpan).matchAll(span)].filter(([found]) => found.length <= fitted.length)
  const spanAt = (at: number) => spans.find(({ index, 0: found }) => index < at && at < index + found.length)
  for (const mark of ['\n\n', '\n', ' ']) {
    let at = looked.lastIndexOf(mark)
    for (let inside = spanAt(at); inside; inside = spanAt(at)) at = looked.lastIndexOf(mark, inside.index)
    if (at > fitted.length / 2) return { end: at, skipped: mark.length }
  }
  const end = spanAt(fitted.length)?.index ?? fitted.length
  const skipped = /\s/.test(text[end - 1] ?? '') && end > 1 && end < fitted.length ? 1 : 0
  return { end: end - skipped, skipped }
}
