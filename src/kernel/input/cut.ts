// Cutting text that comes from outside: never inside a character. A slice by UTF-16 units may end in half of a surrogate pair, which neither
// PostgreSQL nor JSON can hold, or take the last person out of a family.

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
// Larger graphemes, such as a letter with a hundred accents, are cut between code points.
const maxGrapheme = 64

/** The beginning of a text: at most `maxLength` UTF-16 units, ended between two graphemes. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  // Only the text around the end is segmented, because segmenting takes longer than copying.
  const from = Math.max(0, maxLength - maxGrapheme)
  const around = text.slice(from, maxLength + maxGrapheme)
  const { index = 0 } = graphemes.segment(around).containing(maxLength - from) ?? {}
  if (index > 0) return text.slice(0, from + index)
  const isHalf = /[\ud800-\udbff]/.test(text[maxLength - 1] ?? '') && /[\udc00-\udfff]/.test(text[maxLength] ?? '')
  // A joiner joins nothing at the end.
  return text.slice(0, isHalf ? maxLength - 1 : maxLength).replace(/\u200d$/, '')
}

/** The same, with `…` where something is left out. */
export const shorten = (text: string, maxLength: number): string => (text.length > maxLength ? `${cutText(text, maxLength - 1)}…` : text)
