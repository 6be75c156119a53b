// How texts are compared in searches: without case, accents, special letters, and kinds of apostrophes and hyphens. The database functions
// search_fold and search_words do the same.

const byLetter = (letters: string, plainForms: string) => {
  const forms = [...plainForms]
  return Object.fromEntries([...letters].map((letter, index) => [letter, forms[index] ?? '']))
}
const letters: Readonly<Record<string, string>> = {
  // Letters that Unicode does not decompose into a letter and a mark.
  ...byLetter('łøđðıħŧŋĸƀɨƶǥəςɓƃȼƈɖɗɇɛƒɠɣɉȷƙƚɫɬɲƞɔɵƥɍȿƭʈʉʋⱳƴɏȥⱥⱦ', 'loddihtnkbizgeσbbccddeefggjjklllnnooprsttuvwyyzat'),
  ...{ æ: 'ae', œ: 'oe', ß: 'ss', þ: 'th' },
  // Letters that are exchanged in spellings of the same name: in Ukrainian, Arabic, Persian and Urdu, and in Japanese. The last one lengthens
  // an Arabic word.
  ...byLetter('ґىةکیٱہەھ髙﨑𠮷・ـ', 'гيهكياههه高崎吉 '),
  ...byLetter(
    'ァアィイゥウェエォオカキクケコサシスセソタチッツテトナニヌネノハヒフヘホマミムメモャヤュユョヨラリルレロヮワヰヱヲンヵヶヽ',
    'ぁあぃいぅうぇえぉおかきくけこさしすせそたちっつてとなにぬねのはひふへほまみむめもゃやゅゆょよらりるれろゎわゐゑをんゕゖゝ',
  ),
}
const special = new RegExp(`[${Object.keys(letters).join('')}]`, 'gu')
const apostrophes = /[`´‘’‛′ʹʻʼʾʿ＇׳]/g
const hyphens = /[‐‑‒–—―−⁃־·]/g
// A soft hyphen, spaces without width, and marks of direction.
const unseen = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g

/** The text without accents, in lower case, with the plain form of special letters, apostrophes and hyphens, and with hiragana for katakana. */
export function searchable(text: string): string {
  if (!/[`\u0080-\uffff]/.test(text)) return text.toLowerCase()
  return text
    .replace(unseen, '')
    .replace(apostrophes, "'")
    .replace(hyphens, '-')
    .replaceAll('״', '"')
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

const sign = /(?<=[\p{L}\p{N}])['.&-]{1,2}(?=[\p{L}\p{N}])/gu
const initials = /(?<![\p{L}\p{N}])\p{L}(?:(?:\. ?| )\p{L}(?![\p{L}\p{N}]))+/gu

/** A word without its signs, for searches that leave them out: obrien, annemarie, att. */
export const withoutSigns = (word: string): string => word.replace(sign, '')

/** The words of a searchable text without signs, for searches that leave them out. jrr for J. R. R. and J R R is among them. */
export function bareWords(plain: string): string[] {
  const words = withoutSigns(plain).match(/[\p{L}\p{N}]+/gu) ?? []
  const together = [...plain.matchAll(initials)].map(([letters]) => letters.replace(/[. ]/g, ''))
  return [...new Set([...words, ...together])]
}

const umlauts: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ø: 'oe', ü: 'ue', å: 'aa' }

/** The text with umlauts as two letters, for those whose keyboards have none: Mueller for Müller. */
export const withoutUmlauts = (text: string): string =>
  text.normalize('NFC').replace(/[äöøüå]/gi, letter => umlauts[letter.toLowerCase()] ?? letter)

// 김 철수, 佐藤 花子 and 李·明 are written without the space as well.
const spaced =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]{1,9}(?:[ \u3000·・][\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]{1,9})+/gu

/** Names in Chinese, Japanese and Korean without the spaces in them, in both orders: 王小明 for 小明 and 王. */
export const withoutSpaces = (text: string): string[] =>
  [...text.matchAll(spaced)].flatMap(([name]) => {
    const parts = name.split(/[ \u3000·・]/)
    return [...new Set([parts.join(''), parts.toReversed().join('')])]
  })
