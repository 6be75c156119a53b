// GraphQL: what events of tasks tell in timelines.

import { builder } from '../../graphql/schema/builder.ts'
import { entryOf, type TimelineRow } from '../../graphql/schema/entry.graphql.ts'
import { eventChanges } from '../../graphql/schema/event.graphql.ts'
import { UserType } from '../../identity/users/user.graphql.ts'
import { userById } from '../../identity/users/user.ts'
import { load } from '../../kernel/dataloaders.ts'
import { textOf } from '../../kernel/events/told.ts'
import { ContactTaskType } from './task.graphql.ts'
import { taskEvents } from './task.sql.ts'
import { loadTasks } from './task.ts'

/** The task as it was when the event happened. */
const taskEntry = (name: string, description: string) =>
  builder.objectRef<TimelineRow>(name).implement({
    description,
    fields: t => ({
      taskId: t.exposeID('entityId', { description: 'The task.' }),
      task: t.field({
        type: ContactTaskType,
        nullable: true,
        description: 'The task as it is now; null for a deleted one.',
        resolve: ({ entityId }, _args, context) => load(context, loadTasks, entityId),
      }),
      title: t.string({ nullable: true, description: 'The title that it had.', resolve: entry => textOf(entry, 'title') }),
      dueAt: t.field({
        type: 'DateTime',
        nullable: true,
        description: 'When it was due.',
        resolve: entry => textOf(entry, 'dueAt'),
      }),
      assignee: t.field({
        type: UserType,
        nullable: true,
        description: 'The member who was to do it; null also for one who has left.',
        resolve(entry, _args, context) {
          const userId = textOf(entry, 'assigneeUserId')
          return userId === null ? null : userById(context, userId)
        },
      }),
    }),
  })

const changeEntry = (name: string, description: string) =>
  builder.objectRef<TimelineRow>(name).implement({
    description,
    fields: t => ({
      taskId: t.exposeID('entityId', { description: 'The task.' }),
      task: t.field({
        type: ContactTaskType,
        nullable: true,
        description: 'The task as it is now; null for a deleted one.',
        resolve: ({ entityId }, _args, context) => load(context, loadTasks, entityId),
      }),
      changes: t.field(eventChanges),
    }),
  })

entryOf([taskEvents.created], taskEntry('TaskAddedEntry', 'A task was added.'))
entryOf([taskEvents.reminded], taskEntry('TaskRemindedEntry', 'The time of a reminder of a task has come.'))
entryOf([taskEvents.completed], changeEntry('TaskCompletedEntry', 'A task was done.'))
entryOf([taskEvents.updated], changeEntry('TaskChangedEntry', 'A task was changed.'))
entryOf(
  [taskEvents.deleted],
  builder.objectRef<TimelineRow>('TaskDeletedEntry').implement({
    description: 'A task was deleted.',
    fields: t => ({
      taskId: t.exposeID('entityId', { description: 'The task.' }),
      title: t.string({ nullable: true, description: 'The title that it had.', resolve: entry => textOf(entry, 'title') }),
    }),
  }),
)
