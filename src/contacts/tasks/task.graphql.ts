// GraphQL: tasks: one by its id, the lists of the organization and of records, and the mutations.

import { ActorType } from '../../graphql/schema/actor.graphql.ts'
import { builder, byId, checkWith } from '../../graphql/schema/builder.ts'
import { enumOf, inputFields, outputFields } from '../../graphql/schema/fields.graphql.ts'
import { connectionOf, isCounted, pageArgs } from '../../graphql/schema/lists/connection.graphql.ts'
import { Node } from '../../graphql/schema/node.graphql.ts'
import { noun } from '../../graphql/schema/noun.graphql.ts'
import { UserType } from '../../identity/users/user.graphql.ts'
import { userById } from '../../identity/users/user.ts'
import { readFields } from '../../kernel/fields/table.ts'
import { fieldOfRecords, recordRefInputs, recordRefOutputs } from '../records/hanging/hanging.graphql.ts'
import { listTasks, tasksOf } from './list.ts'
import { type ContactTask, type TaskInput, taskFields, taskStatuses } from './task.sql.ts'
import { createTask, deleteTask, getTask, loadTasks, updateTask } from './task.ts'

export const ContactTaskType = builder.objectRef<ContactTask>('ContactTask').implement({
  description: 'Something to do about a contact, a company or a deal.',
  interfaces: [Node],
  fields: t => ({
    id: t.exposeID('id', { description: 'Its id.' }),
    ...recordRefOutputs(t, 'it is about'),
    ...outputFields(t, taskFields),
    assignee: t.field({
      type: UserType,
      nullable: true,
      description: 'The member of the organization who is to do it; null also for one who has left.',
      resolve: ({ assigneeUserId }, _args, context) => (assigneeUserId === null ? null : userById(context, assigneeUserId)),
    }),
    remindedAt: t.expose('remindedAt', { type: 'DateTime', nullable: true, description: 'When the reminder for `remindAt` came.' }),
    completedAt: t.expose('completedAt', { type: 'DateTime', nullable: true, description: 'When it was done.' }),
    createdBy: t.expose('createdBy', { type: ActorType, description: 'The actor who added it.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was added.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last changed.' }),
    version: t.exposeInt('version', { description: 'Counts the changes, from 1. A change can name the version it is meant for.' }),
  }),
})

const TaskSortEnum = builder.enumType('TaskSort', {
  description: 'Orders of a list of tasks. Ties are broken by id.',
  values: {
    DUE_AT: { value: 'due_at', description: 'The most urgent first, those without a due time last.' },
    DUE_AT_DESC: { value: 'due_at_desc', description: 'Those without a due time first, then the least urgent.' },
    CREATED_AT: { value: 'created_at', description: 'Oldest first.' },
    CREATED_AT_DESC: { value: 'created_at_desc', description: 'Newest first.' },
  } as const,
})

const TaskFilterInput = builder.inputType('TaskFilter', {
  description: 'Which tasks a list has. All conditions must hold.',
  fields: t => ({
    status: t.field({ type: enumOf(taskStatuses), description: 'In this status.' }),
    statusIn: t.field({ type: [enumOf(taskStatuses)], description: 'In any of these statuses, at most 20.' }),
    assigneeUserId: t.id({ description: 'Of this user.' }),
    assigneeUserIdIn: t.idList({ description: 'Of any of these users, at most 20.' }),
    assigned: t.boolean({ description: 'With an assignee, or with false without one.' }),
    ...recordRefInputs(t, noun => `About this ${noun}.`),
    dueSince: t.field({ type: 'DateTime', description: 'Due then or later.' }),
    dueUntil: t.field({ type: 'DateTime', description: 'Due before.' }),
  }),
})

const TaskConnection = connectionOf('ContactTask', 'tasks', ContactTaskType)

const listArgs = builder.args(t => ({
  ...pageArgs,
  filter: t.field({ type: TaskFilterInput, description: 'Which tasks. Default: all.' }),
  sort: t.field({ type: TaskSortEnum, defaultValue: 'due_at', description: 'In which order.' }),
}))

fieldOfRecords('tasks', (t, noun, refOf) =>
  t.field({
    type: TaskConnection,
    description: `Tasks of the ${noun}, open and completed, also while the ${noun} is deleted. Needs \`contacts:read\`.`,
    args: listArgs,
    resolve: (record, args, context, info) => tasksOf(context, refOf(record), { ...args, counted: isCounted(info) }),
  }),
)

builder.queryFields(t => ({
  task: t.field({
    type: ContactTaskType,
    nullable: true,
    description: 'A task; null with NOT_FOUND for one that does not exist.',
    authScopes: { scope: 'contacts:read' },
    args: byId,
    resolve: (_parent, { id }, context) => getTask(context, id),
  }),
  tasks: t.field({
    type: TaskConnection,
    description: "The organization's tasks, without those about deleted records: they rest until the record is restored.",
    authScopes: { scope: 'contacts:read' },
    args: listArgs,
    resolve: (_parent, args, context, info) => listTasks(context, { ...args, counted: isCounted(info) }),
  }),
}))

const CreateTaskInput = builder.inputType('CreateTaskInput', {
  description: 'A task to add. It names one record.',
  fields: t => ({
    ...recordRefInputs(t, noun => `The ${noun} that it is about.`),
    ...inputFields(t, taskFields, 'title'),
  }),
})

const UpdateTaskInput = builder.inputType('UpdateTaskInput', {
  description: 'Changes of a task: an absent field stays as it is, null clears it.',
  fields: t => ({
    id: t.id({ required: true, description: "The task's id." }),
    ifVersion: t.int({ description: 'Changes this version only; PRECONDITION_FAILED for another.' }),
    ...inputFields(t, taskFields),
  }),
})

const DeleteTaskInput = builder.inputType('DeleteTaskInput', {
  description: 'A task to delete.',
  fields: t => ({
    id: t.id({ required: true, description: "The task's id." }),
    ifVersion: t.int({ description: 'Deletes this version only; PRECONDITION_FAILED for another.' }),
  }),
})

const checksTask = checkWith(({ input = {} }: { input?: TaskInput }) => readFields(taskFields, input).problems)

builder.mutationFields(t => ({
  createTask: t.field({
    type: ContactTaskType,
    description: 'Adds a task to a record.',
    authScopes: { scope: 'contacts:write' },
    effect: { undoneBy: 'deleteTask' },
    extensions: checksTask,
    args: { input: t.arg({ type: CreateTaskInput, required: true, description: 'The task.' }) },
    resolve: (_parent, { input }, context) => createTask(context, input),
  }),
  updateTask: t.field({
    type: ContactTaskType,
    description: 'Changes a task. With the status DONE or CANCELED its reminder does not come.',
    authScopes: { scope: 'contacts:write' },
    effect: { overwrites: true, undoneBy: 'updateTask with the former values', isIdempotent: true },
    extensions: checksTask,
    args: { input: t.arg({ type: UpdateTaskInput, required: true, description: 'The changes.' }) },
    resolve: (_parent, { input }, context) => updateTask(context, input),
  }),
  deleteTask: t.field({
    type: ContactTaskType,
    description: 'Deletes a task for good, and answers it.',
    authScopes: { scope: 'contacts:write' },
    effect: { overwrites: true },
    args: { input: t.arg({ type: DeleteTaskInput, required: true, description: 'The task.' }) },
    resolve: (_parent, { input }, context) => deleteTask(context, input),
  }),
}))

noun('contact_task', ContactTaskType, { scope: 'contacts:read', load: loadTasks, isInTimelines: true, rank: 3 })
