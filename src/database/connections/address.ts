// Addresses of PostgreSQL: postgresql://user:password@host:port/database, with several hosts after one another as libpq takes them.

const parts = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^@/?#]+)([/?#].*)?$/
// What every address means here: each statement may write.
const writes = ['read-write', 'primary', 'any']

/** Each host as an address of its own, in their order. Throws an error of one sentence where there is none. */
export function addressesOf(url: string): string[] {
  const [, before = '', hosts = '', after = ''] = parts.exec(url) ?? []
  const addresses = hosts.split(',').map(host => before + host + after)
  if (!hosts || addresses.some(address => !URL.canParse(address)))
    throw new Error('must be postgresql://user:password@host:port/database; several hosts as host1:port,host2:port')
  const wanted = new URL(addresses[0] ?? '').searchParams.get('target_session_attrs')
  if (wanted !== null && !writes.includes(wanted))
    throw new Error(`must lead to the primary, as target_session_attrs=read-write says; "${wanted}" leads elsewhere`)
  return addresses
}

/** What of an address may be said in a log. */
export function placeOf(address: string): string {
  const { host, pathname } = new URL(address)
  return `${decodeURIComponent(pathname.slice(1))} at ${host}`
}

/** Goes through several hosts: the one that served last is tried first. */
export interface Hosts {
  readonly count: number
  current(): string
  /** Moves on from a host that did not serve, unless somebody has already. */
  failed(address: string): void
}

export function hostsOf(url: string): Hosts {
  const addresses = addressesOf(url)
  let index = 0
  const current = () => addresses[index] ?? url
  return {
    count: addresses.length,
    current,
    failed(address) {
      if (address === current()) index = (index + 1) % addresses.length
    },
  }
}
