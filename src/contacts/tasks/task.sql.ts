// The table of contacts' tasks, and the statements that read, lock and move them.

import { batchedRead } from '../../database/batched-read.ts'
import { shortRead, statement } from '../../database/statement.ts'
import { integer, object, type RowOf, rows, table, text, timestamptz, uuid } from '../../database/table.ts'
import { actorColumns } from '../../kernel/principal.ts'

export type TaskStatus = 'open' | 'done' | 'canceled'

export const contactTasks = table('contact_tasks', {
  id: uuid,
  orgId: uuid,
  contactId: uuid,
  title: text,
  description: text.orNull(),
  status: text.as<TaskStatus>(),
  dueAt: timestamptz.orNull(),
  assigneeUserId: text.orNull(),
  remindAt: timestamptz.orNull(),
  remindedAt: timestamptz.orNull(),
  completedAt: timestamptz.orNull(),
  createdBy: object(actorColumns),
  createdAt: timestamptz,
  updatedAt: timestamptz,
  version: integer,
})
export interface ContactTask extends RowOf<typeof contactTasks> {}

const { all } = contactTasks
export const taskAt = batchedRead<ContactTask>('contact_tasks', all)
export const tasksById = shortRead(
  'contact_tasks_by_id',
  `select ${all.sql} from contact_tasks where org_id = $1 and id = any($2::uuid[])`,
  all,
)
export const lockTask = statement('contact_task_lock', `select ${all.sql} from contact_tasks where org_id = $1 and id = $2 for update`, all)

/** $1 organization, $2 and $3 the contacts, $4 the tasks, or null for all. */
export const moveRows = statement(
  'contact_tasks_move',
  `update contact_tasks set contact_id = $3, version = version + 1
   where org_id = $1 and contact_id = $2 and ($4::uuid[] is null or id = any($4::uuid[])) returning id`,
  rows({ id: uuid }),
)
