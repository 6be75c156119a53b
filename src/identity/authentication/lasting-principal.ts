// The present principal of a stored credential: work for a user or an API key that continues after the request ends when they lose the right.

import type { Queries } from '../../database/client.ts'
import { type Principal, withinRole } from '../../kernel/principal.ts'
import { selectLasting } from './credential.sql.ts'

/** A member of an organization, and the API key where one was used. */
export interface LastingCredential {
  orgId: string
  userId: string
  keyId: string | null
}

/** The principals in the order of the credentials; null for one that is revoked, expired or not confirmed, or whose user has left the organization. */
export async function lastingPrincipals(db: Queries, credentials: readonly LastingCredential[], now: Date): Promise<(Principal | null)[]> {
  const columns = [credentials.map(one => one.orgId), credentials.map(one => one.userId), credentials.map(one => one.keyId)]
  const found = await db.query(selectLasting, [...columns, now.toISOString()])
  const byIndex = new Map(found.map(row => [row.index, row]))
  return credentials.map(({ orgId, keyId }, index): Principal | null => {
    const row = byIndex.get(index + 1)
    if (!row) return null
    const { userId } = row
    // A key of the operator has no user as its maker.
    const role = row.role ?? (keyId !== null && !row.hasUser ? 'owner' : null)
    if (role === null) return null
    const memberships = { orgIds: [orgId], roles: { [orgId]: role } }
    if (keyId === null)
      return { kind: 'session', sessionId: null, userId, email: row.email, name: row.name, role, currentOrgId: null, ...memberships }
    if (row.keyLabel === null || row.keyScopes === null) return null
    return { kind: 'api_key', id: keyId, label: row.keyLabel, scopes: withinRole(row.keyScopes, role), userId, ...memberships }
  })
}
