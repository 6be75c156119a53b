// GraphQL: one call, and lists of calls with their filters and orders.

import { ContactType } from '../../contacts/contact/contact.graphql.ts'
import { DealType } from '../../contacts/deals/deal.graphql.ts'
import { builder, byId } from '../../graphql/schema/builder.ts'
import { connectionOf, isCounted, pageArgs } from '../../graphql/schema/lists/connection.graphql.ts'
import { valueEnum } from '../../graphql/schema/lists/value-enum.graphql.ts'
import { AnsweredByEnum, CallOutcomeEnum, CallStatusEnum, CallType, DispatchStateEnum } from './call.graphql.ts'
import { getCall } from './call.ts'
import { callsOf, emptiableColumns, listCalls } from './list.ts'
import { selectedCalls } from './selection.graphql.ts'

const CallConnection = connectionOf('Call', 'calls', CallType)

const CallSortEnum = builder.enumType('CallSort', {
  description: 'Orders of a list of calls.',
  values: {
    CREATED_AT: { value: 'created_at', description: 'Oldest first.' },
    CREATED_AT_DESC: { value: 'created_at_desc', description: 'Newest first.' },
  } as const,
})

const CallValueEnum = valueEnum('CallValue', emptiableColumns)

export const CallFilterInput = builder.inputType('CallFilter', {
  description: 'Which calls a list has. All conditions must hold.',
  fields: t => ({
    status: t.field({ type: CallStatusEnum, description: 'In this status.' }),
    statusIn: t.field({ type: [CallStatusEnum], description: 'In any of these statuses, at most 20.' }),
    outcome: t.field({ type: CallOutcomeEnum, description: 'With this outcome.' }),
    outcomeIn: t.field({ type: [CallOutcomeEnum], description: 'With any of these outcomes, at most 20.' }),
    dispatchState: t.field({ type: DispatchStateEnum, description: 'In this state of our own side.' }),
    dispatchStateIn: t.field({ type: [DispatchStateEnum], description: 'In any of these states of our own side, at most 20.' }),
    voiceAgentId: t.id({ description: 'Placed by this agent.' }),
    voiceAgentIdIn: t.idList({ description: 'Placed by any of these agents, at most 20.' }),
    contactId: t.id({ description: 'With this contact.' }),
    contactIdIn: t.idList({ description: 'With any of these contacts, at most 20.' }),
    dealId: t.id({ description: 'About this deal.' }),
    dealIdIn: t.idList({ description: 'About any of these deals, at most 20.' }),
    toNumber: t.string({ description: 'To this number.' }),
    toNumberIn: t.stringList({ description: 'To any of these numbers, at most 20.' }),
    answeredByIn: t.field({ type: [AnsweredByEnum], description: 'Answered by any of these, at most 20.' }),
    endedReasonIn: t.stringList({ description: 'Ended for any of these reasons, at most 20.' }),
    createdSince: t.field({ type: 'DateTime', description: 'Asked for then or later.' }),
    createdUntil: t.field({ type: 'DateTime', description: 'Asked for before.' }),
    endedSince: t.field({ type: 'DateTime', description: 'Ended then or later.' }),
    endedUntil: t.field({ type: 'DateTime', description: 'Ended before.' }),
    minDurationSeconds: t.int({ description: 'From the answer to the end at least this long.' }),
    maxDurationSeconds: t.int({ description: 'From the answer to the end at most this long.' }),
    isTrial: t.boolean({ description: 'Only trials of agents. Default: false, only other calls.' }),
    empty: t.field({ type: [CallValueEnum], description: 'Without a value in any of these fields.' }),
    notEmpty: t.field({ type: [CallValueEnum], description: 'With a value in each of these fields.' }),
  }),
})

builder.queryFields(t => ({
  call: t.field({
    type: CallType,
    nullable: true,
    description: 'A call; null with NOT_FOUND when there is none.',
    authScopes: { scope: 'calls:read' },
    args: byId,
    resolve: (_parent, { id }, context) => getCall(context, id),
  }),
  calls: t.field({
    type: CallConnection,
    description: "The organization's calls.",
    authScopes: { scope: 'calls:read' },
    args: {
      ...pageArgs,
      filter: t.arg({ type: CallFilterInput, description: 'Which calls. Default: all.' }),
      sort: t.arg({ type: CallSortEnum, defaultValue: 'created_at_desc', description: 'In which order.' }),
    },
    resolve: (_parent, args, context, info) => listCalls(context, { ...args, counted: isCounted(info) }, selectedCalls(context, info)),
  }),
}))

builder.objectField(ContactType, 'calls', t =>
  t.field({
    type: CallConnection,
    description: "The contact's calls, newest first. Needs `calls:read`.",
    args: pageArgs,
    resolve: (contact, args, context, info) =>
      callsOf('contact', context, contact.id, { ...args, counted: isCounted(info) }, selectedCalls(context, info)),
  }),
)

builder.objectField(DealType, 'calls', t =>
  t.field({
    type: CallConnection,
    description: 'The calls about the deal, newest first. Needs `calls:read`.',
    args: pageArgs,
    resolve: (deal, args, context, info) =>
      callsOf('deal', context, deal.id, { ...args, counted: isCounted(info) }, selectedCalls(context, info)),
  }),
)
