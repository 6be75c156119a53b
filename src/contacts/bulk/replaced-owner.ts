// Records and tasks of a user in whose place another one works from now on: they get the other one as their owner and assignee.

import type { FollowReplaced } from '../../identity/organizations/placeholder.ts'
import { inOwnTransaction } from '../../kernel/batching/together.ts'
import { recordNouns } from '../records/nouns.ts'
import { updateTask } from '../tasks/task.ts'
import { ownedRecords } from './bulk.sql.ts'
import { bulkActs } from './nouns.ts'

const nowhere = '00000000-0000-0000-0000-000000000000'

export const followReplacedOwner: FollowReplaced = async (context, { orgId, from, to }) => {
  for (const noun of recordNouns.values) {
    const update = bulkActs[noun].update({ ownerUserId: to })
    // By id, so that a record that the rules refuse to change, such as one with too many tags, is passed by.
    for (let last = nowhere; ; ) {
      const ids = (await context.db.query(ownedRecords[noun], [orgId, from, last])).map(({ id }) => id)
      if (ids.length === 0) break
      last = ids.at(-1) ?? last
      await inOwnTransaction(context, tx => update(tx, orgId, ids))
    }
  }
  const { prisma } = context.db
  for (const { id } of await prisma.contactTask.findMany({ where: { orgId, assigneeUserId: from }, select: { id: true } }))
    await updateTask(context, { id, assigneeUserId: to })
}
