// Who may pass: the hook token, a mapping's own token, or a mapping's signature over the body.

import type { IncomingHttpHeaders } from 'node:http'
import { AppError } from '../errors.ts'
import { ofEach } from '../own.ts'
import { secretChecker } from '../secret-checker.ts'
import type { CompiledMapping } from './mapping.ts'
import { hasSignature, type Signing, signatureHeaders, verify } from './signatures.ts'
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
  /** Mappings whose own token or signature it carries; with a signature, what identifies the signed message. */
  mappings: ReadonlyMap<CompiledMapping, string | null>
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
        const mappings = new Map(candidates.filter(one => isTokenOf(one)(given.token)).map(one => [one, null]))
        if (hasHookToken || mappings.size > 0) {
          if (throttle && !throttle.isEmpty()) throttle.forgive(ip())
          return { hasHookToken, mappings, fromQuery: given.from === 'query' }
        }
      }
      const signings = candidates.flatMap(signingOf)
      if (signings.some(signing => hasSignature(signing, headers))) return { hasHookToken: false, mappings: new Map(), fromQuery: false }
      if (isRefused) return refuse(presented, 'Tokens are not taken from the query here; send Authorization: Bearer <token>')
      const missing = [...new Set(signings.flatMap(signatureHeaders))].join(' or ')
      if (signings.length > 0 && signings.length === candidates.length)
        return refuse(presented, `This hook takes signed requests: the header ${missing} is missing`)
      const wanted = `Authorization: Bearer <token>${missing && `, or a signature in ${missing}`}`
      return refuse(presented, given ? `The hook token is wrong${missing && `; send ${wanted}`}` : `A hook token is required: ${wanted}`)
    },
    after(presented, pass, candidates, body) {
      const verdicts = candidates.flatMap(one =>
        signingOf(one).map(signing => ({ one, ...verify(signing, body, presented.headers, now()) })),
      )
      const signed = verdicts.flatMap(({ one, wrong, messageId }) => (wrong === null ? [[one, messageId] as const] : []))
      if (!pass.hasHookToken && pass.mappings.size === 0 && signed.length === 0)
        return refuse(presented, `The request is not signed as it should be: ${verdicts[0]?.wrong ?? 'no signature'}`)
      if (signed.length > 0 && throttle && !throttle.isEmpty()) throttle.forgive(presented.ip())
      return { ...pass, mappings: new Map([...pass.mappings, ...signed]) }
    },
    owner(presented, pass, one) {
      const { auth } = one.mapping
      if (auth ? pass.mappings.has(one) : pass.hasHookToken) return
      const names = signingOf(one).flatMap(signatureHeaders).join(' or ')
      refuse(
        presented,
        names ? `This hook takes signed requests only, with a right signature in ${names}` : 'The token does not open this hook',
      )
    },
  }
}

const signingOf = ({ mapping: { auth } }: CompiledMapping): Signing[] => (auth?.hmac ? [auth.hmac] : [])
