// One request to the embedded identity provider: what it has shown of who sends it, and what the library says of it meanwhile.

import { AsyncLocalStorage } from 'node:async_hooks'
import { isAPIError } from 'better-auth/api'
import type { Logger } from 'pino'

export interface ProviderRequest {
  /** The user whose session of the provider came with the request, where it verifies an address: nothing of theirs ends. */
  samePersonId: string | null
  /** Accounts that were signed in with during this request. */
  accountIds: Set<string>
  /** Users that the request has looked at, and how often they had been signed out then. */
  signOuts: Map<string, number>
  said: Said[]
}

interface Said {
  level: 'debug' | 'info' | 'warn' | 'error'
  message: string
  details: unknown[]
}

const requests = new AsyncLocalStorage<ProviderRequest>()

/** The request under way; undefined outside of one. */
export const providerRequest = (): ProviderRequest | undefined => requests.getStore()

// The library repeats addresses and origins that callers sent.
const maxMessageLength = 500

/** What the library logs: at once outside of a request, else when its answer tells whose mistake it was. */
export function providerLog(log: Logger) {
  return (level: Said['level'], message: string, ...details: unknown[]): void => {
    const request = providerRequest()
    const said = { level, message: message.slice(0, maxMessageLength), details }
    if (request) request.said.push(said)
    else write(log, said)
  }
}

/** Handles a request. The library calls a caller's mistake an error; here it is one only where we failed. */
export async function inProviderRequest(log: Logger, handle: () => Promise<Response>): Promise<Response> {
  const request: ProviderRequest = { samePersonId: null, accountIds: new Set(), signOuts: new Map(), said: [] }
  let status = 500
  try {
    const response = await requests.run(request, handle)
    status = response.status
    return response
  } finally {
    for (const said of request.said) write(log, status < 500 && !said.details.some(isFailure) ? { ...said, level: 'debug' } : said)
  }
}

// The library's own errors are about what it was sent, as its answers are.
const isFailure = (detail: unknown) => detail instanceof Error && !isAPIError(detail) && detail.name !== 'BetterAuthError'

const write = (log: Logger, { level, message, details }: Said) => log[level]({ details }, `identity provider: ${message}`)
