// Where an OAuth client may be sent back to: a page of HTTPS, its own loopback address, or a private-use scheme of the settings.

import { invalidValue } from '../../kernel/input/fields.ts'
import { Invalid } from '../../kernel/input/problem.ts'
import { type Redirect, redirectUrl } from '../applications/redirect.ts'

// `localhost` too, which RFC 8252 advises against, because most MCP clients register it.
const loopback = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?(?=[/?]|$)/

/** Checks an address that a client registers. `schemes` are those of the settings. */
export function registrable(given: string, schemes: readonly string[]): Redirect | Invalid {
  const url = redirectUrl(given)
  if (url instanceof Invalid) return url
  if (loopback.test(given) || /^https:\/\/[^/]/.test(given)) return { shown: url.host }
  if (schemes.includes(url.protocol.slice(0, -1))) return { shown: url.protocol }
  const own = [...schemes.map(scheme => `${scheme}:`), 'https://'].join(', ')
  return invalidValue(given, `it does not begin with ${own} and is not a loopback address such as http://127.0.0.1:4010/callback`)
}

/** Whether the address is one of those registered: the same text, but for the port of a loopback address (RFC 8252, 7.3). */
export const isRegistered = (given: string, registered: readonly string[]): boolean =>
  registered.some(one => one === given || (loopback.test(one) && withoutPort(one) === withoutPort(given)))

const withoutPort = (address: string) => address.replace(loopback, '$1')
