// The subscription to changes of calls.

import { builder } from '../../../graphql/schema/builder.ts'
import { afterArgument, eventChanges, eventType, position } from '../../../graphql/schema/event.graphql.ts'
import type { Positioned } from '../../../kernel/events/follow.ts'
import { CallType } from '../call.graphql.ts'
import { type CallChange, callOf, followCalls } from './changes.ts'

const CallChangeType = builder.objectRef<Positioned<CallChange>>('CallChange').implement({
  description: 'Something that happened to a call.',
  fields: t => ({
    id: t.exposeID('id', { description: "The event's id." }),
    position: t.field(position),
    type: t.field(eventType),
    call: t.field({
      type: CallType,
      description: 'The call as it is now, which may be newer than the change.',
      resolve: (change, _args, context) => callOf(context, change),
    }),
    changes: t.field(eventChanges),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it happened.' }),
  }),
})

builder.subscriptionField('callChanged', t =>
  t.field({
    type: CallChangeType,
    description: "Every change of the organization's calls from now on, in the order they were committed, over server-sent events.",
    authScopes: { scope: 'calls:read' },
    args: { callId: t.arg.id({ description: 'Only changes of this call.' }), after: t.arg.string(afterArgument) },
    subscribe: (_root, args, context) => followCalls(context, args),
    resolve: change => change,
  }),
)
