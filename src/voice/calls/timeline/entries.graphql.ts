// GraphQL: what events of calls tell in timelines.

import { builder } from '../../../graphql/schema/builder.ts'
import { entryOf, type TimelineRow } from '../../../graphql/schema/entry.graphql.ts'
import { eventChanges } from '../../../graphql/schema/event.graphql.ts'
import { load } from '../../../kernel/dataloaders.ts'
import { numberFrom, textFrom, textOf, valueAfter } from '../../../kernel/events/told.ts'
import { CallOutcomeEnum, CallType, DispatchStateEnum } from '../call.graphql.ts'
import { loadCalls } from '../call.ts'
import { type Call, callEvents } from '../row.ts'

// `as`: rules wrote the value, which they read from a row.
const outcomeOf = (entry: TimelineRow) => textFrom(valueAfter(entry, 'outcome')) as Call['outcome']
const dispatchStateOf = (entry: TimelineRow) => textOf(entry, 'dispatchState') as Call['dispatchState'] | null

/** The names of the values that the event has for the first time. */
function learnedIn(entry: TimelineRow): string[] {
  const extracted = valueAfter(entry, 'extracted')
  if (typeof extracted !== 'object' || extracted === null) return []
  return Object.entries(extracted).flatMap(([name, value]) => (value === null || value === '' ? [] : [name]))
}

entryOf(
  [callEvents.created],
  builder.objectRef<TimelineRow>('CallPlacedEntry').implement({
    description: 'A call was accepted, to be placed now or later, or was refused by the call policy.',
    fields: t => ({
      callId: t.exposeID('entityId', { description: 'The call.' }),
      call: t.field({
        type: CallType,
        nullable: true,
        description: 'The call as it is now.',
        resolve: ({ entityId }, _args, context) => load(context, loadCalls, entityId),
      }),
      toNumber: t.string({ nullable: true, description: 'The called number.', resolve: entry => textOf(entry, 'toNumber') }),
      dispatchState: t.field({
        type: DispatchStateEnum,
        nullable: true,
        description: 'Its state then: BLOCKED for a refused call.',
        resolve: dispatchStateOf,
      }),
      endedReason: t.string({
        nullable: true,
        description: 'Why it was refused, in a word.',
        resolve: entry => textOf(entry, 'endedReason'),
      }),
    }),
  }),
)

entryOf(
  [callEvents.ended],
  builder.objectRef<TimelineRow>('CallEndedEntry').implement({
    description: 'A call ended.',
    fields: t => ({
      callId: t.exposeID('entityId', { description: 'The call.' }),
      call: t.field({
        type: CallType,
        nullable: true,
        description: 'The call as it is now.',
        resolve: ({ entityId }, _args, context) => load(context, loadCalls, entityId),
      }),
      outcome: t.field({ type: CallOutcomeEnum, nullable: true, description: 'Its outcome.', resolve: outcomeOf }),
      durationSeconds: t.int({
        nullable: true,
        description: 'From the answer to the end; null where nobody answered.',
        resolve: entry => numberFrom(valueAfter(entry, 'durationSeconds')),
      }),
      endedReason: t.string({
        nullable: true,
        description: 'Why it ended, in a word. Words of providers among them, so expect unknown ones.',
        resolve: entry => textFrom(valueAfter(entry, 'endedReason')),
      }),
      learned: t.stringList({
        description: "The names of the values that the agent found out, in the agent's spelling.",
        resolve: learnedIn,
      }),
      changes: t.field(eventChanges),
    }),
  }),
)

entryOf(
  [callEvents.updated],
  builder.objectRef<TimelineRow>('CallChangedEntry').implement({
    description: 'A call was changed.',
    fields: t => ({
      callId: t.exposeID('entityId', { description: 'The call.' }),
      call: t.field({
        type: CallType,
        nullable: true,
        description: 'The call as it is now.',
        resolve: ({ entityId }, _args, context) => load(context, loadCalls, entityId),
      }),
      changes: t.field(eventChanges),
    }),
  }),
)
