// Email and web addresses in a cell of a file. Pure.

import { readField } from '../../contact/input.ts'
import { type Cell, is, leaveOut } from './cell.ts'
import { plainText } from './characters.ts'
import { yesOrNoIn } from './numbers.ts'

const inPlainCharacters = (text: string) => plainText(text).replace(/[‘’ʼ´`]/g, "'")

/** The first address of a text such as `Ada <ada@example.com>; bob@example.com`, with a warning for others. */
export function emailIn(text: string): Cell {
  if (typeof readField('email', text) === 'string') return is(text)
  const given = partsOf(inPlainCharacters(text).replace(/"([\w.+-]{1,64})"@/g, '$1@')).filter(part => part.includes('@'))
  const read = given.flatMap(part => {
    const value = readField('email', withoutSigns(part.replace(/^\p{L}[\p{L}-]{0,20}:\/{0,2}/u, '').split('?', 1)[0] ?? ''))
    return typeof value === 'string' ? [value] : []
  })
  const [first] = read
  if (first === undefined)
    return leaveOut(`${/[@＠]/.test(text) ? 'is not an email address' : 'has no @'}; write an email address such as ada@example.com`)
  const isSame = read.length === given.length && read.every(address => address.toLowerCase() === first.toLowerCase())
  return { value: first, warnings: isSame ? [] : [`has several addresses; only ${first} is imported`] }
}

// Programs write links around an address, and lists with any of these.
const partsOf = (text: string) => text.replace(/#(?:mailto|https?):.*$/is, '').split(/:::|[\s;,|<>()[\]{}"“”„«»•·]+/)

const withoutSigns = (address: string) => trim(address, '\'"', '\'".,:/')

function trim(text: string, before: string, after: string): string {
  let [start, end] = [0, text.length]
  while (start < end && before.includes(text[start] ?? '')) start++
  while (end > start && after.includes(text[end - 1] ?? '')) end--
  return text.slice(start, end)
}

/** The first web address of a text, with `https://` if it has no scheme. */
export function webAddressIn(text: string): Cell {
  // As an export writes it.
  if (/^https?:\/\//i.test(text) && !/[;,|]https?:|#$|^https?:\/\/https?[:/]/i.test(text) && isWebAddress(text)) return is(text)
  const { addresses, hasWords } = webAddressesIn(text.replace(/#https?:.*$/is, '').replace(/(?<=^https?:\/\/)\s{1,9}/i, ''))
  const [first, ...others] = addresses
  if (first === undefined) return leaveOut('is not a web address; write it as https://example.com')
  const warnings = [
    ...(others.length > 0 ? [`has several addresses; only ${first} is imported`] : []),
    ...(hasWords ? ['has words beside the address, which are left out'] : []),
  ]
  return { value: first, warnings }
}

/** The same of LinkedIn, where a text may be what follows `linkedin.com/in/`. */
export function linkedInIn(text: string): Cell {
  const handle = /^(?:@|\/?in\/)?([\p{L}\p{N}][\p{L}\p{N}_%-]{1,99})\/?$/u.exec(text)?.[1]
  if (handle !== undefined && !/^linkedin$/i.test(handle) && yesOrNoIn(handle).value === undefined)
    return is(`https://www.linkedin.com/in/${handle}`)
  const company = /^\/?((?:company|school|pub)\/[\p{L}\p{N}_%/-]{1,200})$/u.exec(text)?.[1]
  return company === undefined ? webAddressIn(text) : is(`https://www.linkedin.com/${company}`)
}

// A page there is no domain of a company.
const network = /^(?:https?:\/\/)?(?:[a-z]{2,3}\.)?(?:linkedin|facebook|instagram|twitter|x|youtube|xing|tiktok)\.com\/[^/?#\s]/i

/** The domain of a text: of a web address, an email address, or alone. */
export function domainIn(text: string): Cell {
  if (network.test(text)) return leaveOut('is a page of a social network, and no domain of a company; write it as example.com')
  const found = partsOf(plainText(text)).flatMap(part => {
    const host = readField('companyDomain', trim(withScheme(part.replace(/^(?:mailto:)?[^\s@/]*@/i, '')), '', './'))
    return typeof host === 'string' ? [host] : []
  })
  const [first, ...others] = [...new Set(found)]
  if (first === undefined) return leaveOut('is not a domain; write it as example.com')
  return { value: first, warnings: others.length > 0 ? [`has several domains; only ${first} is imported`] : [] }
}

function webAddressesIn(text: string): { addresses: string[]; hasWords: boolean } {
  const linked = text.match(/https?:\/\/[^\s<>"“”|[\]]+/gi)
  const parts = linked ?? text.split(/[\s,;|<>"“”()[\]]+/).filter(part => part !== '')
  const found = parts.flatMap(part => part.split(/[;,](?=https?:)/i)).map(part => addressOf(withScheme(trim(part, "'(", "'.,;)"))))
  const addresses = [...new Set(found.filter(address => address !== null))]
  // `https://example.com/a b`: its end is lost. A text before an address is a label.
  const isCut = linked !== null && /^https?:\/\/[^\s<>"]+\s+(?!https?:)[^\s<>()]*[\p{L}\p{N}]/iu.test(text)
  return { addresses, hasWords: isCut || (linked === null && found.includes(null)) }
}

// `https//x` and `https:/x` are typed, too.
const withScheme = (part: string) => {
  const plain = part.replace(/^(https?)(?::\/{0,2}|\/\/)(?:https?:\/\/)?/i, (_all, scheme: string) => `${scheme}://`)
  return /^(?:[a-z][a-z0-9+.-]{1,20}:(?!\d)|\/(?!\/))/i.test(plain) ? plain : `https://${plain.replace(/^\/{2}/, '')}`
}

const isWebAddress = (text: string) => typeof readField('linkedinUrl', text) === 'string'

// A word is no host: it has no dot.
function addressOf(address: string): string | null {
  if (!isWebAddress(address)) return null
  return /^https?:\/\/[^/?#@.]+\.[^/?#@]/i.test(address) ? address : null
}
