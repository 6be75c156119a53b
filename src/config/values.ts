// How the values of settings are read: text, numbers, flags, lists, addresses and secrets.

import { isIP } from 'node:net'
import { z } from 'zod'
import { addressesOf } from '../database/connections/address.ts'
import { amountCeiling, isAmount } from '../kernel/money.ts'

export const text = z.string().trim().min(1)
/** The values of a list that is separated by commas. */
export const listed = (value: string | undefined): string[] =>
  (value ?? '').split(',').flatMap(token => (token.trim() ? [token.trim()] : []))
export const flag = z.enum(['0', '1', 'true', 'false']).transform(value => value === '1' || value === 'true')
export const count = (min: number, max: number) => {
  const rule = `must be a whole number from ${min} to ${max}`
  return z.coerce.number(rule).int(rule).min(min, rule).max(max, rule)
}
export const port = count(0, 65_535)
export const url = z.url({ protocol: /^https?$/ })
/**
 * An address to which paths are appended: as clients and providers write it, with a host in lower case and ASCII, and no slash at its end.
 */
export const baseAddress = url.transform(value => new URL(value).href.replace(/(?<!\/)\/+$/, ''))
export const databaseUrl = text.superRefine((value, context) => {
  try {
    addressesOf(value)
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) })
  }
})
// The values of Express's `trust proxy`: a number of hops, or addresses, subnets and their names.
export const proxies = text.refine(
  value => /^\d+$/.test(value) || value.split(',').every(part => isProxy(part.trim())),
  'must be a number of hops, or addresses and subnets separated by commas',
)
function isProxy(part: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(part)) return true
  const [address = '', bits] = part.split('/')
  const version = isIP(address)
  return (
    version !== 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (version === 4 ? 32 : 128)))
  )
}
export const credits = z.coerce.number().min(0).lt(amountCeiling).refine(isAmount, 'must have at most 6 decimals')
export const secret = z.string().min(16, 'must have at least 16 characters')
