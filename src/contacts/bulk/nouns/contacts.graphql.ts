// GraphQL: bulk changes of contacts, and tasks for many of them.

import { builder } from '../../../graphql/schema/builder.ts'
import { enumOf } from '../../../graphql/schema/fields.graphql.ts'
import { ContactFilterInput } from '../../contact/list/list.graphql.ts'
import { lifecycleStages } from '../../contact/row.ts'
import { bulkOf } from '../bulk.graphql.ts'
import { createTasksInBulk } from '../bulk.ts'

const contacts = bulkOf('contact', {
  filter: ContactFilterInput,
  sets: 'owner, stage or "do not call"',
  inputs: t => ({
    lifecycleStage: t.field({ type: enumOf(lifecycleStages), description: 'Their stage from now on. Absent: as it is.' }),
    doNotCall: t.boolean({ description: 'Whether they must not be called from now on. Absent: as it is.' }),
  }),
  outputs: t => ({
    lifecycleStage: t.field({
      type: enumOf(lifecycleStages),
      nullable: true,
      description: 'The stage that it sets; null for none.',
      resolve: ({ parameters }) => parameters.lifecycleStage ?? null,
    }),
    doNotCall: t.boolean({
      nullable: true,
      description: 'Whether the contacts must not be called from now on; null for a change that leaves it.',
      resolve: ({ parameters }) => parameters.doNotCall ?? null,
    }),
    taskTitle: t.string({
      nullable: true,
      description: 'The title of the task that it adds to each contact.',
      resolve: ({ parameters }) => parameters.task?.title ?? null,
    }),
    recipe: t.string({ nullable: true, description: 'The recipe of enrichment.', resolve: ({ parameters }) => parameters.recipe ?? null }),
  }),
  actions: { create_tasks: 'Adds a task to each contact.', enrich: 'Queues enrichment jobs.' },
  changed: ', or queued for enrichment',
  refused: 'one with too many tags, or to restore one whose address is taken',
  otherId: 'The contact in its way: the one that has its address, or into which it was merged.',
  restores:
    ' One whose address is taken, or that was merged into another, is refused: see `failures`. Of several deleted contacts with one address the first is restored.',
})
export const ContactBulkChangeType = contacts.Type
export const selectionFields = contacts.selectionFields

const CreateTasksInput = builder.inputType('CreateTasksInBulkInput', {
  description: 'A task, and the contacts that get it.',
  fields: t => ({
    ...selectionFields(t),
    title: t.string({ required: true, description: 'Title of the task, at most 200 characters.' }),
    description: t.string({ description: 'The details, at most 10,000 characters.' }),
    dueAt: t.field({ type: 'DateTime', description: 'When it should be done.' }),
    assigneeUserId: t.id({ description: 'The assignee: a member of the organization.' }),
  }),
})

builder.mutationField('createTasksInBulk', t =>
  t.field({
    type: ContactBulkChangeType,
    description:
      'Queues the addition of a task to each of many contacts, each as `createTask` does. `undoContactBulkChange` deletes those that nobody has changed.',
    authScopes: { scope: 'contacts:write' },
    effect: { undoneBy: contacts.undoneBy },
    args: { input: t.arg({ type: CreateTasksInput, required: true, description: 'The task and the contacts.' }) },
    resolve: (_parent, { input }, context) => createTasksInBulk(context, input),
  }),
)
