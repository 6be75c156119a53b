// Numbers, and yes and no, in a cell of a file. Pure.

import { searchable } from '../../../kernel/search/fold.ts'
import { type Cell, is, leaveOut } from './cell.ts'
import { plainText } from './characters.ts'

// Beside the signs and codes of currencies.
const currency = /^(?:us|a|ca?|hk|nz|r|s)\$|^(?:rs|kr|fr|zl|zł|kč|lei|tl)\.?(?=\d)|(?:kr|zł|kč|ft|lei|tl|円|元|원|руб|р|лв)\.?$/iu

/** 1,234 is a thousand and more in one country, and one and some in another. */
export function numberIn(text: string): Cell {
  // Arabic has signs of its own for both.
  const signs = plainText(text)
    .replace(/[\s'’_"=٬]|%/g, '')
    .replace('٫', '.')
    .replace(/(?<=\d)[.,]-(?=\D{0,9}$)/, '')
  const money = signs.replace(currency, '').replace(/\p{Sc}|^[A-Z]{3}(?=[\d(+-])|(?<=[\d)])[A-Z]{3}$/gu, '')
  const bare = money.replace(/^\(([^()]*)\)$/, '-$1').replace(/^(\d[^-]*)-$/, '-$1')
  const plain = withPoint(bare)
  // An export writes 1.5 for 1.500, and 1234 for 1.234 €: there the point divides thousands, or it may.
  const mayBeThousands = /^[+-]?[1-9]\d{0,2}\.\d{3}$/.test(bare)
  if (!/^[+-]?(\d+(?:\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(plain) || (mayBeThousands && (money !== signs || bare.endsWith('0'))))
    return leaveOut('is not a number that can be read in one way only; write it as 1234.5')
  const value = Number(plain)
  if (/^[+-]?\d+$/.test(plain) && !Number.isSafeInteger(value) && String(value) !== plain)
    return leaveOut('has more digits than a number keeps; import it into a field of text')
  return mayBeThousands ? { value, warnings: [`is read with a decimal point; write ${bare.replace('.', '')} for thousands`] } : is(value)
}

/** A whole number that counts things. */
export function countIn(text: string): Cell {
  const read = numberIn(text)
  return read.value === undefined || Number.isInteger(read.value) ? read : leaveOut('is not a whole number; write it as 250')
}

/** An amount of money as a decimal text. */
export function amountIn(text: string): Cell {
  const read = numberIn(text)
  const { value } = read
  // A number of more than 15 digits is written with an exponent, or has lost some.
  if (typeof value !== 'number' || Math.abs(value) < 1e15) return value === undefined ? read : { ...read, value: String(value) }
  return leaveOut('has more digits than an amount keeps')
}

function withPoint(bare: string): string {
  const isGrouped = (pattern: RegExp) => pattern.test(bare)
  if (isGrouped(/^[+-]?\d{1,3}(,\d{3})+\.\d+$/) || isGrouped(/^[+-]?\d{1,3}(,\d{3}){2,}$/)) return bare.replaceAll(',', '')
  // India's lakhs and crores.
  if (isGrouped(/^[+-]?\d{1,2}(,\d\d)+,\d{3}(\.\d+)?$/)) return bare.replaceAll(',', '')
  if (isGrouped(/^[+-]?\d{1,3}(\.\d{3})+,\d+$/) || isGrouped(/^[+-]?\d{1,3}(\.\d{3}){2,}$/))
    return bare.replaceAll('.', '').replace(',', '.')
  return isGrouped(/^[+-]?\d+,(?!\d{3}$)\d+$/) || isGrouped(/^[+-]?0,\d+$/) ? bare.replace(',', '.') : bare
}

const yes = new Set(
  (
    'true t yes y x 1 1.0 -1 on ja j wahr oui vrai o si s verdadero sim verdadeiro vero tak prawda da adevarat ano pravda igen igaz kylla tosi ' +
    'evet dogru waar sant sand jes jah tiesa co да истина так ναι כן نعم はい 是 是的 真 有 예 네 ✓ ✔ ☑ ✅ 🗸 ○ ● checked enabled selected'
  ).split(' '),
)
const no = new Set(
  (
    'false f no n 0 0.0 off nein falsch non faux falso nao nie falsz nu fals ne nepravda nem hamis ei epatosi hayir yanlis nee onwaar nej ' +
    'falskt falsk khong нет ложь ні οχι לא لا いいえ 否 不是 假 无 아니오 아니요 ✗ ✘ ☐ ❌ ✕ × unchecked disabled'
  ).split(' '),
)

export function yesOrNoIn(text: string): Cell {
  const word = searchable(plainText(text)).replace(/[.!]$/, '').normalize('NFC')
  return yes.has(word) || yes.has(text)
    ? is(true)
    : no.has(word) || no.has(text)
      ? is(false)
      : leaveOut('is neither yes nor no; write yes or no')
}

// Words that programs write in a column such as `Do not call`.
const refused = new Set('dnc dnd donotcall donotcontact donotdisturb donotallow notallowed optedout optout unsubscribed blocked'.split(' '))
const allowed = new Set('ok oktocall allow allowed optedin optin subscribed'.split(' '))

/** Whether somebody is not to be called. */
export function doNotCallIn(text: string): Cell {
  const word = text.toLowerCase().replace(/[^a-z]/g, '')
  return refused.has(word) ? is(true) : allowed.has(word) ? is(false) : yesOrNoIn(text)
}
