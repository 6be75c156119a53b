// GraphQL: inbox items, their list and count, and the mutations that change them.

import { recordRefOutputs } from '../../contacts/records/hanging/hanging.graphql.ts'
import { ActorType } from '../../graphql/schema/actor.graphql.ts'
import { builder, byId, checkWith } from '../../graphql/schema/builder.ts'
import { enumOf } from '../../graphql/schema/fields.graphql.ts'
import { connectionOf, isCounted, pageArgs } from '../../graphql/schema/lists/connection.graphql.ts'
import { Node } from '../../graphql/schema/node.graphql.ts'
import { noun } from '../../graphql/schema/noun.graphql.ts'
import { type InboxItem, inboxKinds, inboxResults, inboxStates, maxBell } from './item.sql.ts'
import {
  countOpenItems,
  finishInbox,
  getItem,
  type InboxChange,
  listItems,
  loadItems,
  maySeeEventOfItem,
  problemsOfChange,
  stateOf,
  updateItem,
} from './item.ts'
import { isSubjectGone } from './subject.ts'

const InboxItemType = builder.objectRef<InboxItem>('InboxItem').implement({
  description: 'Something that a member should know of. Only the member sees it.',
  interfaces: [Node],
  fields: t => ({
    id: t.exposeID('id', { description: 'Its id.' }),
    kind: t.expose('kind', { type: enumOf(inboxKinds), description: 'Why it is in the inbox.' }),
    state: t.field({ type: enumOf(inboxStates), description: 'Whether it is open.', resolve: stateOf }),
    subjectType: t.exposeString('subjectType', {
      description: 'The noun that it is about, as events name it: `contact`, `contact_task`, `note`, `call`, ...',
    }),
    subjectId: t.exposeID('subjectId', { description: 'The id of its subject; for `credits` the id of the user who pays.' }),
    isSubjectGone: t.boolean({
      description: 'Whether its subject was deleted since.',
      resolve: (item, _args, context) => isSubjectGone(context, item),
    }),
    title: t.exposeString('title', {
      nullable: true,
      description:
        "The name of its subject at that time: a task's title, the beginning of a note, the name of a file, a voice agent or a recipe, the address of an endpoint.",
    }),
    result: t.expose('result', { type: enumOf(inboxResults), nullable: true, description: 'How the work has ended, where some has.' }),
    count: t.exposeInt('count', {
      description: 'How many it is about: one write may assign many contacts. The subject is the first of them.',
    }),
    ...recordRefOutputs(t, 'it is about'),
    actor: t.expose('actor', { type: ActorType, description: 'The actor whose write it tells of.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it happened.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When the item was last changed.' }),
    shownAt: t.expose('shownAt', { type: 'DateTime', description: 'When it came, or comes back. The order of the list.' }),
    doneAt: t.expose('doneAt', { type: 'DateTime', nullable: true, description: 'When the member was done with it.' }),
    snoozedUntil: t.expose('snoozedUntil', {
      type: 'DateTime',
      nullable: true,
      description: 'When it comes back; null where it is there.',
    }),
    version: t.exposeInt('version', { description: 'Counts the changes, from 1. A change can name the version it is meant for.' }),
  }),
})

const InboxItemConnection = connectionOf('InboxItem', 'inbox items', InboxItemType)

const whose = 'The inbox belongs to the signed-in member, or to the member who made the API key.'

builder.queryFields(t => ({
  inboxItem: t.field({
    type: InboxItemType,
    nullable: true,
    description: 'An inbox item; null with NOT_FOUND for one that does not exist, or that is in the inbox of another.',
    authScopes: { scope: 'inbox:manage' },
    args: byId,
    resolve: (_parent, { id }, context) => getItem(context, id),
  }),
  inbox: t.field({
    type: InboxItemConnection,
    description: `The inbox items of a member, newest first. ${whose}`,
    authScopes: { scope: 'inbox:manage' },
    args: {
      ...pageArgs,
      state: t.arg({ type: enumOf(inboxStates), defaultValue: 'open', description: 'Only items in this state.' }),
      kind: t.arg({ type: enumOf(inboxKinds), description: 'Only items of this kind. Default: all.' }),
    },
    resolve: (_parent, { state, ...args }, context, info) =>
      listItems(context, { ...args, state: state ?? 'open', counted: isCounted(info) }),
  }),
  inboxCount: t.int({
    description: `The number of open items, counted up to ${maxBell}. ${whose}`,
    authScopes: { scope: 'inbox:manage' },
    resolve: (_parent, _args, context) => countOpenItems(context),
  }),
}))

const UpdateInboxItemInput = builder.inputType('UpdateInboxItemInput', {
  description: 'Changes of an inbox item: an absent field stays as it is.',
  fields: t => ({
    id: t.id({ required: true, description: "The item's id." }),
    done: t.boolean({ description: 'True finishes it, false reopens it.' }),
    snoozedUntil: t.field({
      type: 'DateTime',
      description: 'When it comes back, at most a year ahead. It is not done then. Null brings it back now.',
    }),
    ifVersion: t.int({ description: 'Changes this version only; PRECONDITION_FAILED for another.' }),
  }),
})

const FinishInboxInput = builder.inputType('FinishInboxInput', {
  description: 'Which open items to finish.',
  fields: t => ({ kind: t.field({ type: enumOf(inboxKinds), description: 'Only items of this kind. Default: all.' }) }),
})

const FinishedInbox = builder.objectRef<{ finishedCount: number }>('FinishedInbox').implement({
  description: 'The result of `finishInbox`.',
  fields: t => ({ finishedCount: t.exposeInt('finishedCount', { description: 'The number of finished items.' }) }),
})

const checksChange = checkWith(({ input = {} }: { input?: Omit<InboxChange, 'id'> }, context) => problemsOfChange(input, context.now()))

builder.mutationFields(t => ({
  updateInboxItem: t.field({
    type: InboxItemType,
    description: 'Finishes, reopens or snoozes an inbox item.',
    authScopes: { scope: 'inbox:manage' },
    effect: { overwrites: true, undoneBy: 'updateInboxItem with the former values', isIdempotent: true },
    extensions: checksChange,
    args: { input: t.arg({ type: UpdateInboxItemInput, required: true, description: 'The changes.' }) },
    resolve: (_parent, { input }, context) => updateItem(context, input),
  }),
  finishInbox: t.field({
    type: FinishedInbox,
    description:
      'Finishes all open items, or all open items of one kind, the oldest 1,000 at a time: to be repeated until it finishes none.',
    authScopes: { scope: 'inbox:manage' },
    effect: { overwrites: true, undoneBy: 'updateInboxItem of each with `done: false`' },
    args: { input: t.arg({ type: FinishInboxInput, required: true, description: 'Which items.' }) },
    resolve: async (_parent, { input }, context) => ({ finishedCount: await finishInbox(context, input.kind ?? null) }),
  }),
}))

noun('inbox_item', InboxItemType, { scope: 'inbox:manage', load: loadItems, isOwn: maySeeEventOfItem })
