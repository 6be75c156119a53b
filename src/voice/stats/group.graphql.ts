// GraphQL: calls counted by their fields.

import { builder } from '../../graphql/schema/builder.ts'
import { groupArgs, grouping } from '../../graphql/schema/lists/grouping.graphql.ts'
import { CallFilterInput } from '../calls/list.graphql.ts'
import { groupCalls } from './group.ts'

const CallGroupFieldEnum = builder.enumType('CallGroupField', {
  description: 'A field that calls are counted by.',
  values: {
    VOICE_AGENT_ID: { value: 'agent_id', description: 'The agent that placed them.' },
    CONTACT_ID: { value: 'contact_id', description: 'The contact.' },
    PROVIDER: { value: 'provider', description: 'The telephone provider.' },
    DIRECTION: { value: 'direction', description: 'The direction.' },
    DISPATCH_STATE: { value: 'dispatch_state', description: 'The state of our own side.' },
    STATUS: { value: 'status', description: 'The status.' },
    OUTCOME: { value: 'outcome', description: 'The outcome.' },
    ANSWERED_BY: { value: 'answered_by', description: 'A person or a machine that answered.' },
    ENDED_REASON: { value: 'ended_reason', description: 'Why they ended.' },
    CREATED_AT: { value: 'created_at', description: 'When they were asked for.' },
    ANSWERED_AT: { value: 'answered_at', description: 'When they were answered.' },
    ENDED_AT: { value: 'ended_at', description: 'When they ended.' },
  } as const,
})

const CallMeasureEnum = builder.enumType('CallMeasure', {
  description: 'A number of calls that is summed.',
  values: {
    DURATION_SECONDS: { value: 'duration_seconds', description: 'From the answer to the end.' },
    CREDITS_CHARGED: { value: 'credits_charged', description: 'Their cost.' },
  } as const,
})

builder.queryField('groupCalls', t =>
  t.field({
    ...grouping,
    description: 'Calls counted by one or two of their fields, for charts.',
    authScopes: { scope: 'calls:read' },
    args: {
      ...groupArgs('CallGroupBy', 'calls', CallGroupFieldEnum),
      filter: t.arg({ type: CallFilterInput, description: 'Which calls. Default: all.' }),
      sumOf: t.arg({ type: CallMeasureEnum, description: 'A number: its sum and average.' }),
    },
    resolve: (_root, args, context) => groupCalls(context, args),
  }),
)
