// How the values of settings are read: text, numbers, flags, lists, addresses and secrets.

import { isIP } from 'node:net'
import { z } from 'zod'
import { addressesOf } from '../database/connections/address.ts'
import { amountCeiling, isAmount } from '../kernel/money.ts'

export const text = z.string().trim()
/** The values of a list that is separated by commas. */
export const splitList = (value: string | undefined): string[] =>
  (value ?? '').split(',').flatMap(token => (token.trim() ? [token.trim()] : []))
export const oneOf = <const Values extends readonly string[]>(values: Values) => z.enum(values, `must be one of ${values.join(', ')}`)
export const flag = z.enum(['0', '1', 'true', 'false'], 'must be 1 or 0').transform(value => value === '1' || value === 'true')
// As people write them: Number() would read "0x10", "1e3" and a blank, too.
const decimal = (rule: string) => text.regex(/^\d+(?:\.\d+)?$/, rule).transform(Number)
export const count = (min: number, max: number) => {
  const rule = `must be a whole number from ${min} to ${max}`
  return decimal(rule).pipe(z.number().int(rule).min(min, rule).max(max, rule))
}
export const number = (min: number, max: number) => {
  const rule = `must be a number from ${min} to ${max}`
  return decimal(rule).pipe(z.number().min(min, rule).max(max, rule))
}
export const port = count(0, 65_535)
/** An address with one of these schemes, and a host. */
const address = (scheme: RegExp, rule: string) =>
  text.refine(value => scheme.test(value) && URL.canParse(value) && new URL(value).hostname !== '', { error: rule, abort: true })
export const url = address(/^https?:/i, 'must be an address with http:// or https://, such as https://service.example')
export const withoutEndSlash = (address: string) => address.replace(/(?<!\/)\/+$/, '')
/**
 * An address to which paths are appended: as clients and providers write it, with a host in lower case and ASCII, and no slash at its end.
 */
export const baseAddress = url.transform(value => withoutEndSlash(new URL(value).href))
const isBare = (value: string) => {
  const { username, password, href } = new URL(value)
  // `search` and `hash` are empty for a `?` or `#` with nothing behind it.
  return username + password === '' && !/[?#]/.test(href)
}
export const publicAddress = url.refine(isBare, 'must be an address without a user, ? and #, such as https://crm.example').pipe(baseAddress)
export const origin = url
  .refine(value => isBare(value) && new URL(value).pathname === '/', 'must be an address without a path, such as https://app.example')
  .transform(value => new URL(value).origin)
export const redisUrl = address(/^rediss?:/i, 'must be redis://user:password@host:port, or rediss:// with TLS')
export const smtpUrl = address(/^smtps?:/i, 'must be smtp://user:password@host:port, or smtps:// with TLS')
export const databaseUrl = text.superRefine((value, context) => {
  try {
    addressesOf(value)
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) })
  }
})
// The values of Express's `trust proxy`: a number of hops, or addresses, subnets and their names.
export const proxies = text.refine(
  value => /^[1-9]\d?$/.test(value) || value.split(',').every(part => isProxy(part.trim())),
  'must be a number of hops from 1 to 99, or addresses and subnets separated by commas',
)
function isProxy(part: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(part)) return true
  const [address = '', bits] = part.split('/')
  const version = isIP(address)
  return (
    version !== 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (version === 4 ? 32 : 128)))
  )
}
export const credits = (max = amountCeiling - 1) => number(0, max).refine(isAmount, 'must have at most 6 decimals')
export const secret = z.string().min(16, 'must have at least 16 characters')
