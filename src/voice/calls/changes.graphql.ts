// The subscription to changes of calls.

import { builder } from '../../graphql/schema/builder.ts'
import { eventChanges, eventType } from '../../graphql/schema/event.graphql.ts'
import { CallType } from './call.graphql.ts'
import { type CallChange, callOf, followCalls } from './changes.ts'

const CallChangeType = builder.objectRef<CallChange>('CallChange').implement({
  description: 'Something that happened to a call.',
  fields: t => ({
    id: t.exposeID('id', { description: "The event's id." }),
    type: t.field(eventType),
    call: t.field({
      type: CallType,
      description: 'The call as it is by now, which may be newer than the change.',
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
    args: { callId: t.arg.id({ description: 'Only changes of this call.' }) },
    subscribe: (_root, { callId }, context) => followCalls(context, callId),
    resolve: change => change,
  }),
)
