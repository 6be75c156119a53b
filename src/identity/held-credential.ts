// For what outlives the credential it is made with: keys, secrets, agents. A request under way while its credential is revoked must not
// leave behind what the revocation was to end.

import type { Context } from '../context.ts'
import { statement } from '../database/client.ts'
import { AppError } from '../errors.ts'

// A lock that a revocation waits for, and that waits for a revocation: either sees what the other has done.
const holdSession = statement<{ id: string }>(
  'credential_hold_session',
  'select id from sessions where id = $1 and revoked_at is null for share',
)
const holdApiKey = statement<{ id: string }>(
  'credential_hold_api_key',
  'select id from api_keys where id = $1 and revoked_at is null for share',
)
const holdMemberships = statement<{ orgId: string }>(
  'credential_hold_memberships',
  'select organization_id as "orgId" from memberships where user_id = $1 and organization_id = any($2::uuid[]) for share',
)

/**
 * Holds the credential that asks until the transaction ends, before anything else is locked, and with a session the memberships it sees
 * by. Throws UNAUTHENTICATED where one of them has ended since the request began.
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
  if (memberships.length < principal.orgIds.length)
    throw new AppError('UNAUTHENTICATED', 'The user lost an organization while this request was under way; send it again')
}
