// Authentication of hooks: by the hook token, by a mapping's own token, or by a mapping's signature of the body.

import type { IncomingHttpHeaders } from 'node:http'
import { constantTimeMatcher } from '../../kernel/crypto/constant-time.ts'
import { AppError } from '../../kernel/errors.ts'
import type { NetworkLimits } from '../../kernel/limits/limits.ts'
import { perObject } from '../../kernel/per-object.ts'
import type { CompiledMapping } from '../mappings/mapping.ts'
import { hasSignature, type Signing, signatureHeaders, verify } from './signatures.ts'
import { tokenOf } from './token.ts'

const wrongCredentials = { max: 20, seconds: 60 }

export interface Presented {
  headers: IncomingHttpHeaders
  query: URLSearchParams | null
  /** A function, because Express computes the address on each call. */
  ip(): string | undefined
}

/** The valid credentials of a request. */
interface Pass {
  hasHookToken: boolean
  /** Mappings whose own token or signature is valid. The value is the id of the signed message; null for a token. */
  mappings: ReadonlyMap<CompiledMapping, string | null>
  /** Whether the token was in the query, which proxies may log. */
  fromQuery: boolean
}

export interface AuthenticationOptions {
  tokens: readonly string[]
  allowQueryToken: boolean
  limits: NetworkLimits
  now(): Date
}

export interface HookAuthentication {
  /**
   * Checks tokens, before the body is read. Throws UNAUTHENTICATED, or RATE_LIMITED for an address with too many failures. A valid token
   * always passes, and a signed request passes until its signature is checked with the body.
   */
  checkTokens(presented: Presented, candidates: readonly CompiledMapping[]): Pass
  /** Checks signatures, and adds the mappings whose signature is valid. Throws like `checkTokens` if no credential is valid. */
  checkSignatures(presented: Presented, pass: Pass, candidates: readonly CompiledMapping[], body: Buffer): Pass
  /** Throws like `checkTokens` unless a valid credential belongs to the mapping that handles the request. */
  checkOwner(presented: Presented, pass: Pass, mapping: CompiledMapping): void
}

export function createHookAuthentication({ tokens, allowQueryToken, limits, now }: AuthenticationOptions): HookAuthentication {
  const isHookToken = constantTimeMatcher(tokens)
  // A mapping without a token of its own matches no token.
  const isTokenOf = perObject(({ mapping }: CompiledMapping) => constantTimeMatcher([mapping.auth?.token].flatMap(own => own ?? [])))
  const refuse = ({ ip }: Presented, sentence: string): never => {
    const retryAfter = limits.count(wrongCredentials, ip())
    if (retryAfter !== null) throw new AppError('RATE_LIMITED', 'Too many wrong tokens from this address', { retryAfter })
    throw new AppError('UNAUTHENTICATED', sentence)
  }

  return {
    checkTokens(presented, candidates) {
      const { headers, query, ip } = presented
      const given = tokenOf(headers, query)
      const isRefused = given?.from === 'query' && !allowQueryToken
      if (given && !isRefused) {
        const hasHookToken = isHookToken(given.token)
        const mappings = new Map(candidates.filter(one => isTokenOf(one)(given.token)).map(one => [one, null]))
        if (hasHookToken || mappings.size > 0) {
          limits.forget(wrongCredentials, ip)
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
    checkSignatures(presented, pass, candidates, body) {
      const verdicts = candidates.flatMap(one =>
        signingOf(one).map(signing => ({ one, ...verify(signing, body, presented.headers, now()) })),
      )
      const signed = verdicts.flatMap(({ one, wrong, messageId }) => (wrong === null ? [[one, messageId] as const] : []))
      if (!pass.hasHookToken && pass.mappings.size === 0 && signed.length === 0)
        return refuse(presented, `The request is not signed as it should be: ${verdicts[0]?.wrong ?? 'no signature'}`)
      if (signed.length > 0) limits.forget(wrongCredentials, presented.ip)
      return { ...pass, mappings: new Map([...pass.mappings, ...signed]) }
    },
    checkOwner(presented, pass, one) {
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
