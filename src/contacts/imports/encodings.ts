// Encodings of files, and which of them a file is in that spreadsheets of other languages and of the Mac write without Unicode: the one in
// which its words read like words. Pure.

import { countKnownHeaders } from './columns/headers.ts'

// The names of the Encoding Standard by ours.
const labels = {
  utf_8: 'utf-8',
  utf_16le: 'utf-16le',
  utf_16be: 'utf-16be',
  windows_1252: 'windows-1252',
  windows_1250: 'windows-1250',
  windows_1251: 'windows-1251',
  windows_1253: 'windows-1253',
  windows_1254: 'windows-1254',
  windows_1255: 'windows-1255',
  windows_1256: 'windows-1256',
  windows_1257: 'windows-1257',
  windows_874: 'windows-874',
  macintosh: 'macintosh',
  shift_jis: 'shift_jis',
  gb18030: 'gb18030',
  euc_kr: 'euc-kr',
} as const
export type Encoding = keyof typeof labels

export const decoderOf = (encoding: Encoding): TextDecoder => new TextDecoder(labels[encoding])

// Where several read equally well, the first is chosen. Baltic is not detected: every byte of it is a plausible letter in another encoding.
const candidates = [
  ...([
    'windows_1252',
    'macintosh',
    'windows_1250',
    'windows_1254',
    'windows_1251',
    'windows_1253',
    'windows_1255',
    'windows_1256',
  ] as const),
  ...(['windows_874', 'shift_jis', 'euc_kr', 'gb18030'] as const),
]
type Candidate = (typeof candidates)[number]

// In bytes: a hundred rows.
const sampleLength = 16_384
// A header that is known is worth some words: the letters of Czech names are also letters of other encodings.
const headerWorth = 5
const maxCells = 500

/** The likeliest encoding of the beginning of a file that is not UTF-8 or UTF-16. */
export function legacyEncoding(head: Buffer): Candidate {
  const sample = head.subarray(0, sampleLength)
  const scores = candidates.map(candidate => ({
    candidate,
    score: scoreOf(decoderOf(candidate).decode(sample, { stream: true }), likely[candidate]),
  }))
  return scores.reduce((best, one) => (one.score > best.score ? one : best)).candidate
}

function scoreOf(text: string, isLikely: (word: string) => boolean | null): number {
  const words = text.match(/[\p{L}\p{M}\u0080-\uffff’]+/gu) ?? []
  const scores = words
    .filter(word => /[^\0-\x7f]/.test(word))
    .map(word => {
      const found = isLikely(word)
      return found === null ? 0 : found ? 1 : -1
    })
  const cells = text.split(/[\n\r]+/, 5).flatMap(line => line.split(/[,;\t|]/).map(cell => cell.replaceAll('"', '')))
  const headers = countKnownHeaders(cells.filter(cell => /[^\0-\x7f]/.test(cell)).slice(0, maxCells), [])
  return scores.reduce((sum, score) => sum + score, headerWorth * headers)
}

const cased = /^\p{Lu}?\p{Ll}+$|^\p{Lu}{2,}$/u
const signs = /^[“„‘«‹¿¡…–—°±§µ]{1,3}|[”“’»›™®©…–—°²³]{1,3}$/g

// Null: a sign alone, such as a currency, which says nothing.
function isLatin(word: string): boolean | null {
  // Quotes and dashes of one encoding are letters of another.
  const bare = word.replace(signs, '')
  if (/^[A-Za-z]*$/.test(bare)) return bare === '' || bare === word ? null : true
  if (/^[A-Za-z]{1,2}’\p{L}+$|^\p{L}+’s$|^[A-Za-z]+[–—][A-Za-z]+$/u.test(bare)) return true
  if (!/[A-Za-z]/.test(bare)) return /[^\0-\x7f]{3}/.test(bare) ? false : null
  return /^[\p{Script=Latin}]+$/u.test(bare) && cased.test(bare) && !/[^\0-\x7f]{3}/.test(bare)
}

// In three encodings a letter of Icelandic, of Central Europe, or of Turkish has the same place. Words with others, too, tell.
const isWestern = (word: string) => isLatin(word) && (/[ðþý]/i.test(word) && !/[áéíóúæö]/i.test(word) ? null : true)
const isCentral = (word: string) => isLatin(word) && (/[đţý]/i.test(word) && !/[čćšžěřłęąőűăńśźżůňďťľ]/i.test(word) ? null : true)
const isTurkish = (word: string) => !/[áéíóúæý]/i.test(word) && isLatin(word)

// Names have capital letters. Hebrew letters are small letters here.
const isCyrillic = (word: string) => {
  if (word.length < 3) return null
  return /^\p{Script=Cyrillic}+$/u.test(word) && cased.test(word) && (/\p{Lu}/u.test(word) || null)
}

// A word of some letters has an accent.
const isGreek = (word: string) => {
  if (!/^\p{Script=Greek}+$/u.test(word) || !cased.test(word) || /ς./.test(word)) return false
  return word.length < 4 ? null : /[άέήίόύώΐΰ]/i.test(word) || !/\p{Ll}/u.test(word)
}

// One character between Latin letters is an accented letter of another encoding.
const hasOnly =
  (letters: RegExp) =>
  (word: string): boolean | null => {
    const parts = word.split(/[A-Za-z]+/).filter(Boolean)
    if (parts.every(part => /^[\uff61-\uff9f]+$/.test(part))) return null
    return parts.every(part => letters.test(part)) && (parts.some(part => part.length > 1) || !/[A-Za-z]/.test(word))
  }

const likely: Readonly<Record<Candidate, (word: string) => boolean | null>> = {
  windows_1252: isWestern,
  macintosh: isLatin,
  windows_1250: isCentral,
  windows_1254: isTurkish,
  windows_1251: isCyrillic,
  windows_1253: isGreek,
  windows_1255: word => /^[\u05d0-\u05ea]+$/.test(word),
  windows_1256: word => /^\p{Script=Arabic}+$/u.test(word),
  // Vowels stand above and below consonants, and some before them.
  windows_874: word => /^(?:[เแโใไ]?[ก-ฮ][\u0e31\u0e34-\u0e3a\u0e47-\u0e4e]{0,2}[ะาำๅ]?)+[ฯๆ]?$/.test(word),
  // Half-width katakana in a word with others are halves of Chinese characters, and alone may be.
  shift_jis: hasOnly(/^[\u3000-\u30ff\u4e00-\u9fff\uff01-\uff5e]+$/),
  euc_kr: hasOnly(/^[\u3000-\u303f\uac00-\ud7a3\uff01-\uff5e]+$/),
  gb18030: hasOnly(/^[\u3000-\u303f\u4e00-\u9fff\uff01-\uff5e]+$/),
}
