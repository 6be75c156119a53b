// Who asks. Every door turns its credential into one of these; the schema's scopes are checked against it.

/** What an API key may be allowed to do (decisions §3). `*` is everything a key can. */
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
] as const
export type Scope = (typeof scopes)[number]

/** Whether a key may be allowed this: one of the scopes, or `*`. */
export const isScope = (text: string): text is Scope | '*' => text === '*' || scopes.some(scope => scope === text)

export type Principal =
  | { kind: 'anonymous' }
  | { kind: 'api_key'; id: string; label: string; scopes: readonly (Scope | '*')[]; orgIds: readonly string[]; userId: string }
  /** A signed-in user. `sessionId` is null when the development header X-User-ID named the user. */
  | { kind: 'session'; sessionId: string | null; userId: string; email: string | null; name: string | null; orgIds: readonly string[] }
  /** A backend with the shared secret, on behalf of a user when it names one. */
  | { kind: 'service'; userId: string | null; email: string | null; name: string | null; orgIds: readonly string[] }
  /** A visitor of the demo organization; null where there is none. */
  | { kind: 'guest'; guestId: string; orgId: string | null }
  /** Whom the identity provider's JWT names: may open a session, and nothing else. `signInId` is the embedded provider's session. */
  | { kind: 'identity'; userId: string; email: string | null; name: string | null; signInId: string | null; device: Device }
  /**
   * A hook's sender, for /hooks and nothing else; with a run, the agent at work on what it sent, or on a heartbeat. An agent may do
   * what the scopes say.
   */
  | { kind: 'hook'; name: string; orgId: string; runId: string | null; scopes: readonly (Scope | '*')[]; creditCeiling: number }
  /** The product itself: tasks and seeds. */
  | { kind: 'system'; name: string; orgId: string | null }

/** Where a session is used from, as far as the request tells. */
export interface Device {
  userAgent: string | null
  ipAddress: string | null
}

/** Who did it, as stored with what they did. */
export interface Actor {
  type: 'api_key' | 'user' | 'service' | 'guest' | 'hook' | 'agent' | 'system' | 'anonymous'
  id: string | null
  name: string | null
}

export function actorOf(principal: Principal): Actor {
  switch (principal.kind) {
    case 'api_key':
      return { type: 'api_key', id: principal.id, name: principal.label }
    case 'session':
    case 'identity':
      return { type: 'user', id: principal.userId, name: principal.name ?? principal.email }
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

/** What the principal may do. Sessions may do everything of their user's, guests may read. */
export function scopesOf(principal: Principal): readonly (Scope | '*')[] {
  switch (principal.kind) {
    case 'session':
    case 'system':
      return everything
    case 'api_key':
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

/** Whether the principal may do what the scope names. */
export function isAllowed(principal: Principal, scope: Scope): boolean {
  const own = scopesOf(principal)
  return own.includes('*') || own.includes(scope)
}

/** Which of its organizations a credential asks for: the one that X-Org-Id names, or the only one; null where that is none of its own. */
export function organizationNamed({ orgIds }: { orgIds: readonly string[] }, requestedOrgId: string | null): string | null {
  const orgId = requestedOrgId ?? (orgIds.length === 1 ? orgIds[0] : undefined)
  return orgId !== undefined && orgIds.includes(orgId) ? orgId : null
}
