// Where an OAuth client may be sent back to: a page of HTTPS, its own loopback address, or a private-use scheme (RFC 8252, 7). All clients are
// public and use PKCE, so another application that takes the same scheme cannot exchange the code.

import { invalidValue } from '../../kernel/input/fields.ts'
import { Invalid } from '../../kernel/input/problem.ts'
import { type Redirect, redirectUrl } from '../applications/redirect.ts'

// `localhost` too, which RFC 8252 advises against, because most MCP clients register it.
const loopback = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?(?=[/?]|$)/i

/**
 * Schemes that browsers and systems handle themselves: with some of them the code would run as a script, be mailed or be sent in the clear. A
 * scheme with a dot, such as `com.example.app`, is nobody else's. Applications also use their names: `cursor`, `vscode`.
 */
const taken = new Set(
  `about acap blob callto chrome cid content crid data dav dict dns facetime feed file filesystem finger fish ftp ftps geo git gopher
  http https iax icap im imap info intent ipp irc irc6 ircs jar javascript jms ldap ldaps livescript magnet mailto maps market message
  mid mms mocha modem mongodb mtqp mysql news nfs nntp opera pkcs11 pop postgresql pres prospero rdp redis resource rmi rsync rtsp
  s3 search service session sftp shell sip sips skype sms smsto smb snmp soap ssh steam stun sts svn tel telnet tftp turn udp urn
  vbscript vemmi view-source vnc wais webcal ws wss wtai wyciwyg xmpp`.split(/\s+/),
)
const isPrivateUse = (scheme: string) =>
  scheme.includes('.') || !(taken.has(scheme) || /^(?:ms|search|itms|chrome|moz|edge|x-apple|prefs|android)\b|^(?:ms|web)[-+]/.test(scheme))

/** Checks an address that a client registers. */
export function registrable(given: string): Redirect | Invalid {
  const url = redirectUrl(given)
  if (url instanceof Invalid) return url
  if (loopback.test(given) || /^https:\/\/[^/]/.test(given)) return { shown: url.host }
  if (isPrivateUse(url.protocol.slice(0, -1))) return { shown: url.protocol }
  return invalidValue(
    given,
    'it is not https://, a scheme of an application such as com.example.app:/callback, or a loopback address such as http://127.0.0.1:4010/callback',
  )
}

/**
 * Whether the address is registered: the same text, but for the port of a loopback address (RFC 8252, 7.3), the case of the
 * host, and the slash that stands for no path.
 */
export function isRegistered(given: string, registered: readonly string[]): boolean {
  const wanted = comparable(given)
  return registered.some(one => comparable(one) === wanted)
}

function comparable(address: string): string {
  const [origin] = /^https?:\/\/[^/?]*/i.exec(address) ?? []
  if (origin === undefined) return address
  const { protocol, host, hostname } = new URL(address)
  const rest = address.slice(origin.length)
  return `${protocol}//${loopback.test(address) ? hostname : host}${rest.startsWith('/') ? '' : '/'}${rest}`
}
