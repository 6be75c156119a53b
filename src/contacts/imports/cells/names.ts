// Splits a full name into first and last name, for files that have no columns for these. Pure.

export interface SplitName {
  /** In the order of speech: "Jürgen Müller" of "Müller, Jürgen". */
  fullName: string
  firstName: string
  lastName?: string
}

/**
 * A single word is the first name, because it is what a person is greeted by. Null for a text that is not split: an address, a company, or a
 * name in a script that puts the family first.
 */
export function splitName(text: string): SplitName | null {
  const whole = text.replace(/\s+/g, ' ').trim()
  const [before = '', after = '', ...others] = whole.split(/ ?, ?/)
  if (others.length > 0 || noPerson.test(whole)) return null
  const isSuffix = suffix.test(after)
  const fullName = after === '' || isSuffix ? whole : `${after} ${before}`
  // "Müller, Jürgen" says itself where the last name begins.
  if (after !== '' && !isSuffix) return { fullName, firstName: withoutTitles(after), lastName: before }
  const words = withoutTitles(before).split(' ')
  const end = words.length > 2 && suffix.test(words.at(-1) ?? '') ? words.length - 1 : words.length
  if (end === 1) return words[0] ? { fullName, firstName: words[0] } : null
  const particle = words.findIndex((word, index) => index > 0 && index < end - 1 && particles.has(word.toLowerCase()))
  const from = particle > 0 ? particle : end - 1
  return { fullName, firstName: words.slice(0, from).join(' '), lastName: words.slice(from, end).join(' ') }
}

const withoutTitles = (name: string) => name.replace(titles, '')

const titles = /^(?:(?:(?:dr|prof|mr|mrs|ms|dipl|ing|med)\.|dr|prof|mr|mrs|ms|miss|herr|frau|dipl\.-ing\.) )+(?=\S)/i
const suffix = /^(?:(?:jr|sr|esq|m\.?d|ph\.?d|mba|cpa|m\.?sc|b\.?sc|m\.?a|b\.?a|ll\.?m)\.?|i{2,3}|iv)$/i
const particles = new Set(
  'af al ap av bin da dal de del della den der di do dos du el ibn la le op ten ter van vom von zu zum zur'.split(' '),
)
const noPerson =
  /[@\d&/|()]|\b(?:gmbh|inc|llc|ltd|corp|ag|kg|plc|b\.v|s\.a|company|holding|group)(?:$|[ .,])|\p{Script=Han}|\p{Script=Hangul}|\p{Script=Hiragana}|\p{Script=Katakana}/iu
