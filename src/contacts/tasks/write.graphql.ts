// GraphQL: the mutations that write a task.

import { builder, checkedBy } from '../../graphql/schema/builder.ts'
import { readTask, type TaskInput } from './input.ts'
import { ContactTaskType, TaskStatusEnum } from './task.graphql.ts'
import { createTask, deleteTask, updateTask } from './task.ts'

type InputFields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0]

const taskFields = (t: InputFields) => ({
  description: t.string({ description: 'The details, at most 10,000 characters.' }),
  status: t.field({ type: TaskStatusEnum, description: 'Whether it is still to be done. Default: OPEN.' }),
  dueAt: t.field({ type: 'DateTime', description: 'When it should be done.' }),
  assigneeUserId: t.id({ description: 'Who is to do it: a member of the organization.' }),
  remindAt: t.field({ type: 'DateTime', description: 'When to remind of it while it is open; a time that has passed reminds at once.' }),
})

const CreateTaskInput = builder.inputType('CreateTaskInput', {
  description: 'A task to add.',
  fields: t => ({
    contactId: t.id({ required: true, description: "The contact's id." }),
    title: t.string({ required: true, description: 'What is to be done, at most 200 characters.' }),
    ...taskFields(t),
  }),
})

const UpdateTaskInput = builder.inputType('UpdateTaskInput', {
  description: 'What to change in a task: an absent field stays as it is, null clears it.',
  fields: t => ({
    id: t.id({ required: true, description: "The task's id." }),
    ifVersion: t.int({ description: 'Changes this version only; PRECONDITION_FAILED for another.' }),
    title: t.string({ description: 'What is to be done, at most 200 characters.' }),
    ...taskFields(t),
  }),
})

const DeleteTaskInput = builder.inputType('DeleteTaskInput', {
  description: 'A task to delete.',
  fields: t => ({
    id: t.id({ required: true, description: "The task's id." }),
    ifVersion: t.int({ description: 'Deletes this version only; PRECONDITION_FAILED for another.' }),
  }),
})

const checksTask = checkedBy(({ input = {} }: { input?: TaskInput }) => readTask(input).problems)

builder.mutationFields(t => ({
  createTask: t.field({
    type: ContactTaskType,
    description: 'Adds a task to a contact.',
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
    args: { input: t.arg({ type: UpdateTaskInput, required: true, description: 'What to change.' }) },
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
