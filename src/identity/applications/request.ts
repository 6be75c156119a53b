// The sign-in of a desktop application: checked before anybody agrees, then a code that is good once for a minute. PKCE with S256 only.

import { createHash, randomBytes } from 'node:crypto'
import { type Context, inTransaction, userOf } from '../../kernel/context.ts'
import { AppError, invalid } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { cutText } from '../../kernel/input/cut.ts'
import { text } from '../../kernel/input/fields.ts'
import { at, Invalid, type Problem, problem, valueError } from '../../kernel/input/problem.ts'
import { holdCredential } from '../authentication/held-credential.ts'
import { redirectOf, withParameters } from './redirect.ts'

export interface ApplicationRequest {
  redirectUri: string
  codeChallenge: string
  codeChallengeMethod?: string | null
  clientName: string
  state?: string | null
}

export interface CheckedRequest {
  clientName: string
  /** Where the answer goes, as people read it. */
  redirectsTo: string
}

export interface Authorized {
  code: string
  redirectTo: string
  expiresAt: Date
}

// 60 s: the browser hands it over at once.
const lifetimeMs = 60_000
const maxState = 1000
const readName = text(100)

/** The stored form of an application's name. Nobody has checked that it is true. */
export function clientNameOf(given: string, path: string): { name: string; problems: Problem[] } {
  // Neither line breaks nor characters that turn the direction of a text.
  const read = readName(given.replace(/[\p{Cc}\p{Cf}]/gu, ''))
  if (read instanceof Invalid) return { name: '', problems: at(path, read) }
  return { name: read ?? '', problems: read === null ? [problem(path, 'string_too_short', given, { min_length: 1 })] : [] }
}

/** Throws INVALID with everything that is wrong, so that nobody is asked to agree to a request that cannot be answered. */
export function checkRequest({ services }: Context, request: ApplicationRequest): CheckedRequest {
  const { codeChallenge, codeChallengeMethod, state } = request
  const redirect = redirectOf(request.redirectUri, services.config.APP_SCHEMES)
  const { name, problems } = clientNameOf(request.clientName, 'clientName')
  const all = [
    ...(redirect instanceof Invalid ? at('redirectUri', redirect) : []),
    ...challengeProblems(codeChallenge, codeChallengeMethod ?? 'S256'),
    ...(state != null && state.length > maxState ? [problem('state', 'string_too_long', undefined, { max_length: maxState })] : []),
    ...problems,
  ]
  if (all.length > 0 || redirect instanceof Invalid) throw invalid(all)
  return { clientName: name, redirectsTo: redirect.shown }
}

/** Problems of a PKCE challenge and its method. */
export const challengeProblems = (codeChallenge: string, method: string): Problem[] => [
  ...(/^[\w-]{43}$/.test(codeChallenge)
    ? []
    : [
        valueError(
          'codeChallenge',
          'it is not the SHA-256 of a verifier in base64url, 43 characters (RFC 7636)',
          cutText(codeChallenge, 200),
        ),
      ]),
  ...(method === 'S256' ? [] : [problem('codeChallengeMethod', 'literal_error', cutText(method, 200), { expected: "'S256'" })]),
]

/** Makes a code for the application, by which it opens a session of the signed-in user. Throws INVALID, and CONFLICT without a session. */
export function authorizeApplication(context: Context, request: ApplicationRequest): Promise<Authorized> {
  const { userId, sessionId } = userOf(context)
  const { clientName } = checkRequest(context, request)
  if (sessionId === null) throw new AppError('CONFLICT', 'X-User-ID has no session that the application could be given a part of')
  const { redirectUri, codeChallenge, state } = request
  return context.db.transaction(async db => {
    const tx = inTransaction(context, db)
    await holdCredential(tx)
    const { identitySessionId: signInId } = await db.prisma.session.findUniqueOrThrow({ where: { id: sessionId } })
    const code = randomBytes(32).toString('base64url')
    const now = tx.now()
    const expiresAt = new Date(now.getTime() + lifetimeMs)
    await db.prisma.authorizationCode.create({
      data: {
        ...{ id: newId(), codeHash: hashOf(code), codeChallenge, redirectUri, clientName },
        ...{ userId, sessionId, signInId, createdAt: now, expiresAt },
      },
    })
    return { code, redirectTo: withParameters(redirectUri, { code, state }), expiresAt }
  })
}

/** The stored form of a code: its hash. */
export const hashOf = (code: string) => createHash('sha256').update(code).digest()

/** Whether the PKCE challenge was made of the verifier. */
export const isVerified = (verifier: string, challenge: string): boolean =>
  /^[\w.~-]{43,128}$/.test(verifier) && hashOf(verifier).toString('base64url') === challenge
