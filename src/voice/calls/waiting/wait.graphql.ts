// The wait of a scheduled call in the schema.

import { builder } from '../../../graphql/schema/builder.ts'
import type { CallWait } from './wait.ts'

const CallWaitReasonEnum = builder.enumType('CallWaitReason', {
  description: 'Why a call waits.',
  values: {
    CALLING_HOURS: { value: 'calling_hours', description: 'Its phone may not ring before calling hours begin.' },
    SCHEDULE: { value: 'schedule', description: 'Its own earliest time has not come.' },
  } as const,
})

export const CallWaitType = builder.objectRef<CallWait>('CallWait').implement({
  description: 'The wait of a call that is scheduled.',
  fields: t => ({
    until: t.expose('until', { type: 'DateTime', description: 'The earliest time of its dial.' }),
    reason: t.expose('reason', { type: CallWaitReasonEnum, description: 'Why it waits.' }),
    timezone: t.exposeString('timezone', {
      description: 'The time zone of its calling hours: of the contact, otherwise of the organization.',
    }),
  }),
})
