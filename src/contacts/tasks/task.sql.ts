// The fields and the table of tasks, and the statements that read, lock and move its rows.

import { batchedRead } from '../../database/batched-read.ts'
import { shortRead, statement } from '../../database/statement.ts'
import { integer, object, type RowOf, table, text, timestamptz, uuid } from '../../database/table.ts'
import { enumeration, type ValueOf } from '../../kernel/fields/enumeration.ts'
import {
  asGiven,
  columnsOf,
  field,
  fieldTable,
  type InputOf,
  moment,
  neededWords,
  reference,
  type StoredIn,
  words,
} from '../../kernel/fields/table.ts'
import { eventsOf, update } from '../../kernel/nouns/events.ts'
import { actorColumns } from '../../kernel/principal.ts'
import { followAllMerges } from '../merge/move.sql.ts'
import { forNouns } from '../records/hanging/ref.ts'
import { columnOf, recordColumns } from '../records/hanging/row.sql.ts'

export const taskEvents = eventsOf('contact_task', {
  completed: update('A task was done.'),
  created: 'A task was added to a record.',
  deleted: 'A task was deleted.',
  reminded: 'The time of a reminder of a task has come.',
  updated: update('A task was changed.'),
})

export const taskStatuses = enumeration('TaskStatus', 'Whether a task is still to be done.', {
  open: 'It is to be done.',
  done: 'It was done.',
  canceled: 'It is not to be done any more.',
})
export type TaskStatus = ValueOf<typeof taskStatuses>

/** The fields that callers may set. */
export const taskFields = fieldTable({
  title: neededWords(200, 'Title of the task.', { takes: 'Title of the task, at most 200 characters.' }),
  description: words(10_000, 'The details.', { takes: 'The details, at most 10,000 characters.' }),
  status: field(text.as<TaskStatus>(), {
    type: taskStatuses,
    read: asGiven,
    is: 'Whether it is still to be done.',
    takes: 'Whether it is still to be done. Default: OPEN.',
    default: 'open',
  }),
  dueAt: moment('When it should be done.'),
  assigneeUserId: reference('The member of the organization who is to do it.', {
    takes: 'The assignee: a member of the organization.',
  }),
  remindAt: moment(
    'When an open task becomes the change CONTACT_TASK_REMINDED, and an email to its assignee where the server sends mail.',
    { takes: 'When to remind of it while it is open; a time that has passed reminds at once.' },
  ),
})
export type TaskInput = InputOf<typeof taskFields>
export type TaskFields = StoredIn<typeof taskFields>

export const contactTasks = table('contact_tasks', {
  id: uuid,
  orgId: uuid,
  ...recordColumns,
  ...columnsOf(taskFields),
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

/** $2: records. */
export const unremindedTasks = forNouns(noun =>
  statement(
    `contact_tasks_unreminded_${noun}`,
    `select ${all.sql} from contact_tasks
   where org_id = $1 and ${columnOf(noun)} = any($2::uuid[]) and status = 'open' and remind_at is not null and reminded_at is null`,
    all,
  ),
)

followAllMerges('contact_tasks', { name: 'tasks', description: 'Tasks' })
