// HTTP requests to URLs that users gave: the name is resolved once, its addresses are checked, and only a checked address is dialled.

import { lookup as resolve } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import { LRUCache } from 'lru-cache'
import { Agent, buildConnector, type Dispatcher, fetch, Headers, Pool, type Response } from 'undici'
import { userAgent } from '../../config/user-agent.ts'

export interface OutgoingRequest {
  method?: string
  headers?: Record<string, string>
  body?: string
  /** The time from the first name lookup to the last byte. Default 10 s. */
  timeoutMs?: number
  /** The maximum size of the answer in bytes, after decompression. Default 1 MiB; a larger answer is an error. */
  maxBytes?: number
  /** The maximum number of redirects, for GET and HEAD only. Each target is checked like the first URL. Default 0. */
  redirects?: number
  /**
   * Requests with the same text reuse their connections while the name has the same addresses, which are looked up and checked for each
   * request. Their answers are not decompressed, and cut at `maxBytes`; redirects are not followed. Default: a new connection.
   */
  keepAlive?: string
  signal?: AbortSignal
}

export interface OutgoingAnswer {
  status: number
  headers: Headers
  /** The URL that answered: the last one after redirects. */
  url: string
  body: Buffer
  text(): string
  /** Throws OutgoingError `unreadable` when the body is not JSON. */
  json(): unknown
}

export interface Outgoing {
  /** Resolves with the answer, whatever its status. Throws OutgoingError when there is no answer. */
  send(url: string, request?: OutgoingRequest): Promise<OutgoingAnswer>
  /** Checks the URL without sending a request. Throws OutgoingError: `refused`, or `unreachable` for an unknown name. */
  check(url: string): Promise<void>
}

/** Why there is no answer. */
export type Failure = 'refused' | 'unreachable' | 'timeout' | 'interrupted' | 'too_large' | 'unreadable'

export class OutgoingError extends Error {
  readonly failure: Failure
  /** False only when the other side has certainly not received the request. */
  readonly mayHaveArrived: boolean
  constructor(failure: Failure, message: string, { mayHaveArrived, cause }: { mayHaveArrived: boolean; cause?: unknown }) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'OutgoingError'
    this.failure = failure
    this.mayHaveArrived = mayHaveArrived
  }
}

export interface OutgoingOptions {
  /** Private addresses and subnets that are allowed; `*` allows all. */
  allowPrivate?: readonly string[]
  /** All addresses of a name. Default: the system's resolver. */
  lookup?: (hostname: string) => Promise<readonly { address: string }[]>
}

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

const defaultMaxBytes = 1024 * 1024

// How long a connection of `keepAlive` is kept without a request: servers close theirs after 5 s or more, and a request that meets the end
// of its connection fails.
const idleMs = 2000
// The connections of more names are closed, those without a request for longest first.
const maxPools = 1000

/** No connection was made, so that the request was not sent. */
class Unconnected extends Error {
  constructor(cause: unknown) {
    super('No connection', { cause })
  }
}

// The interface id of an ISATAP tunnel, followed by an IPv4 address, in any network.
const isatap = /:(0|200):5efe:[0-9a-f]+:[0-9a-f]+$/

/** An IPv6 address with all eight groups; any other text unchanged. */
function fullIPv6(address: string): string {
  if (isIP(address) !== 6 || !URL.canParse(`http://[${address}]`)) return address
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  if (tail === undefined) return head
  const before = head.split(':').filter(Boolean)
  const after = tail.split(':').filter(Boolean)
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => '0'), ...after].join(':')
}

export function createOutgoing({ allowPrivate = [], lookup = name => resolve(name, { all: true }) }: OutgoingOptions = {}): Outgoing {
  const isOpen = allowPrivate.includes('*')
  const allowed = listOf(allowPrivate.filter(subnet => subnet !== '*'))
  const isRefused = (address: string) =>
    !isOpen && (blocked.check(address, familyOf(address)) || isatap.test(fullIPv6(address))) && !allowed.check(address, familyOf(address))
  const refusal = (message: string) => new OutgoingError('refused', message, { mayHaveArrived: false })

  /** The addresses to dial. One refused address refuses the whole name: another lookup might have returned only that one. */
  const addressesOf = async (hostname: string): Promise<string[]> => {
    const literal = hostname.replace(/^\[|\]$/g, '')
    const addresses = isIP(literal) ? [literal] : (await lookup(hostname)).map(({ address }) => address)
    if (addresses.length === 0) throw new Error(`${hostname} has no address`)
    if (addresses.some(isRefused)) throw refusal(`${hostname} leads to a private address that OUTGOING_ALLOW_PRIVATE does not list`)
    return addresses
  }

  const dial = buildConnector({ timeout: 5000, allowH2: false, maxCachedSessions: 0 })
  const dialNext = (options: buildConnector.Options, [address, ...others]: string[], callback: buildConnector.Callback) => {
    if (address === undefined) return callback(new Error(`No address of ${options.hostname} answers`), null)
    const servername = options.servername || (options.protocol === 'https:' && !isIP(options.hostname) ? options.hostname : undefined)
    dial({ ...options, hostname: address, ...(servername && { servername }) }, (error, socket) => {
      if (socket) callback(null, socket)
      else if (others.length > 0) dialNext(options, others, callback)
      else callback(error ?? new Error('No connection'), null)
    })
  }

  // undici skips the lookup for literal IP addresses, so the check is in the connector, which makes every connection.
  const guarded =
    (onConnected: () => void): buildConnector.connector =>
    (options, callback) => {
      addressesOf(options.hostname).then(
        addresses =>
          dialNext(options, addresses, (...result) => {
            if (result[1]) onConnected()
            callback(...result)
          }),
        (error: Error) => callback(error, null),
      )
    }

  /**
   * Sends one request on a new connection, so that the dialled address has just been checked, and it is known whether the request was sent.
   */
  const hop = async <Result>(
    url: URL,
    { method = 'GET', headers, body }: OutgoingRequest,
    signal: AbortSignal,
    read: (response: Response) => Promise<Result>,
  ): Promise<Result> => {
    let connected = false
    const agent: Dispatcher = new Agent({ connections: 1, pipelining: 1, connect: guarded(() => (connected = true)) })
    try {
      return await read(
        await fetch(url, { method, headers: { 'user-agent': userAgent, ...headers }, body, redirect: 'manual', dispatcher: agent, signal }),
      )
    } catch (error) {
      throw explained(error, url, connected, signal)
    } finally {
      agent.destroy().catch(() => {})
    }
  }

  const pools = new LRUCache<string, Pool>({ max: maxPools, dispose: pool => void pool.close().catch(() => {}) })

  /** The connections of `keepAlive` to these addresses, which alone are dialled. */
  const poolOf = ({ origin }: URL, keepAlive: string, addresses: readonly string[]): Pool => {
    const sorted = addresses.toSorted()
    const name = JSON.stringify([keepAlive, origin, sorted])
    const known = pools.get(name)
    if (known) return known
    const pool = new Pool(origin, {
      ...{ pipelining: 1, allowH2: false, keepAliveTimeout: idleMs, keepAliveMaxTimeout: idleMs, headersTimeout: 0, bodyTimeout: 0 },
      connect: (options, callback) =>
        dialNext(options, sorted, (error, socket) => (socket ? callback(null, socket) : callback(new Unconnected(error), null))),
    })
    pools.set(name, pool)
    return pool
  }

  const sendKept = async (url: URL, keepAlive: string, request: OutgoingRequest, signal: AbortSignal): Promise<OutgoingAnswer> => {
    const { method = 'GET', headers, body, maxBytes = defaultMaxBytes } = request
    let connected = false
    try {
      const addresses = await Promise.race([addressesOf(url.hostname), abortion(signal)])
      connected = true
      const response = await poolOf(url, keepAlive, addresses).request({
        ...{ path: url.pathname + url.search, method: method as Dispatcher.HttpMethod, body: body ?? null, signal },
        headers: { 'user-agent': userAgent, ...headers },
      })
      return answerOf(
        url,
        { status: response.statusCode, headers: headersOf(response.headers) },
        await beginningOf(response.body, maxBytes),
      )
    } catch (error) {
      throw explained(error, url, connected && !(error instanceof Unconnected), signal)
    }
  }

  return {
    async check(url) {
      const { hostname, host } = checked(url, refusal)
      await addressesOf(hostname).catch((error: unknown) => {
        if (error instanceof OutgoingError) throw error
        throw new OutgoingError('unreachable', `${host} is not known`, { mayHaveArrived: false, cause: error })
      })
    },
    async send(url, request = {}) {
      const { timeoutMs = 10_000, maxBytes = defaultMaxBytes, method = 'GET', keepAlive } = request
      const deadline = AbortSignal.timeout(timeoutMs)
      const signal = request.signal ? AbortSignal.any([deadline, request.signal]) : deadline
      let redirects = /^(GET|HEAD)$/.test(method) ? (request.redirects ?? 0) : 0
      let { headers } = request
      let at = checked(url, refusal)
      if (keepAlive !== undefined) return sendKept(at, keepAlive, request, signal)
      for (;;) {
        const here = at
        const answer = await hop(here, { ...request, headers }, signal, async response => {
          const location = redirects > 0 && isRedirect(response.status) ? response.headers.get('location') : null
          if (location !== null) return location
          const bytes = await bytesOf(response.body, maxBytes)
          return answerOf(here, response, bytes)
        })
        if (typeof answer !== 'string') return answer
        redirects--
        at = checked(URL.canParse(answer, here.href) ? new URL(answer, here.href).href : answer, refusal)
        // Credentials for one origin are not sent to another origin.
        if (at.origin !== here.origin) headers = withoutCredentials(headers)
      }
    },
  }
}

function checked(text: string, refusal: (message: string) => OutgoingError): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) throw refusal('The address must begin with http:// or https://')
  if (url.username || url.password) throw refusal('The address must hold no user name or password')
  return url
}

const isRedirect = (status: number) => [301, 302, 303, 307, 308].includes(status)

const withoutCredentials = (headers: Record<string, string> = {}) =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => !/^(authorization|cookie|proxy-authorization|x-.*(key|token|secret))$/i.test(name)),
  )

const abortion = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

function headersOf(raw: Record<string, string | string[] | undefined>): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(raw)) for (const one of [value ?? []].flat()) headers.append(name, one)
  return headers
}

async function bytesOf(body: AsyncIterable<Uint8Array> | null, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) throw new OutgoingError('too_large', `The answer is larger than ${maxBytes} bytes`, { mayHaveArrived: true })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

async function beginningOf(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let left = maxBytes
  for await (const chunk of body) {
    chunks.push(chunk.subarray(0, left))
    left -= chunk.byteLength
    // Ends the connection too.
    if (left < 0) break
  }
  return Buffer.concat(chunks)
}

function answerOf(url: URL, { status, headers }: Pick<Response, 'status' | 'headers'>, body: Buffer): OutgoingAnswer {
  const text = () => body.toString('utf8')
  return {
    status,
    headers,
    url: url.href,
    body,
    text,
    json() {
      try {
        return JSON.parse(text()) as unknown
      } catch (cause) {
        throw new OutgoingError('unreadable', `${url.host} answered with something that is not JSON`, { mayHaveArrived: true, cause })
      }
    },
  }
}

function explained(error: unknown, { host }: URL, connected: boolean, signal: AbortSignal): OutgoingError {
  // undici wraps errors of its connector, some of them twice.
  for (let at: unknown = error; at instanceof Error; at = at.cause) if (at instanceof OutgoingError) return at
  if (signal.aborted) return new OutgoingError('timeout', `${host} did not answer in time`, { mayHaveArrived: connected, cause: error })
  if (connected) return new OutgoingError('interrupted', `The connection to ${host} broke`, { mayHaveArrived: true, cause: error })
  return new OutgoingError('unreachable', `${host} could not be reached`, { mayHaveArrived: false, cause: error })
}
