// Which addresses requests to URLs of users may be sent to.

import { BlockList, isIP } from 'node:net'
import { OutgoingError } from './answer.ts'

// Every address that is not public: loopback, private and link-local networks, cloud metadata, multicast and documentation. For IPv6 only
// 2000::/3 is public, which excludes all translated and IPv4-compatible forms (::, ::ffff:0:0, ::ffff:0:0:0, 64:ff9b::); within it, 6to4,
// Teredo and ISATAP addresses contain an IPv4 address too.
const privateSubnets = [
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 192.168.0.0/16',
  '198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4',
  '::/3 4000::/2 8000::/1 2001::/23 2001:db8::/32 2002::/16 3fff::/20',
]
  .join(' ')
  .split(' ')

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

function listOf(subnets: readonly string[]): BlockList {
  const list = new BlockList()
  for (const subnet of subnets) {
    const [address = '', length] = subnet.split('/')
    if (length === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(length), familyOf(address))
  }
  return list
}

/** Whether the text is an address or a subnet, the values of OUTGOING_ALLOW_PRIVATE. */
export function isSubnet(text: string): boolean {
  try {
    listOf([text])
    return isIP(text.split('/')[0] ?? '') !== 0
  } catch {
    return false
  }
}

const blocked = listOf(privateSubnets)

// The interface id of an ISATAP tunnel, followed by an IPv4 address, in any network.
const isatap = /:(0|200):5efe:[0-9a-f]+:[0-9a-f]+$/

/** An IPv6 address with all eight groups; any other text unchanged. */
export function fullIPv6(address: string): string {
  if (isIP(address) !== 6 || !URL.canParse(`http://[${address}]`)) return address
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  if (tail === undefined) return head
  const before = head.split(':').filter(Boolean)
  const after = tail.split(':').filter(Boolean)
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => '0'), ...after].join(':')
}

/** Tells whether an address is private, and not among the addresses and subnets of `allowPrivate`; with `*` none is refused. */
export function addressRefuser(allowPrivate: readonly string[]): (address: string) => boolean {
  if (allowPrivate.includes('*')) return () => false
  const allowed = listOf(allowPrivate)
  return address => {
    const family = familyOf(address)
    return (blocked.check(address, family) || isatap.test(fullIPv6(address))) && !allowed.check(address, family)
  }
}

/** The URL. Throws OutgoingError `refused` for a text that is not an absolute HTTP URL, or has credentials. */
export function checkAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) throw refusal('The address must begin with http:// or https://')
  if (url.username || url.password) throw refusal('The address must hold no user name or password')
  return url
}

export const refusal = (message: string) => new OutgoingError('refused', message, { mayHaveArrived: false })
