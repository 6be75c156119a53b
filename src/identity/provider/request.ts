// State of one request to the embedded identity provider: what it has verified about the sender, and the library's log messages.

import { AsyncLocalStorage } from 'node:async_hooks'
import { isAPIError } from 'better-auth/api'
import type { Logger } from 'pino'
import { cutText } from '../../kernel/input/cut.ts'

export interface ProviderRequest {
  /** The user who verifies an address in a request with a session of that same user. Nothing of this user is revoked then. */
  samePersonId: string | null
  /** The accounts that the request has signed in with. */
  accountIds: Set<string>
  /** The value of `signOuts` of each user when this request first read that user. */
  signOuts: Map<string, number>
  messages: LogMessage[]
}

interface LogMessage {
  level: 'debug' | 'info' | 'warn' | 'error'
  message: string
  details: unknown[]
}

const requests = new AsyncLocalStorage<ProviderRequest>()

/** The current request; undefined outside of one. */
export const providerRequest = (): ProviderRequest | undefined => requests.getStore()

// The library's messages repeat addresses and origins from the request.
const maxMessageLength = 500

/** A logger for the library. Messages within a request are written once its status is known; for a status of 4xx at level debug. */
export function providerLog(log: Logger) {
  return (level: LogMessage['level'], message: string, ...details: unknown[]): void => {
    const request = providerRequest()
    const logged = { level, message: cutText(message, maxMessageLength), details }
    if (request) request.messages.push(logged)
    else write(log, logged)
  }
}

/** Handles a request. The library logs errors of clients as errors; here only failures of the server are logged as errors. */
export async function inProviderRequest(log: Logger, handle: () => Promise<Response>): Promise<Response> {
  const request: ProviderRequest = { samePersonId: null, accountIds: new Set(), signOuts: new Map(), messages: [] }
  let status = 500
  try {
    const response = await requests.run(request, handle)
    status = response.status
    return response
  } finally {
    for (const logged of request.messages)
      write(log, status < 500 && !logged.details.some(isFailure) ? { ...logged, level: 'debug' } : logged)
  }
}

// The library's own error classes report invalid requests.
const isFailure = (detail: unknown) => detail instanceof Error && !isAPIError(detail) && detail.name !== 'BetterAuthError'

const write = (log: Logger, { level, message, details }: LogMessage) => log[level]({ details }, `identity provider: ${message}`)
