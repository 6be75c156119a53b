// The network of a caller: what every limit counts that has no credential to count by.

import { isIPv4 } from 'node:net'
import { fullIPv6 } from '../outgoing/addresses.ts'

/** A text that only `networkOf` makes, so that a limit cannot count by a whole address. */
export type Network = string & { readonly network: unique symbol }

/**
 * An IPv4 address, or the first 64 bits of an IPv6 address: one sender may use all 2^64 addresses of such a network. An IPv4 address
 * written as IPv6 (`::ffff:192.0.2.1`, or by a translator `64:ff9b::192.0.2.1`) is the IPv4 address. Zones (`%eth0`), and brackets
 * and ports that some proxies write into X-Forwarded-For, are dropped. Every other text is one network, `unknown`.
 */
export function networkOf(address: string | undefined): Network {
  return (networkIn(address ?? '') ?? 'unknown') as Network
}

function networkIn(address: string): string | null {
  if (isIPv4(address)) return address
  const [, bracketed, bare] = /^(?:\[([^\]]*)\](?::\d*)?|([^\s[]*))$/.exec(address.slice(0, maxLength).trim()) ?? []
  const [text = ''] = (bracketed ?? bare ?? '').split('%')
  const [host = ''] = text.split(':', 1)
  // With or without a port.
  if (isIPv4(host)) return host
  const groups = fullIPv6(text).split(':')
  if (groups.length !== 8) return null
  const start = groups.slice(0, 6).join(':')
  if (start === '0:0:0:0:0:ffff' || start === '64:ff9b:0:0:0:0') return groups.slice(6).flatMap(bytesOf).join('.')
  return `${groups.slice(0, 4).join(':')}::/64`
}

// The longest address with a zone, brackets and a port.
const maxLength = 100

const bytesOf = (group: string) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]
