// Telephone numbers in searches: one is found however it is written. The database function phone_key does the same with stored ones.

// The calling codes of the ITU: of one digit, of two, or else of three.
const callingCode = /^(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/
const extension = /[\s,;(]{0,9}(?:ext(?:ension|n)?|x|#|durchwahl|dw)\s{0,9}[.:=]?\s{0,9}\d{1,8}[\s)]{0,9}$/i

/**
 * The digits of a number without its country, the prefix that is dialled before an area code, and an extension: the same for all ways to
 * write it. Numbers of two countries may have the same. Null for a text without digits.
 */
export function phoneKey(text: string): string | null {
  const plain = plainDigits(text)
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(extension, '')
    .replace(/\(0\)/g, '')
    .trim()
  const digits = plain.replace(/\D/g, '')
  const isInternational = /^\D*\+/.test(plain)
  const abroad = isInternational ? digits : /^00[1-9]/.test(digits) ? digits.slice(2) : null
  const national = abroad === null ? digits : abroad.replace(callingCode, '')
  const bare = national.replace(/^0+/, '')
  // Dialled before an area code in North America, and in Russia.
  const key = /^1[2-9]\d\d[2-9]\d{6}$|^8[3489]\d{9}$/.test(bare) ? bare.slice(1) : bare
  return key === '' ? null : key
}

// Standing alone: neither in an address nor in a word.
const number = /(?<=^|\s)[([]?\+?[([]?\d[\d\s()[\]./•·_\u2010-\u2015-]{0,40}\d(?:[\s,;(]{0,9}(?:ext\.?|x|#)\s{0,9}=?\d{1,8}\)?)?(?=\s|$)/gi

/**
 * The query with each telephone number as the digits of `phoneKey`, which every stored spelling contains. Of less than five digits only the
 * beginning of a national number is one.
 */
export const withPhoneKeys = (query: string): string =>
  query.replace(number, text => {
    if (/^0[1-9]\d\d$/.test(text)) return text.slice(1)
    return text.replace(/\D/g, '').length < 5 ? text : (phoneKey(text) ?? text)
  })

// The zeros of the scripts whose digits people write numbers with; the nine others follow each.
const zeros = [0x0660, 0x06f0, 0x0966, 0x09e6, 0x0ae6, 0x0be6, 0x0e50, 0xff10]

const asciiDigit = (digit: string) => {
  const code = digit.charCodeAt(0)
  const zero = zeros.find(one => code >= one && code < one + 10)
  return zero === undefined ? digit : String(code - zero)
}

/** The text with its digits in ASCII: 0171 for ٠١٧١. */
export const plainDigits = (text: string): string => text.replace(/[^\P{Nd}0-9]/gu, asciiDigit)
