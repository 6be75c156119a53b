// Members: the users of an organization and their roles.

import { v5 as nameBasedId } from 'uuid'
import type { Context } from '../../kernel/context.ts'
import { grouped, load } from '../../kernel/dataloaders.ts'
import { AppError } from '../../kernel/errors.ts'
import { isText, isTime, Page, type PageArgs, type Position, pageOf } from '../../kernel/pagination.ts'
import { type MemberRow, selectMembers } from './organization.sql.ts'

export interface Member extends MemberRow {
  /** Derived from organization and user, so that clients can cache a member. */
  id: string
}

const memberOf = (row: MemberRow): Member => ({ ...row, id: nameBasedId(row.userId, row.organizationId) })

/** The organization's members in the order in which they joined. Throws FORBIDDEN unless the caller is one of them, signed in. */
export async function membersOf(context: Context, organizationId: string, args: PageArgs): Promise<Page<Member>> {
  const { principal } = context
  if (principal.kind !== 'session' || !principal.orgIds.includes(organizationId))
    throw new AppError('FORBIDDEN', 'Only signed-in members of the organization see who its members are')
  const list = `members of ${organizationId}`
  const page = pageOf(args, list, isJoining)
  const rows = await load(context, pagesBehind(page), organizationId, `members ${page.size} ${page.start?.key ?? ''}`)
  return new Page(
    rows.map(row => ({ row: memberOf(row), key: `${row.createdAt} ${row.userId}` })),
    page,
    list,
  )
}

// The sort key of a list of members: the time of joining and the user's id.
const isJoining = (key: string) => isTime(key.slice(0, key.indexOf(' '))) && isText(key)

function pagesBehind({ size, start }: { size: number; start: Position | null }) {
  const [time, userId] = start ? [start.key.slice(0, start.key.indexOf(' ')), start.key.slice(start.key.indexOf(' ') + 1)] : [null, null]
  return async (context: Context, organizationIds: readonly string[]): Promise<MemberRow[][]> => {
    const rows = await context.db.query(selectMembers, [organizationIds, time, userId, size + 1])
    return grouped(organizationIds, rows, row => row.organizationId)
  }
}
