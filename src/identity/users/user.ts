// Users as other users see them: the members of organizations that the caller has access to.

import type { Context } from '../../kernel/context.ts'
import { inOrder, load } from '../../kernel/dataloaders.ts'
import type { Principal } from '../../kernel/principal.ts'

/** A person. The id comes from the identity provider. */
export interface User {
  id: string
  name: string | null
  email: string | null
}

/** The user, if a current member of an organization that the caller has access to; otherwise null. */
export const userById = (context: Context, id: string): Promise<User | null> => load(context, loadUsers, id)

export async function loadUsers(context: Context, ids: readonly string[]): Promise<(User | null)[]> {
  const organizationId = { in: [...organizationIdsOf(context.principal)] }
  const found = await context.db.prisma.user.findMany({
    where: { id: { in: [...ids] }, memberships: { some: { organizationId } } },
    select: { id: true, name: true, email: true },
  })
  return inOrder(ids, found, user => user.id)
}

/**
 * Whether the embedded identity provider has verified the user's address; null for users of an outside provider, which vouches for its own. An
 * address that is not verified is only what somebody typed: it must not pass for an identity.
 */
export const isEmailVerified = (context: Context, id: string): Promise<boolean | null> => load(context, loadVerified, id)

async function loadVerified({ db }: Context, ids: readonly string[]): Promise<(boolean | null)[]> {
  const found = await db.prisma.idpUser.findMany({ where: { id: { in: [...ids] } }, select: { id: true, emailVerified: true } })
  return inOrder(ids, found, user => user.id).map(user => user?.emailVerified ?? null)
}

function organizationIdsOf(principal: Principal): readonly string[] {
  if ('orgIds' in principal) return principal.orgIds
  return 'orgId' in principal && principal.orgId !== null ? [principal.orgId] : []
}
