// Organizations: the tenants. Whoever makes one owns it.

import { v7 as uuid } from 'uuid'
import { type Context, inTransaction, userOf } from '../context.ts'
import { statement } from '../database/client.ts'
import { AppError, invalid } from '../errors.ts'
import { recordEvent } from '../events.ts'
import { lengthProblems } from './api-key-input.ts'

/** An organization as one of its members sees it. */
export interface Organization {
  id: string
  name: string
  role: 'owner' | 'member' | 'guest'
}

export interface NewOrganization {
  /** Its owner, who must exist; null for one that is claimed later. */
  userId: string | null
  name: string
  /** The one that guests read; there can be only one. */
  isDemo?: boolean
  /** The one that the first start makes; there can be only one. */
  isFirst?: boolean
}

const longestName = 200

/** Makes an organization of the signed-in user's. Every session of the user has access from the next request on. */
export async function createOrganization(context: Context, name: string): Promise<Organization> {
  const { userId } = userOf(context)
  const trimmed = name.trim()
  const problems = lengthProblems(['name'], trimmed, longestName)
  if (problems.length > 0) throw invalid(problems)

  return context.db.transaction(async tx => {
    const inside = inTransaction(context, tx)
    await requireRoom(inside, userId)
    const organization = await createOrganizationFor(inside, { userId, name: trimmed })
    await tx.afterCommit(context.services.listener.settled)
    return organization
  })
}

const lockUser = statement<never>('organization_lock_user', 'select 1 from users where id = $1 for no key update')
const countOwned = statement<{ owned: number }>(
  'organizations_owned',
  `select count(*)::int as owned from memberships where user_id = $1 and role = 'owner'`,
)

// Limits count per organization, so a user who makes any number of them has none.
async function requireRoom(context: Context, userId: string): Promise<void> {
  const most = context.services.config.ORGANIZATIONS_PER_USER
  // The second of two requests waits here, and counts what the first one made.
  await context.db.query(lockUser, [userId])
  const [{ owned } = { owned: 0 }] = await context.db.query(countOwned, [userId])
  if (owned >= most)
    throw new AppError(
      'FORBIDDEN',
      `You own ${owned} organizations; a user may make ${most} (the operator's setting ORGANIZATIONS_PER_USER)`,
    )
}

const insertOrganization = statement<never>(
  'organization_insert',
  `with made as (insert into organizations (id, name, is_demo, created_at, is_first) values ($1, $2, $3, $4, $6) returning id)
   insert into memberships (user_id, organization_id, role, created_at) select $5::text, id, 'owner', $4 from made where $5::text is not null`,
)

/** The same for anybody: first sign-in, seeds and tests. */
export function createOrganizationFor(
  context: Context,
  { userId, name, isDemo = false, isFirst = false }: NewOrganization,
): Promise<Organization> {
  const id = uuid()
  return context.db.transaction(async tx => {
    await tx.query(insertOrganization, [id, name, isDemo, context.now().toISOString(), userId, isFirst])
    await recordEvent(inTransaction(context, tx), {
      type: 'organization.created',
      entityId: id,
      orgId: id,
      changes: { name, ownerUserId: userId },
    })
    return { id, name, role: 'owner' as const }
  })
}

const selectMine = statement<Organization>(
  'organizations_of_user',
  `select o.id, o.name, m.role from memberships m join organizations o on o.id = m.organization_id
   where m.user_id = $1 order by m.created_at, o.id`,
)
const selectByIds = statement<{ id: string; name: string }>(
  'organizations_by_id',
  'select id, name from organizations where id = any($1::uuid[]) order by created_at, id',
)

const selectOnlyOf = statement<{ id: string }>(
  'organizations_only_of',
  `select m.organization_id as id from memberships m where m.user_id = $1
     and not exists (select from memberships o where o.organization_id = m.organization_id and o.user_id <> m.user_id)`,
)

/** The organizations that nobody but the user belongs to. */
export async function organizationsOnlyOf(context: Context, userId: string): Promise<string[]> {
  return (await context.db.query(selectOnlyOf, [userId])).map(({ id }) => id)
}

export const organizationsOfUser = (context: Context, userId: string): Promise<Organization[]> => context.db.query(selectMine, [userId])

/** Organizations as a credential without a membership of its own sees them. */
export async function organizationsById(context: Context, ids: readonly string[], role: 'member' | 'guest'): Promise<Organization[]> {
  const rows = await context.db.query(selectByIds, [ids])
  return rows.map(row => ({ ...row, role }))
}
