// The table of contacts' tasks, and the statements that read, lock and move its rows.

import { batchedRead } from '../../database/batched-read.ts'
import { shortRead, statement } from '../../database/statement.ts'
import { integer, object, type RowOf, table, text, timestamptz, uuid } from '../../database/table.ts'
import { actorColumns } from '../../kernel/principal.ts'
import { moveOf } from '../merge/move.sql.ts'

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

/** $2: contacts. */
export const unremindedTasks = statement(
  'contact_tasks_unreminded',
  `select ${all.sql} from contact_tasks
   where org_id = $1 and contact_id = any($2::uuid[]) and status = 'open' and remind_at is not null and reminded_at is null`,
  all,
)

export const moveTasks = moveOf('contact_tasks_move', 'contact_tasks')
