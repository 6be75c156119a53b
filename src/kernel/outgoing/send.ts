// Sends requests through undici, to the addresses that http.ts has checked.

import { isIP } from 'node:net'
import { LRUCache } from 'lru-cache'
import { Agent, buildConnector, type Dispatcher, fetch, Headers, Pool, type Response } from 'undici'
import { userAgent } from '../../config/user-agent.ts'
import { checkAddress } from './addresses.ts'
import { answerOf, beginningOf, bytesOf, explainError, type OutgoingAnswer, Unconnected } from './answer.ts'
import type { OutgoingRequest } from './http.ts'

const defaultMaxBytes = 1024 * 1024

// How long a connection of `keepAlive` is kept without a request: servers close theirs after 5 s or more, and a request that meets the end
// of its connection fails.
const idleMs = 2000
// The connections of more names are closed, those without a request for longest first.
const maxPools = 1000

/** `addressesOf` rejects for a name that leads to a refused address. */
export function createSend(addressesOf: (hostname: string) => Promise<string[]>) {
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
  const guardConnector =
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
    const agent: Dispatcher = new Agent({ connections: 1, pipelining: 1, connect: guardConnector(() => (connected = true)) })
    try {
      return await read(
        await fetch(url, { method, headers: { 'user-agent': userAgent, ...headers }, body, redirect: 'manual', dispatcher: agent, signal }),
      )
    } catch (error) {
      throw explainError(error, url, connected, signal)
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
      throw explainError(error, url, connected && !(error instanceof Unconnected), signal)
    }
  }

  return async (url: string, request: OutgoingRequest): Promise<OutgoingAnswer> => {
    const { timeoutMs = 10_000, maxBytes = defaultMaxBytes, method = 'GET', keepAlive } = request
    const deadline = AbortSignal.timeout(timeoutMs)
    const signal = request.signal ? AbortSignal.any([deadline, request.signal]) : deadline
    let redirects = /^(GET|HEAD)$/.test(method) ? (request.redirects ?? 0) : 0
    let { headers } = request
    let at = checkAddress(url)
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
      at = checkAddress(URL.canParse(answer, here.href) ? new URL(answer, here.href).href : answer)
      // Credentials for one origin are not sent to another origin.
      if (at.origin !== here.origin) headers = withoutCredentials(headers)
    }
  }
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
