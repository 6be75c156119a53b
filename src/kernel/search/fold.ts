// How texts are compared in searches: without case, accents, special letters and kinds of apostrophes. The database functions search_fold and
// search_words do the same.

// Letters that Unicode does not decompose into a letter and a mark.
const letters: Readonly<Record<string, string>> = {
  ...{ ł: 'l', ø: 'o', đ: 'd', ð: 'd', ı: 'i', ħ: 'h', ŧ: 't', ŋ: 'n', ĸ: 'k', ƀ: 'b', ɨ: 'i', ƶ: 'z', ǥ: 'g', ə: 'e', ς: 'σ' },
  ...{ æ: 'ae', œ: 'oe', ß: 'ss', þ: 'th' },
}
const special = new RegExp(`[${Object.keys(letters).join('')}]`, 'g')
const apostrophes = /[`´‘’‛′ʹʻʼ＇]/g

/** The text without accents, in lower case, with the plain form of special letters and apostrophes. */
export function searchable(text: string): string {
  if (!/[`\u0080-\uffff]/.test(text)) return text.toLowerCase()
  return text
    .replace(apostrophes, "'")
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(special, letter => letters[letter] ?? letter)
}

// Names without spaces between family name and given name: each part of one is found by its beginning.
const joined = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]{2,10}/gu

/** The ends of names in Chinese, Japanese and Korean: 小明 and 明 of 王小明. Null for a text without. */
export function endsOfNames(text: string): string | null {
  const ends = [...text.matchAll(joined)].flatMap(([name]) => {
    const characters = [...name]
    return characters.slice(1).map((_character, index) => characters.slice(index + 1).join(''))
  })
  return ends.length > 0 ? [...new Set(ends)].join(' ') : null
}
