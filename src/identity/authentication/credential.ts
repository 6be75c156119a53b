// Reads credentials from the database, and records their last use.

import type { Database } from '../../database/client.ts'
import type { Services } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { roles as allRoles, type Memberships, organizationNamed, type Principal, type Role, withinRole } from '../../kernel/principal.ts'
import { selectAccessToken, selectApiKey, selectSession, selectUser, touchApiKey, touchGrant, touchSession } from './credential.sql.ts'
import type { Credential } from './credential-cache.ts'

/** A session lives this long after its last use. */
const sessionDays = 30
const dayMs = 86_400_000
/** A last use is written at most once a minute: precise enough to find unused credentials, with few writes. */
const touchMs = 60_000
/**
 * A session's expiry is extended at most once an hour, because an hour in thirty days does not matter, and each extension writes an index.
 */
const extendMs = 3_600_000

export const sessionExpiry = (lastUse: Date) => new Date(lastUse.getTime() + sessionDays * dayMs)

const ms = (time: string | null, otherwise: number) => (time === null ? otherwise : Date.parse(time))

export async function readApiKey(database: Database, hash: string, now: Date): Promise<Credential | null> {
  const [row] = await database.query(selectApiKey, [Buffer.from(hash, 'hex'), now.toISOString()])
  if (!row) return null
  const { expiresAt, lastUsedAt, roles, scopes, unconfirmed, ...key } = row
  const memberships = membershipsOf(row)
  return {
    ...principalsOf(memberships, role => ({
      kind: 'api_key',
      ...key,
      ...memberships,
      scopes: role === null ? scopes : withinRole(scopes, role),
    })),
    userId: key.userId,
    ...(unconfirmed.length > 0 && { unconfirmed }),
    expiresAt: ms(expiresAt, Number.POSITIVE_INFINITY),
    touchAt: ms(lastUsedAt, Number.NEGATIVE_INFINITY) + touchMs,
  }
}

export async function readSession(database: Database, hash: string, now: Date): Promise<Credential | null> {
  const [row] = await database.query(selectSession, [Buffer.from(hash, 'hex'), now.toISOString()])
  if (!row) return null
  const { expiresAt, lastUsedAt, currentOrgId: chosen, ...session } = row
  const memberships = membershipsOf(row)
  const currentOrgId = chosen !== null && memberships.orgIds.includes(chosen) ? chosen : null
  return {
    ...principalsOf({ ...memberships, currentOrgId }, role => ({ kind: 'session', ...session, ...memberships, role, currentOrgId })),
    userId: session.userId,
    expiresAt: Date.parse(expiresAt),
    touchAt: Date.parse(lastUsedAt) + touchMs,
  }
}

/** An OAuth access token for the resource; null for one that is for another. */
export async function readAccessToken(database: Database, hash: string, now: Date, resource: string): Promise<Credential | null> {
  const [row] = await database.query(selectAccessToken, [Buffer.from(hash, 'hex'), now.toISOString(), resource])
  if (!row) return null
  const { expiresAt, lastUsedAt, orgId, role, scopes, ...grant } = row
  return {
    principal: { kind: 'access_token', ...grant, scopes: withinRole(scopes, role), orgIds: [orgId], roles: { [orgId]: role } },
    principals: new Map(),
    userId: grant.userId,
    expiresAt: Date.parse(expiresAt),
    touchAt: ms(lastUsedAt, Number.NEGATIVE_INFINITY) + touchMs,
  }
}

/** The user named by the development header X-User-ID, or by a backend. */
export async function readUser(database: Database, userId: string): Promise<Credential | null> {
  const [user] = await database.query(selectUser, [userId])
  if (!user) return null
  const never = Number.POSITIVE_INFINITY
  const memberships = membershipsOf(user)
  const principals = principalsOf(memberships, role => ({
    ...{ kind: 'session', sessionId: null, userId, ...user, ...memberships, role, currentOrgId: null },
  }))
  return { ...principals, userId, expiresAt: never, touchAt: never }
}

/**
 * The principal for a request with this X-Org-Id. An organization that the credential has no access to is refused by `organizationOf`. Throws
 * FORBIDDEN for an API key that the organization's payer has not confirmed.
 */
export function principalFor({ principal, principals, unconfirmed }: Credential, requestedOrgId: string | undefined): Principal {
  if (unconfirmed !== undefined) requireConfirmed(principal, unconfirmed, requestedOrgId)
  return (requestedOrgId && principals.get(requestedOrgId.toLowerCase())) || principal
}

function requireConfirmed(principal: Principal, unconfirmed: readonly string[], requestedOrgId: string | undefined): void {
  const isOnly = 'orgIds' in principal && principal.orgIds.length === 0
  if (requestedOrgId === undefined ? isOnly : unconfirmed.includes(requestedOrgId.toLowerCase()))
    throw new AppError(
      'FORBIDDEN',
      'Another owner pays for the organization since this API key was made. It is refused until that owner confirms it, in Settings > API keys or with confirmApiKey; or make a new key',
    )
}

const membershipsOf = ({ orgIds, roles }: { orgIds: string[]; roles: Role[] }): Memberships => ({
  orgIds,
  roles: Object.fromEntries(orgIds.map((orgId, index) => [orgId, roles[index] ?? 'viewer'])),
})

// While the organization of a request is not chosen, the principal has the highest of its roles: rules about one organization refuse such a
// request, and rules about several check the role in each.
function principalsOf(
  memberships: Memberships & { currentOrgId?: string | null },
  withRole: (role: Role | null) => Principal,
): Pick<Credential, 'principal' | 'principals'> {
  const { roles } = memberships
  const named = organizationNamed(memberships, null)
  const highest = allRoles.findLast(role => Object.values(roles).includes(role)) ?? null
  const usual = named === null ? highest : (roles[named] ?? null)
  const others = Object.entries(roles).filter(([, role]) => role !== usual)
  return { principal: withRole(usual), principals: new Map(others.map(([orgId, role]) => [orgId, withRole(role)])) }
}

/** Records the use of a credential without delaying the request. */
export function touch({ database, log }: Services, credential: Credential, now: number): void {
  const { principal } = credential
  const at = (time: number) => new Date(time).toISOString()
  const warnOfFailure = (error: unknown) => log.warn({ err: error }, 'the last use of a credential could not be written; the next use will')
  if (principal.kind === 'api_key') {
    credential.touchAt = now + touchMs
    database.query(touchApiKey, [principal.id, at(now), at(now - touchMs)]).catch(warnOfFailure)
  } else if (principal.kind === 'access_token') {
    credential.touchAt = now + touchMs
    database.query(touchGrant, [principal.id, at(now), at(now - touchMs)]).catch(warnOfFailure)
  } else if (principal.kind === 'session' && principal.sessionId !== null) {
    credential.touchAt = now + touchMs
    database
      .query(touchSession, [
        principal.sessionId,
        at(now),
        at(now - touchMs),
        ...[now, now - extendMs].map(time => sessionExpiry(new Date(time))),
      ])
      .then(([slid]) => {
        if (slid) credential.expiresAt = Date.parse(slid.expiresAt)
      }, warnOfFailure)
  }
}
