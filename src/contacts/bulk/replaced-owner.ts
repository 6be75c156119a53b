// Contacts and tasks of a user in whose place another one works from now on: they get the other one as their owner and assignee.

import type { FollowReplaced } from '../../identity/organizations/placeholder.ts'
import { inOwnTransaction } from '../../kernel/batching/together.ts'
import { readContact } from '../contact/input.ts'
import { updateTask } from '../tasks/task.ts'
import { updateBatch } from './act.ts'

// 200: a batch holds the locks of its contacts for some 100 ms.
const batchSize = 200

export const followReplacedOwner: FollowReplaced = async (context, { orgId, from, to }) => {
  const { prisma } = context.db
  const owned = { orgId, ownerUserId: from, deletedAt: null }
  // By id, so that a contact that the rules refuse to change, such as one with too many tags, is passed by.
  for (let last: string | null = null; ; ) {
    const where = { ...owned, ...(last !== null && { id: { gt: last } }) }
    const found: { id: string }[] = await prisma.contact.findMany({ where, select: { id: true }, orderBy: { id: 'asc' }, take: batchSize })
    last = found.at(-1)?.id ?? null
    if (last === null) break
    const ids = found.map(({ id }) => id)
    await inOwnTransaction(context, tx => updateBatch(tx, orgId, ids, { ...readContact({}), fields: { ownerUserId: to } }))
  }
  for (const { id } of await prisma.contactTask.findMany({ where: { orgId, assigneeUserId: from }, select: { id: true } }))
    await updateTask(context, { id, assigneeUserId: to })
}
