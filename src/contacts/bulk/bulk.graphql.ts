// GraphQL: bulk changes of contacts.

import { ActorType } from '../../graphql/schema/actor.graphql.ts'
import { builder, byId, inputOfId } from '../../graphql/schema/builder.ts'
import { RowErrorType } from '../../graphql/schema/error.graphql.ts'
import { enumOf } from '../../graphql/schema/fields.graphql.ts'
import { connectionOf, isCounted, pageArgs } from '../../graphql/schema/lists/connection.graphql.ts'
import { Node } from '../../graphql/schema/node.graphql.ts'
import { noun } from '../../graphql/schema/noun.graphql.ts'
import { load } from '../../kernel/dataloaders.ts'
import { ContactType } from '../contact/contact.graphql.ts'
import { loadContacts } from '../contact/contact.ts'
import { ContactFilterInput } from '../contact/list/list.graphql.ts'
import { lifecycleStages } from '../contact/row.ts'
import type { BulkChange, BulkFailure } from './bulk.sql.ts'
import {
  actionOf,
  cancelChange,
  createTasksInBulk,
  deleteInBulk,
  getChange,
  listChanges,
  loadChanges,
  restoreInBulk,
  undoChange,
  undoOf,
  updateInBulk,
} from './bulk.ts'

const ActionEnum = builder.enumType('ContactBulkAction', {
  description: 'Action of a bulk change.',
  values: {
    UPDATE: { value: 'update', description: 'Adds and removes tags, or sets owner, stage or "do not call".' },
    DELETE: { value: 'delete', description: 'Deletes contacts.' },
    RESTORE: { value: 'restore', description: 'Restores deleted contacts.' },
    CREATE_TASKS: { value: 'create_tasks', description: 'Adds a task to each contact.' },
    ENRICH: { value: 'enrich', description: 'Queues enrichment jobs.' },
    UNDO: { value: 'undo', description: 'Takes another bulk change back.' },
  } as const,
})

const StatusEnum = builder.enumType('ContactBulkChangeStatus', {
  description: 'How far a bulk change has come.',
  values: {
    QUEUED: { value: 'queued', description: 'It begins soon.' },
    RUNNING: { value: 'running', description: 'Contacts are changed.' },
    COMPLETED: { value: 'completed', description: 'It has reached the last contact.' },
    CANCELED: { value: 'canceled', description: 'Somebody ended it. Earlier changes stay.' },
    FAILED: { value: 'failed', description: 'It could not go on. Earlier changes stay.' },
  } as const,
})

const FailureType = builder.objectRef<BulkFailure>('ContactBulkFailure').implement({
  description: 'A contact that refused a bulk change.',
  fields: t => ({
    contactId: t.exposeID('contactId', { description: 'The contact.' }),
    contact: t.field({
      type: ContactType,
      nullable: true,
      description: 'The contact as it is now, deleted or not.',
      resolve: ({ contactId }, _args, context) => load(context, loadContacts, contactId),
    }),
    error: t.field({ type: RowErrorType, description: 'Why.', resolve: ({ code, message }) => ({ code, message, problems: null }) }),
    otherId: t.exposeID('otherId', {
      nullable: true,
      description: 'The contact in its way: the one that has its address, or into which it was merged.',
    }),
  }),
})

export const ContactBulkChangeType = builder.objectRef<BulkChange>('ContactBulkChange').implement({
  description: 'A change of chosen contacts, or of all that match a filter, made in the background.',
  interfaces: [Node],
  fields: t => ({
    id: t.exposeID('id', { description: 'Its id.' }),
    action: t.field({ type: ActionEnum, description: 'Its action.', resolve: actionOf }),
    addTags: t.stringList({ description: 'Tags that it adds.', resolve: ({ parameters }) => parameters.addTags ?? [] }),
    removeTags: t.stringList({ description: 'Tags that it removes.', resolve: ({ parameters }) => parameters.removeTags ?? [] }),
    ownerUserId: t.string({
      nullable: true,
      description: 'The owner that it sets; null for none, and for a change that sets none.',
      resolve: ({ parameters }) => parameters.ownerUserId ?? null,
    }),
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
    status: t.expose('status', { type: StatusEnum, description: 'How far it has come.' }),
    statusReason: t.exposeString('statusReason', { nullable: true, description: 'Why it failed.' }),
    total: t.exposeInt('total', {
      nullable: true,
      description: 'How many contacts it was about at its start; null if counting took too long.',
    }),
    changedCount: t.exposeInt('changedCount', { description: 'Contacts that it has changed so far, or queued for enrichment.' }),
    unchangedCount: t.exposeInt('unchangedCount', { description: 'Contacts that were as it wants them already.' }),
    failedCount: t.exposeInt('failedCount', {
      description: 'Contacts that refused it, such as one with too many tags, or to restore one whose address is taken.',
    }),
    failures: t.field({
      type: [FailureType],
      description: 'The first 100 of the contacts that refused it, with the reasons.',
      resolve: ({ failures }) => [...failures],
    }),
    undoOfId: t.exposeID('undoOfId', { nullable: true, description: 'The change that it takes back.' }),
    undoneById: t.id({
      nullable: true,
      description: 'The change that takes this one back.',
      resolve: (row, _args, context) => undoOf(context, row),
    }),
    createdBy: t.expose('createdBy', { type: ActorType, description: 'The actor who asked for it.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was asked for. Later contacts are left out.' }),
    startedAt: t.expose('startedAt', { type: 'DateTime', nullable: true, description: 'When it began.' }),
    finishedAt: t.expose('finishedAt', { type: 'DateTime', nullable: true, description: 'When it ended.' }),
  }),
})

const BulkChangeConnection = connectionOf('ContactBulkChange', 'bulk changes', ContactBulkChangeType)

builder.queryFields(t => ({
  contactBulkChange: t.field({
    type: ContactBulkChangeType,
    nullable: true,
    description: 'A bulk change by its id; null with NOT_FOUND.',
    authScopes: { scope: 'contacts:read' },
    args: byId,
    resolve: (_parent, { id }, context) => getChange(context, id),
  }),
  contactBulkChanges: t.field({
    type: BulkChangeConnection,
    description: "The organization's bulk changes, newest first.",
    authScopes: { scope: 'contacts:read' },
    args: pageArgs,
    resolve: (_parent, args, context, info) => listChanges(context, { ...args, counted: isCounted(info) }),
  }),
}))

type InputFields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0]

/** The members of inputs that say which contacts are meant. */
export const selectionFields = (t: InputFields) => ({
  ids: t.idList({ description: '1 to 1000 contacts. Ids of none are left out. Either these or `filter`.' }),
  filter: t.field({
    type: ContactFilterInput,
    description: 'All that match it, at the time of asking; `{}` is all. Either this or `ids`.',
  }),
})

const UpdateInput = builder.inputType('UpdateContactsInBulkInput', {
  description: 'The changes and the contacts.',
  fields: t => ({
    ...selectionFields(t),
    addTags: t.stringList({ description: 'Tags to add.' }),
    removeTags: t.stringList({ description: 'Tags to remove.' }),
    ownerUserId: t.string({ description: 'The member who looks after them from now on; null for nobody. Absent: as it is.' }),
    lifecycleStage: t.field({ type: enumOf(lifecycleStages), description: 'Their stage from now on. Absent: as it is.' }),
    doNotCall: t.boolean({ description: 'Whether they must not be called from now on. Absent: as it is.' }),
  }),
})

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

const DeleteInput = builder.inputType('DeleteContactsInBulkInput', {
  description: 'Which contacts to delete.',
  fields: selectionFields,
})

const RestoreInput = builder.inputType('RestoreContactsInBulkInput', {
  description: 'Which deleted contacts to restore.',
  fields: t => ({
    ids: t.idList({
      description:
        '1 to 1000 contacts. Ids of none are left out, one that lives is unchanged, one that was merged is refused. Either these or `filter`.',
    }),
    filter: t.field({
      type: ContactFilterInput,
      description:
        'All deleted ones that match it, at the time of asking, as with `onlyDeleted`; `{}` is all of them. Either this or `ids`.',
    }),
  }),
})

builder.mutationFields(t => ({
  updateContactsInBulk: t.field({
    type: ContactBulkChangeType,
    description:
      'Queues a change of tags, owner, stage or "do not call" of many contacts. Each is changed as `updateContact` does, with its version and its event; `changes` tells of the progress, not of each contact.',
    authScopes: { scope: 'contacts:write' },
    effect: { overwrites: true, undoneBy: 'undoContactBulkChange for 7 days' },
    args: { input: t.arg({ type: UpdateInput, required: true, description: 'The changes.' }) },
    resolve: (_parent, { input }, context) => updateInBulk(context, input),
  }),
  createTasksInBulk: t.field({
    type: ContactBulkChangeType,
    description:
      'Queues the addition of a task to each of many contacts, each as `createTask` does. `undoContactBulkChange` deletes those that nobody has changed.',
    authScopes: { scope: 'contacts:write' },
    effect: { undoneBy: 'undoContactBulkChange for 7 days' },
    args: { input: t.arg({ type: CreateTasksInput, required: true, description: 'The task and the contacts.' }) },
    resolve: (_parent, { input }, context) => createTasksInBulk(context, input),
  }),
  deleteContactsInBulk: t.field({
    type: ContactBulkChangeType,
    description: 'Queues the deletion of many contacts. `undoContactBulkChange` restores them.',
    authScopes: { scope: 'contacts:write' },
    effect: { overwrites: true, undoneBy: 'undoContactBulkChange for 7 days', isIdempotent: true },
    args: { input: t.arg({ type: DeleteInput, required: true, description: 'Which contacts.' }) },
    resolve: (_parent, { input }, context) => deleteInBulk(context, input),
  }),
  restoreContactsInBulk: t.field({
    type: ContactBulkChangeType,
    description:
      'Queues the restoration of many deleted contacts, each as `restoreContact` does. One whose address is taken, or that was merged into another, is refused: see `failures`. Of several deleted contacts with one address the first is restored.',
    authScopes: { scope: 'contacts:write' },
    effect: { overwrites: true, undoneBy: 'undoContactBulkChange for 7 days', isIdempotent: true },
    args: { input: t.arg({ type: RestoreInput, required: true, description: 'Which contacts.' }) },
    resolve: (_parent, { input }, context) => restoreInBulk(context, input),
  }),
  cancelContactBulkChange: t.field({
    type: ContactBulkChangeType,
    description: 'Ends a bulk change. Its earlier changes stay.',
    authScopes: { scope: 'contacts:write' },
    effect: { overwrites: true },
    args: inputOfId('CancelContactBulkChangeInput', 'A bulk change to end.'),
    resolve: (_parent, { input }, context) => cancelChange(context, input.id),
  }),
  undoContactBulkChange: t.field({
    type: ContactBulkChangeType,
    description:
      'Queues the reversal of a change, deletion or restoration, within 7 days of its end. It sets back only values that nobody has changed since, and works once.',
    authScopes: { scope: 'contacts:write' },
    effect: { overwrites: true },
    args: inputOfId('UndoContactBulkChangeInput', 'A bulk change to take back.'),
    resolve: (_parent, { input }, context) => undoChange(context, input.id),
  }),
}))

noun('contact_bulk_change', ContactBulkChangeType, { scope: 'contacts:read', load: loadChanges })
