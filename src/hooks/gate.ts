// Who may pass: the hook token, a mapping's own token, or a mapping's signature over the body.

import type { IncomingHttpHeaders } from 'node:http'
import { AppError } from '../errors.ts'
import { ofEach } from '../own.ts'
import { secretChecker } from '../secret-checker.ts'
import type { CompiledMapping } from './mapping.ts'
import { unsigned } from './signatures.ts'
import { createThrottle, presentedToken, type Throttle } from './token.ts'

export interface Presented {
  headers: IncomingHttpHeaders
  query: URLSearchParams | null
  /** Read only when needed: Express works it out on every reading. */
  ip(): string
}

/** What a request has shown so far. */
export interface Pass {
  hasHookToken: boolean
  /** Mappings whose own token or signature it carries. */
  mappings: ReadonlySet<CompiledMapping>
  /** The token came in the query, which ends up in logs of others. */
  fromQuery: boolean
}

export interface GateOptions {
  tokens: readonly string[]
  allowQueryToken: boolean
  /** Whether failures are counted at all. */
  isThrottled: boolean
  now(): Date
}

export interface Gate {
  /**
   * Before the body is read. Throws UNAUTHENTICATED, or RATE_LIMITED for an address that was wrong too often; a right token always passes.
   * A request that is signed passes for now: its signature can be checked only with its body.
   */
  before(presented: Presented, candidates: readonly CompiledMapping[]): Pass
  /** With the body: adds the mappings whose signatures are right. Throws like `before` when nothing at all is. */
  after(presented: Presented, pass: Pass, candidates: readonly CompiledMapping[], body: Buffer): Pass
  /** Throws like `before` unless what the request has shown opens the mapping that owns it. */
  owner(presented: Presented, pass: Pass, mapping: CompiledMapping): void
}

export function createGate({ tokens, allowQueryToken, isThrottled, now }: GateOptions): Gate {
  const isHookToken = secretChecker(tokens)
  const throttle: Throttle | null = isThrottled ? createThrottle() : null
  // A mapping without a token of its own is opened by none.
  const isTokenOf = ofEach(({ mapping }: CompiledMapping) => secretChecker([mapping.auth?.token].flatMap(own => own ?? [])))
  const refuse = ({ ip }: Presented, sentence: string): never => {
    const seconds = throttle?.fail(ip())
    if (seconds != null) throw new AppError('RATE_LIMITED', 'Too many wrong tokens from this address', { retryAfter: seconds })
    throw new AppError('UNAUTHENTICATED', sentence)
  }

  return {
    before(presented, candidates) {
      const { headers, query, ip } = presented
      const given = presentedToken(headers, query)
      const isRefused = given?.from === 'query' && !allowQueryToken
      if (given && !isRefused) {
        const hasHookToken = isHookToken(given.token)
        const mappings = new Set(candidates.filter(one => isTokenOf(one)(given.token)))
        if (hasHookToken || mappings.size > 0) {
          if (throttle && !throttle.isEmpty()) throttle.forgive(ip())
          return { hasHookToken, mappings, fromQuery: given.from === 'query' }
        }
      }
      const isSigned = candidates.some(({ mapping: { auth } }) => auth?.hmac && headers[auth.hmac.header] !== undefined)
      if (isSigned) return { hasHookToken: false, mappings: new Set(), fromQuery: false }
      if (isRefused) return refuse(presented, 'Tokens are not taken from the query here; send Authorization: Bearer <token>')
      return refuse(presented, given ? 'The hook token is wrong' : 'A hook token is required: Authorization: Bearer <token>')
    },
    after(presented, pass, candidates, body) {
      const signed = candidates.filter(({ mapping: { auth } }) => {
        const hmac = auth?.hmac
        return hmac && presented.headers[hmac.header] !== undefined && unsigned(hmac, body, presented.headers, now()) === null
      })
      if (!pass.hasHookToken && pass.mappings.size === 0 && signed.length === 0) {
        const [first] = candidates.flatMap(({ mapping: { auth } }) => (auth?.hmac ? [auth.hmac] : []))
        const reason = first ? unsigned(first, body, presented.headers, now()) : null
        return refuse(presented, `The request is not signed as it should be: ${reason ?? 'no signature'}`)
      }
      if (signed.length > 0 && throttle && !throttle.isEmpty()) throttle.forgive(presented.ip())
      return { ...pass, mappings: new Set([...pass.mappings, ...signed]) }
    },
    owner(presented, pass, one) {
      const { auth } = one.mapping
      if (auth ? pass.mappings.has(one) : pass.hasHookToken) return
      refuse(presented, auth?.hmac ? 'This hook takes signed requests only' : 'The token does not open this hook')
    },
  }
}
