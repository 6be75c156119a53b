// Grants: what a member lets an OAuth client do in an organization, until the member, or the end of the membership, takes it back.

import { randomBytes } from 'node:crypto'
import { validate as isUuid } from 'uuid'
import type { OauthClient, OauthGrant, Prisma } from '../../generated/prisma/client.ts'
import { type Context, inTransaction, organizationOf, userOf } from '../../kernel/context.ts'
import { AppError, invalid, notFound } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { newId } from '../../kernel/ids.ts'
import { valueError } from '../../kernel/input/problem.ts'
import { eventsOf } from '../../kernel/nouns/events.ts'
import type { Scope } from '../../kernel/principal.ts'
import { withParameters } from '../applications/redirect.ts'
import { hashOf } from '../applications/request.ts'
import { holdCredential } from '../authentication/held-credential.ts'
import { issuerOf } from './address.ts'
import { type AuthorizationRequest, checkAuthorization, scopesToGive } from './request.ts'

const events = eventsOf('oauth_grant', {
  created: 'A user let a client act for them.',
  revoked: 'A client may no longer act for a user.',
})

export interface Allowed extends AuthorizationRequest {
  /** The requested scopes that the person agrees to. */
  scopes: readonly Scope[]
}

/** A client that acts for the signed-in user. */
export interface ConnectedClient {
  id: string
  clientName: string
  organizationId: string
  scopes: readonly Scope[]
  createdAt: Date
  lastUsedAt: Date | null
  expiresAt: Date
}

// 60 s: the browser hands the code over at once.
const codeMs = 60_000
const maxGrants = 100

/**
 * Lets the client act for the signed-in user in the context's organization. Resolves with the address to go to, which has the code. Throws
 * INVALID, also for scopes that were not asked for or that the user's role does not have, and CONFLICT for more than 100 clients.
 */
export async function allowClient(context: Context, { scopes, ...request }: Allowed): Promise<{ redirectTo: string }> {
  const { userId, sessionId } = userOf(context)
  const organizationId = organizationOf(context)
  const { client, resource, codeChallenge, ...asked } = await checkAuthorization(context, request)
  const given = asked.scopes.filter(scope => scopes.includes(scope))
  const allowed = scopesToGive(context, given)
  const excess = scopes.find(scope => !allowed.includes(scope))
  if (excess !== undefined) throw invalid(valueError('scopes', 'the client has not asked for it, or your role does not have it', excess))
  if (given.length === 0) throw invalid(valueError('scopes', 'choose at least one', []))
  if (sessionId === null) throw new AppError('CONFLICT', 'X-User-ID has no session in which the user could agree')

  const code = randomBytes(32).toString('base64url')
  return context.db.transaction(async db => {
    const tx = inTransaction(context, db)
    await holdCredential(tx)
    const now = tx.now()
    const open = await db.prisma.oauthGrant.count({ where: { userId, ...live(now) } })
    if (open >= maxGrants) throw new AppError('CONFLICT', `You have let in ${maxGrants} clients; disconnect some under Settings first`)
    const { id } = await db.prisma.oauthGrant.create({
      data: {
        ...{ id: newId(), clientId: client.id, userId, organizationId, scopes: [...given], resource, sessionId },
        ...{ codeHash: hashOf(code), codeChallenge, redirectUri: request.redirectUri },
        ...{ createdAt: now, expiresAt: new Date(now.getTime() + codeMs) },
      },
    })
    const changes = { client: client.name, scopes: given }
    await recordEvent(tx, { type: events.created, entityId: id, orgId: organizationId, changes })
    const answer = { code, state: request.state, iss: issuerOf(context.services.config) }
    return { redirectTo: withParameters(request.redirectUri, answer) }
  })
}

/** The clients that act for the signed-in user, in all organizations, newest first. */
export async function connectedClients(context: Context): Promise<ConnectedClient[]> {
  const { userId } = userOf(context)
  const where = { userId, exchangedAt: { not: null }, ...live(context.now()) }
  const found = await context.db.prisma.oauthGrant.findMany({ where, include: { client: true }, orderBy: { id: 'desc' } })
  return found.map(clientOfGrant)
}

/** Disconnects a client of the signed-in user: every process refuses its tokens from the next request on. Throws NOT_FOUND. */
export function disconnectClient(context: Context, id: string): Promise<ConnectedClient> {
  const { userId } = userOf(context)
  return context.db.transaction(async db => {
    const where = { id, userId, exchangedAt: { not: null }, ...live(context.now()) }
    const found = isUuid(id) ? await db.prisma.oauthGrant.findFirst({ where, include: { client: true } }) : null
    if (!found) throw notFound('connected client', id)
    await revokeGrants(inTransaction(context, db), { id })
    return clientOfGrant(found)
  })
}

/** Revokes grants, and with them their tokens, in the context's transaction. For a user, also the grants of codes that nobody has exchanged. */
export async function revokeGrants(
  context: Context,
  which: Pick<Prisma.OauthGrantWhereInput, 'id' | 'userId' | 'sessionId'>,
): Promise<void> {
  const { db, services } = context
  const revoked = await db.prisma.oauthGrant.updateManyAndReturn({
    where: { ...which, ...live(context.now()) },
    data: { revokedAt: context.now() },
    select: { id: true, organizationId: true, userId: true },
  })
  for (const { id, organizationId: orgId, userId } of revoked)
    await recordEvent(context, { type: events.revoked, entityId: id, orgId, changes: { userId } })
  if (revoked.length > 0) await db.afterCommit(services.listener.settle)
}

const live = (now: Date) => ({ revokedAt: null, expiresAt: { gt: now } })

const clientOfGrant = ({ client, scopes, ...grant }: OauthGrant & { client: OauthClient }): ConnectedClient => ({
  ...grant,
  clientName: client.name,
  // `as`: the column has only scopes that were validated when the user agreed.
  scopes: scopes as Scope[],
})
