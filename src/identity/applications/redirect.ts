// Where a desktop application is sent back to: its own loopback address (RFC 8252, 7.3) or a private-use scheme of the settings (7.1).

import { cutText } from '../../kernel/input/cut.ts'
import { invalidValue } from '../../kernel/input/fields.ts'
import { Invalid } from '../../kernel/input/problem.ts'

/** The address as people read it, such as `127.0.0.1:4010` or `com.example.app:`. */
export interface Redirect {
  shown: string
}

// RFC 8252 advises against `localhost`, which a resolver may send elsewhere.
const loopback = /^http:\/\/(?:127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?:[/?]|$)/
const maxLength = 2000

/** Checks an address against the registered schemes. */
export function redirectOf(given: string, schemes: readonly string[]): Redirect | Invalid {
  const url = redirectUrl(given)
  if (url instanceof Invalid) return url
  if (loopback.test(given)) return { shown: url.host }
  if (schemes.includes(url.protocol.slice(0, -1))) return { shown: url.protocol }
  const others = schemes.length > 0 ? ` or begins with ${schemes.map(scheme => `${scheme}:`).join(', ')}` : ''
  return invalidValue(given, `it is not a loopback address such as http://127.0.0.1:4010/callback${others}`)
}

/** An address of any scheme that a browser could be sent to: it has no fragment, and is as it will be sent. */
export function redirectUrl(given: string): URL | Invalid {
  if (given.length > maxLength) return invalidValue(cutText(given, 200), `it is longer than ${maxLength} characters`)
  if (/[\s\\]/.test(given) || !URL.canParse(given)) return invalidValue(given, 'it is not an address')
  const url = new URL(given)
  if (given.includes('#')) return invalidValue(given, 'it must not have a fragment')
  if (url.username !== '' || url.password !== '') return invalidValue(given, 'it must not have a user name')
  return url
}

/** The address with further parameters in its query. */
export function withParameters(redirectUri: string, parameters: Readonly<Record<string, string | null | undefined>>): string {
  const query = new URLSearchParams(Object.entries(parameters).flatMap(([name, value]) => (value == null ? [] : [[name, value]])))
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query}`
}
