// Cuts texts between visible characters. An emoji, or a letter with its marks, has several code units, and half of one shows as a box.

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** The first characters of a text. */
function firstCharacters(text: string, count: number): string {
  let left = count
  for (const { index } of graphemes.segment(text)) if (left-- <= 0) return text.slice(0, index)
  return text
}

/** Returns "AL" for "Ada Lovelace", "AF" for "Alder & Finch", "AD" for "ada@example.com". */
export function initialsOf(name: string): string {
  const [first = name, second] = name.split(/\s/).filter(word => /^[\p{L}\p{N}]/u.test(word))
  return (second ? firstCharacters(first, 1) + firstCharacters(second, 1) : firstCharacters(first, 2)).toUpperCase()
}

/** The beginning of a text in whole characters. `maxLength` is in code units, as the server counts them. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  let end = 0
  for (const { segment, index } of graphemes.segment(text)) {
    if (index + segment.length > maxLength) break
    end = index + segment.length
  }
  return text.slice(0, end)
}
