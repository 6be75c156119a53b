// Tokens of OAuth clients: a code is exchanged once, and each refresh token once. A second use ends the grant, except when a client
// repeats a refresh within a minute: then it gets the same answer.

import type { Queries } from '../../database/queries.ts'
import type { OauthClient, OauthGrant, OauthToken } from '../../generated/prisma/client.ts'
import { type Context, inTransaction } from '../../kernel/context.ts'
import { decrypt, encrypt } from '../../kernel/crypto/encrypt.ts'
import { newId } from '../../kernel/ids.ts'
import { cutText } from '../../kernel/input/cut.ts'
import { hashOf, isVerified } from '../applications/request.ts'
import { holdSession } from '../authentication/credential.sql.ts'
import { newAccessToken, newRefreshToken } from '../keys/format.ts'
import { findClient, publicIdOf } from './client.ts'
import { isMetadataUrl } from './document.ts'
import { revokeGrants } from './grant.ts'
import { lockGrant } from './oauth.sql.ts'
import { Refused } from './refused.ts'
import { isResource } from './request.ts'

/** The answer of the token endpoint (RFC 6749, 5.1). */
export interface Tokens {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  refresh_token: string
  scope: string
}

export interface CodeExchange {
  clientId: string
  code: string
  codeVerifier: string
  redirectUri: string
  /** Where it is given, it must be the grant's (RFC 8707). */
  resource?: string | undefined
}

export interface Refresh {
  clientId: string
  refreshToken: string
  scope?: string | undefined
  resource?: string | undefined
}

// An hour: a client that is disconnected is refused at once, so this bounds only how long a stolen token is of use unnoticed.
const accessSeconds = 3600
/**
 * How long the same refresh has the same answer. A client that runs twice, or has lost the answer, repeats it at once; what comes later is a
 * stolen token.
 */
const repeatedMs = 60_000
/** A grant ends this long after the last refresh. */
const grantMs = 30 * 86_400_000

/** Throws Refused. A code that was used before ends the grant (RFC 6749, 10.5). */
export const exchangeCode = (context: Context, { clientId, code, codeVerifier, redirectUri, resource }: CodeExchange): Promise<Tokens> =>
  throwAfterCommit(context, async tx => {
    const { prisma } = tx.db
    const found = await prisma.oauthGrant.findUnique({ where: { codeHash: hashOf(code) } })
    // Before the grant, as where all sessions of a user are ended.
    const isSignedIn = found !== null && (await tx.db.query(holdSession, [found.sessionId])).length > 0
    const grant = found && (await grantForUpdate(tx.db, found.id))
    if (!grant) return unknown(tx, clientId, 'The code is unknown')
    if (grant.exchangedAt !== null) return endGrant(tx, grant, 'The code was used before, and what it was exchanged for is revoked')
    if (publicIdOf(grant.client) !== clientId) return refusal('The code was given to another client')
    if (!isOpen(tx, grant)) return refusal('The code has expired after 60 seconds, or was taken back')
    if (!isVerified(codeVerifier, grant.codeChallenge)) return refusal('code_verifier is not the one that the code_challenge was made of')
    if (redirectUri !== grant.redirectUri) return refusal('redirect_uri is another one than the code was sent to')
    if (resource !== undefined && !isResource(resource, grant.resource)) return otherResource(grant)
    if (!isSignedIn) return refusal('The session in which the user agreed has ended')
    await prisma.oauthGrant.update({ where: { id: grant.id }, data: { exchangedAt: tx.now() } })
    return issueTokens(tx, grant)
  })

/**
 * Throws Refused. A refresh token that was used before ends the grant: one of the two who have sent it has stolen it (RFC 9700, 4.14). Within
 * a minute, and until the next one is used, its client gets the same answer again.
 */
export const refreshTokens = (context: Context, { clientId, refreshToken, scope, resource }: Refresh): Promise<Tokens> =>
  throwAfterCommit(context, async tx => {
    const { prisma } = tx.db
    const where = { refreshHash: hashOf(refreshToken) }
    const found = await prisma.oauthToken.findUnique({ where })
    const grant = found && (await grantForUpdate(tx.db, found.grantId))
    // Again, because another request may have used it before the lock.
    const token = grant && (await prisma.oauthToken.findUnique({ where }))
    if (!token) return unknown(tx, clientId, 'The refresh token is unknown')
    if (token.refreshedAt !== null)
      return (
        (publicIdOf(grant.client) === clientId && isOpen(tx, grant) && (await answerToRepeat(tx, token, refreshToken))) ||
        endGrant(tx, grant, 'The refresh token was used before, and all that came of it is revoked')
      )
    if (publicIdOf(grant.client) !== clientId) return refusal('The refresh token was given to another client')
    if (!isOpen(tx, grant)) return refusal('The refresh token has expired, or was revoked')
    if (resource !== undefined && !isResource(resource, grant.resource)) return otherResource(grant)
    const excess = (scope ?? '').split(' ').find(one => one !== '' && !grant.scopes.includes(one))
    if (excess !== undefined) return new Refused('invalid_scope', `${cutText(excess, 100)} was not granted; send the user to agree to it`)
    const tokens = await issueTokens(tx, grant)
    // The answers before are not repeated any more: the client has received the token that it sends.
    await prisma.oauthToken.updateMany({ where: { grantId: grant.id, answer: { not: null } }, data: { answer: null } })
    const answer = encrypt(JSON.stringify(tokens), ...secretsOf(tx, refreshToken))
    await prisma.oauthToken.update({ where: { id: token.id }, data: { refreshedAt: tx.now(), answer } })
    return tokens
  })

/** The answer of the refresh that has used the token; null when it is not to be repeated. */
async function answerToRepeat(tx: Context, { refreshedAt, answer }: OauthToken, refreshToken: string): Promise<Tokens | null> {
  const isRecent = refreshedAt !== null && tx.now().getTime() - refreshedAt.getTime() < repeatedMs
  return isRecent && answer !== null ? (JSON.parse(decrypt(answer, ...secretsOf(tx, refreshToken))) as Tokens) : null
}

// The database has neither: of the token it has only a hash.
function secretsOf({ services: { config } }: Context, refreshToken: string): string[] {
  return [(config.IDENTITY_ISSUER ? config.SVC_SERVICES_TOKEN : config.IDENTITY_SECRET) ?? '', refreshToken]
}

/** Revokes the grant of an access or refresh token (RFC 7009); an unknown one changes nothing. Throws Refused for one of another client. */
export const revokeToken = (context: Context, { token, clientId }: { token: string; clientId: string | undefined }): Promise<null> =>
  throwAfterCommit(context, async tx => {
    const hash = hashOf(token)
    const where = { OR: [{ accessHash: hash }, { refreshHash: hash }] }
    const found = await tx.db.prisma.oauthToken.findFirst({ where, include: { grant: { include: { client: true } } } })
    if (!found) return null
    if (clientId !== undefined && publicIdOf(found.grant.client) !== clientId)
      return new Refused('unauthorized_client', 'The token was given to another client')
    await revokeGrants(tx, { id: found.grantId })
    return null
  })

/** Runs the work in a transaction. A refusal is thrown after its commit, because it may have revoked a grant. */
async function throwAfterCommit<Done>(context: Context, work: (tx: Context) => Promise<Done | Refused>): Promise<Done> {
  const done = await context.db.transaction(db => work(inTransaction(context, db)))
  if (done instanceof Refused) throw done
  return done
}

async function grantForUpdate(db: Queries, id: string): Promise<(OauthGrant & { client: OauthClient }) | null> {
  await db.query(lockGrant, [id])
  return db.prisma.oauthGrant.findUnique({ where: { id }, include: { client: true } })
}

const isOpen = ({ now }: Context, { revokedAt, expiresAt }: OauthGrant) => revokedAt === null && expiresAt > now()

async function issueTokens(tx: Context, { id: grantId, scopes }: OauthGrant): Promise<Tokens> {
  const [accessToken, refreshToken] = [newAccessToken(), newRefreshToken()]
  const now = tx.now()
  const after = (ms: number) => new Date(now.getTime() + ms)
  const hashes = { accessHash: hashOf(accessToken), refreshHash: hashOf(refreshToken) }
  const data = { id: newId(), grantId, ...hashes, createdAt: now, accessExpiresAt: after(accessSeconds * 1000) }
  await tx.db.prisma.oauthToken.create({ data })
  await tx.db.prisma.oauthGrant.update({ where: { id: grantId }, data: { expiresAt: after(grantMs) } })
  const scope = scopes.join(' ')
  return { access_token: accessToken, token_type: 'Bearer', expires_in: accessSeconds, refresh_token: refreshToken, scope }
}

async function endGrant(tx: Context, { id }: OauthGrant, sentence: string): Promise<Refused> {
  await revokeGrants(tx, { id })
  return refusal(`${sentence}; log in again`)
}

/** A client that is forgotten, with its grants, has to register again: of `invalid_grant` it would ask its person with its former id, for ever. */
const unknown = async (tx: Context, clientId: string, sentence: string): Promise<Refused> =>
  isMetadataUrl(clientId) || (await findClient(tx, clientId))
    ? refusal(sentence)
    : new Refused('invalid_client', 'No client is registered with this client_id; register again')

const refusal = (sentence: string) => new Refused('invalid_grant', sentence)
const otherResource = ({ resource }: OauthGrant) => new Refused('invalid_target', `The tokens are for ${resource} alone`)
