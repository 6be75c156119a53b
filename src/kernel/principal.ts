// The principal: the authenticated caller. Every door turns a credential into a principal; the scopes on the schema are checked against it.

import { text } from '../database/table.ts'

/** The scopes of API keys. `*` stands for all of them. */
export const scopes = [
  'contacts:read',
  'contacts:write',
  'stats:read',
  'calls:read',
  'calls:write',
  'agents:read',
  'agents:write',
  'enrich:read',
  'enrich:write',
  'credits:read',
  'webhooks:manage',
  'inbox:manage',
] as const
export type Scope = (typeof scopes)[number]

/** Whether the text is a scope or `*`. */
export const isScope = (text: string): text is Scope | '*' => text === '*' || scopes.some(scope => scope === text)

/** The roles of a user in an organization, from the least to the most privileged. */
export const roles = ['viewer', 'member', 'admin', 'owner'] as const
export type Role = (typeof roles)[number]

export const isAtLeast = (role: Role, needed: Role): boolean => roles.indexOf(role) >= roles.indexOf(needed)

/** The organizations of a user. A request may name one of them. */
export interface Memberships {
  orgIds: readonly string[]
  /** The role by organization id; for an API key, the role of the user who created it. */
  roles: Readonly<Record<string, Role>>
}

export type Principal =
  /** `device`: where the request comes from. Absent where there is no request. */
  | { kind: 'anonymous'; device?: () => Device }
  /** `scopes`: the scopes of the key that the role of its creator in the request's organization has too. */
  | ({ kind: 'api_key'; id: string; label: string; scopes: readonly (Scope | '*')[]; userId: string } & Memberships)
  | SessionPrincipal
  /**
   * An OAuth client that acts for a member, in one organization. `id` is the grant's; `scopes` are those that the member agreed to and whose
   * role has them too.
   */
  | ({
      kind: 'access_token'
      id: string
      clientName: string
      scopes: readonly (Scope | '*')[]
      userId: string
      email: string | null
      name: string | null
    } & Memberships)
  /** A backend with the shared secret, acting for a user if it names one. */
  | { kind: 'service'; userId: string | null; email: string | null; name: string | null; orgIds: readonly string[] }
  /** A visitor of the demo organization; null where there is none. */
  | { kind: 'guest'; guestId: string; orgId: string | null }
  /**
   * The user named by an identity provider's JWT: may open a session, nothing else. `signInId` is the session at the embedded provider;
   * `isVerified` says whether the provider has verified the address.
   */
  | {
      kind: 'identity'
      userId: string
      email: string | null
      isVerified: boolean
      name: string | null
      signInId: string | null
      device: Device
    }
  /**
   * The sender of a hook, which may only use /hooks. With a `runId`: the agent of that run or heartbeat, which may do what `scopes` allow.
   */
  | { kind: 'hook'; name: string; orgId: string; runId: string | null; scopes: readonly (Scope | '*')[]; creditCeiling: number }
  /** The server itself, for tasks and seeds. */
  | { kind: 'system'; name: string; orgId: string | null }

/** A signed-in user. */
export interface SessionPrincipal extends Memberships {
  kind: 'session'
  /** Null when the development header X-User-ID names the user. */
  sessionId: string | null
  userId: string
  email: string | null
  name: string | null
  /**
   * The role in the organization of the request. While the organization is not chosen yet, the highest role of all: see `organizationOf`.
   * Null without any.
   */
  role: Role | null
  /** The organization that the session has chosen for requests without X-Org-Id. */
  currentOrgId: string | null
}

/** The client device of a session, as far as the headers show it. */
export interface Device {
  userAgent: string | null
  ipAddress: string | null
}

/** The author of a row or an event, as stored there. */
export interface Actor {
  type: 'api_key' | 'user' | 'service' | 'guest' | 'hook' | 'agent' | 'system' | 'anonymous'
  id: string | null
  name: string | null
}

/** The columns of an `Actor`: `createdBy: object(actorColumns)` has created_by_type, created_by_id and created_by_name. */
export const actorColumns = { type: text.as<Actor['type']>(), id: text.orNull(), name: text.orNull() }

/** The columns of an actor for rows that Prisma writes, named as in `createdBy: object(actorColumns)`. */
export const createdByColumns = ({ type, id, name }: Actor) => ({ createdByType: type, createdById: id, createdByName: name })

export function actorOf(principal: Principal): Actor {
  switch (principal.kind) {
    case 'api_key':
      return { type: 'api_key', id: principal.id, name: principal.label }
    case 'session':
    case 'identity':
      return { type: 'user', id: principal.userId, name: principal.name ?? principal.email }
    case 'access_token':
      return { type: 'user', id: principal.userId, name: `${principal.name ?? principal.email ?? 'A member'} via ${principal.clientName}` }
    case 'service':
      return { type: 'service', id: principal.userId, name: null }
    case 'guest':
      return { type: 'guest', id: principal.guestId, name: null }
    case 'hook':
      return { type: principal.runId === null ? 'hook' : 'agent', id: principal.runId, name: principal.name }
    case 'system':
      return { type: 'system', id: null, name: principal.name }
    case 'anonymous':
      return { type: 'anonymous', id: null, name: null }
  }
}

/** The principal's scopes: for a session the scopes of its role, for guests the reading ones. */
export function scopesOf(principal: Principal): readonly (Scope | '*')[] {
  switch (principal.kind) {
    case 'session':
      return principal.role === null ? everything : scopesOfRole[principal.role]
    case 'system':
      return everything
    case 'api_key':
    case 'access_token':
      return principal.scopes
    case 'guest':
      return reading
    case 'hook':
      return principal.runId === null ? nothing : principal.scopes
    case 'service':
      return enriching
    case 'identity':
    case 'anonymous':
      return nothing
  }
}

const everything = ['*'] as const
const nothing = [] as const
const reading = scopes.filter(scope => scope.endsWith(':read'))
const enriching = ['enrich:read', 'enrich:write'] as const

/** The scopes of each role for the organization's records. Managing members is decided by the role itself. */
const scopesOfRole: Readonly<Record<Role, readonly (Scope | '*')[]>> = {
  // Also of viewers: an inbox is the member's own.
  viewer: [...reading, 'inbox:manage'],
  member: everything,
  admin: everything,
  owner: everything,
}

/** The error message when the user's role is not sufficient. */
export const tooWeak = (role: Role) =>
  `Your role in the organization (${role}) does not allow this; its owners and admins can change the role`

/** The given scopes that the role has too. */
export function withinRole(scopes: readonly (Scope | '*')[], role: Role): readonly (Scope | '*')[] {
  const allowed = scopesOfRole[role]
  if (allowed.includes('*')) return scopes
  return scopes.includes('*') ? allowed : scopes.filter(scope => allowed.includes(scope))
}

/** Whether all of the scopes are among `own`. */
export const areWithin = (given: readonly string[], own: readonly string[]): boolean =>
  own.includes('*') || given.every(scope => own.includes(scope))

/** Whether the caller's identity is verified. Guests choose their id themselves. */
export const isVerified = ({ kind }: Principal): boolean => kind !== 'anonymous' && kind !== 'guest'

/** Whether the principal has the scope. */
export function isAllowed(principal: Principal, scope: Scope): boolean {
  const own = scopesOf(principal)
  return own.includes('*') || own.includes(scope)
}

/**
 * The organization that X-Org-Id names, or the one that the session has chosen, or the credential's only one. Null when the credential has
 * several, or has no access to the organization named.
 */
export function organizationNamed(
  { orgIds, currentOrgId = null }: { orgIds: readonly string[]; currentOrgId?: string | null },
  requestedOrgId: string | null,
): string | null {
  const orgId = requestedOrgId ?? currentOrgId ?? (orgIds.length === 1 ? orgIds[0] : undefined)
  return orgId !== undefined && orgIds.includes(orgId) ? orgId : null
}

/** A principal for work of a stored actor, in one organization. Its permissions were checked when the work was accepted. */
export function principalOf({ type, id, name }: Actor, orgId: string): Principal {
  const memberships = { orgIds: [orgId], roles: { [orgId]: 'member' } } as const
  if (type === 'user' && id !== null)
    return { kind: 'session', sessionId: null, userId: id, email: null, name, ...memberships, role: 'member', currentOrgId: null }
  if (type === 'api_key' && id !== null)
    return { kind: 'api_key', id, label: name ?? '', scopes: ['contacts:read', 'contacts:write'], ...memberships, userId: '' }
  return { kind: 'system', name: name ?? type, orgId }
}
