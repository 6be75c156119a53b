// Whether an actor of the past still has a scope, for links that outlive the request that made them.

import type { Context } from '../../kernel/context.ts'
import { type Actor, type Scope, withinRole } from '../../kernel/principal.ts'
import { selectActingKey, selectActingMember } from './credential.sql.ts'

/** Whether the member, by the present role, or the API key, by its scopes and its creator's role, has the scope in the organization. */
export async function mayStill({ db, now }: Context, { type, id }: Actor, orgId: string, scope: Scope): Promise<boolean> {
  // Actors of other types have no permission that ends.
  if ((type !== 'user' && type !== 'api_key') || id === null) return true
  const scopes =
    type === 'user'
      ? (await db.query(selectActingMember, [id, orgId])).flatMap(({ role }) => withinRole(['*'], role))
      : (await db.query(selectActingKey, [id, orgId, now().toISOString()])).flatMap(({ scopes, role }) => withinRole(scopes, role))
  return scopes.includes('*') || scopes.includes(scope)
}

/** Whether the actor is an owner of the organization now. */
export const isStillOwner = async ({ db }: Context, { type, id }: Actor, orgId: string): Promise<boolean> =>
  type === 'user' && id !== null && (await db.query(selectActingMember, [id, orgId])).some(({ role }) => role === 'owner')
