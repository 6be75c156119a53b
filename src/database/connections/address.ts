// Addresses of PostgreSQL: postgresql://user:password@host:port/database, with one or several hosts, as libpq accepts them.

const parts = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^@/?#]+)([/?#].*)?$/
// The values of target_session_attrs that are accepted: every connection must be able to write, so each leads to the primary.
const writes = ['read-write', 'primary', 'any']

// pg reads these three as verify-full, as no other client does, and prints a warning of eight lines unless it is written.
const encrypted = ['prefer', 'require', 'verify-ca']
const sslModes = ['disable', 'no-verify', ...encrypted, 'verify-full']

/** One address per host, in order. Throws an Error with one sentence when the address is not valid. */
export function addressesOf(url: string): string[] {
  const [, before = '', hosts = '', after = ''] = parts.exec(url) ?? []
  const addresses = hosts.split(',').map(host => before + host + after)
  if (!hosts || addresses.some(address => !URL.canParse(address)))
    throw new Error('must be postgresql://user:password@host:port/database; several hosts as host1:port,host2:port')
  const wanted = new URL(addresses[0] ?? '').searchParams.get('target_session_attrs')
  if (wanted !== null && !writes.includes(wanted))
    throw new Error(`must lead to the primary, as target_session_attrs=read-write says; "${wanted}" leads elsewhere`)
  const { searchParams } = new URL(addresses[0] ?? '')
  const sslMode = searchParams.get('sslmode')
  if (sslMode !== null && !sslModes.includes(sslMode)) throw new Error(`must have an sslmode of ${sslModes.join(', ')}`)
  if (sslMode === null || !encrypted.includes(sslMode) || searchParams.has('uselibpqcompat')) return addresses
  return addresses.map(address => address.replace(/([?&]sslmode=)[\w-]+/, '$1verify-full'))
}

/** The part of an address that may be logged: without user and password. */
export function placeOf(address: string): string {
  const { host, pathname } = new URL(address)
  return `${decodeURIComponent(pathname.slice(1))} at ${host}`
}

/** The hosts of an address in the order to try them: first the one that worked last. */
export interface Hosts {
  readonly count: number
  current(): string
  /** Moves on to the next host, unless another connection has already moved on from this one. */
  noteFailure(address: string): void
}

export function hostsOf(url: string): Hosts {
  const addresses = addressesOf(url)
  let index = 0
  const current = () => addresses[index] ?? url
  return {
    count: addresses.length,
    current,
    noteFailure(address) {
      if (address === current()) index = (index + 1) % addresses.length
    },
  }
}
