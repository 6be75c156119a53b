// HTTP requests to URLs that users gave: the name is resolved once, its addresses are checked, and only a checked address is dialled.

import { lookup as resolve } from 'node:dns/promises'
import { isIP } from 'node:net'
import { addressRefuser, checkAddress, refusal } from './addresses.ts'
import { type OutgoingAnswer, OutgoingError } from './answer.ts'
import { inRequestSpan } from './span.ts'

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

export interface Outgoing {
  /** Resolves with the answer, whatever its status. Throws OutgoingError when there is no answer. */
  send(url: string, request?: OutgoingRequest): Promise<OutgoingAnswer>
  /** Checks the URL without sending a request. Throws OutgoingError: `refused`, or `unreachable` for an unknown name. */
  check(url: string): Promise<void>
}

export interface OutgoingOptions {
  /** Private addresses and subnets that are allowed; `*` allows all. */
  allowPrivate?: readonly string[]
  /** All addresses of a name. Default: the system's resolver. */
  lookup?: (hostname: string) => Promise<readonly { address: string }[]>
}

export function createOutgoing({ allowPrivate = [], lookup = name => resolve(name, { all: true }) }: OutgoingOptions = {}): Outgoing {
  const isRefused = addressRefuser(allowPrivate)

  /** The addresses to dial. One refused address refuses the whole name: another lookup might have returned only that one. */
  const addressesOf = async (hostname: string): Promise<string[]> => {
    const literal = hostname.replace(/^\[|\]$/g, '')
    const addresses = isIP(literal) ? [literal] : (await lookup(hostname)).map(({ address }) => address)
    if (addresses.length === 0) throw new Error(`${hostname} has no address`)
    if (addresses.some(isRefused)) throw refusal(`${hostname} leads to a private address that OUTGOING_ALLOW_PRIVATE does not list`)
    return addresses
  }

  let sending: Promise<(url: string, request: OutgoingRequest) => Promise<OutgoingAnswer>> | undefined
  const send = async (url: string, request: OutgoingRequest): Promise<OutgoingAnswer> => {
    // undici takes 25 ms to load, which a start does without.
    sending ??= import('./send.ts').then(({ createSend }) => createSend(addressesOf))
    return (await sending)(url, request)
  }

  return {
    async check(url) {
      const { hostname, host } = checkAddress(url)
      await addressesOf(hostname).catch((error: unknown) => {
        if (error instanceof OutgoingError) throw error
        throw new OutgoingError('unreachable', `${host} is not known`, { mayHaveArrived: false, cause: error })
      })
    },
    send: (url, request = {}) =>
      inRequestSpan(url, request.method ?? 'GET', headers => send(url, { ...request, headers: { ...request.headers, ...headers } })),
  }
}
