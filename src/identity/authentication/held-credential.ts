// Locks a request's credential against concurrent revocation, for writes that outlive it: keys, secrets, agents. Without the lock a session
// that is being revoked could create an API key, which would survive the revocation.

import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { holdApiKey, holdMemberships, holdSession } from './credential.sql.ts'

/**
 * Locks the request's credential, and for a session the user's memberships, until the transaction ends. Must be called before other locks
 * are taken, except the locks of the organization and the user. Throws UNAUTHENTICATED when the credential or a membership has ended since the
 * request began.
 */
export async function holdCredential({ principal, db }: Context): Promise<void> {
  const held =
    principal.kind === 'session' && principal.sessionId !== null
      ? await db.query(holdSession, [principal.sessionId])
      : principal.kind === 'api_key'
        ? await db.query(holdApiKey, [principal.id])
        : [principal]
  if (held.length === 0) throw new AppError('UNAUTHENTICATED', 'The credential was revoked while this request was under way')
  if (principal.kind !== 'session') return
  const memberships = await db.query(holdMemberships, [principal.userId, principal.orgIds])
  const unchanged = memberships.filter(({ organizationId, role }) => principal.roles[organizationId] === role)
  if (unchanged.length < principal.orgIds.length)
    throw new AppError('UNAUTHENTICATED', 'The user lost an organization or a role while this request was under way; send it again')
}
