// Members: the users of an organization and their roles.

import { v5 as nameBasedId } from 'uuid'
import type { Context } from '../../kernel/context.ts'
import { grouped, inOrder, load } from '../../kernel/dataloaders.ts'
import { AppError } from '../../kernel/errors.ts'
import { directionOf, isText, isTime, type ListArgs, Page, type PageRequest, pageOf } from '../../kernel/lists/pagination.ts'
import { counted as bounded, totalOf } from '../../kernel/lists/total.ts'
import type { User } from '../users/user.ts'
import { countMembers, type MemberRow, selectMembers } from './organization.sql.ts'

export interface Member extends MemberRow {
  /** Derived from organization and user, so that clients can cache a member. */
  id: string
  /** The user of a membership that has just ended, which cannot be loaded any more. */
  user?: User
}

export const memberOf = (row: MemberRow): Member => ({ ...row, id: nameBasedId(row.userId, row.organizationId) })

/** The organization's members in the order of joining. Throws FORBIDDEN unless the caller is a signed-in member. */
export async function membersOf(context: Context, organizationId: string, { counted, ...args }: ListArgs): Promise<Page<Member>> {
  const { principal } = context
  if (principal.kind !== 'session' || !principal.orgIds.includes(organizationId))
    throw new AppError('FORBIDDEN', 'Only signed-in members of the organization see who its members are')
  const list = `members of ${organizationId}`
  const page = pageOf(args, list, isJoining)
  const total = totalOf(counted, () => load(context, totalsOf, organizationId))
  const name = `members ${page.size} ${page.isBackward} ${page.start?.key ?? ''}`
  const rows = await load(context, pagesBehind(page), organizationId, name)
  return new Page(
    rows.map(row => ({ row: memberOf(row), key: `${row.createdAt} ${row.userId}` })),
    page,
    list,
    total,
  )
}

// Whether the text is a sort key of the list: the time of joining and the user's id.
const isJoining = (key: string) => isTime(key.slice(0, key.indexOf(' '))) && isText(key)

function pagesBehind(page: PageRequest) {
  const { size, start } = page
  const [time, userId] = start ? [start.key.slice(0, start.key.indexOf(' ')), start.key.slice(start.key.indexOf(' ') + 1)] : [null, null]
  return async (context: Context, organizationIds: readonly string[]): Promise<MemberRow[][]> => {
    const rows = await context.db.query(selectMembers[directionOf(page, 'asc')], [organizationIds, time, userId, size + 1])
    return grouped(organizationIds, rows, row => row.organizationId)
  }
}

async function totalsOf(context: Context, organizationIds: readonly string[]): Promise<number[]> {
  const totals = await bounded(context, db => db.query(countMembers, [organizationIds]))
  return inOrder(organizationIds, totals, ({ organizationId }) => organizationId).map(found => found?.total ?? 0)
}
