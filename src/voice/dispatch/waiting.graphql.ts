// GraphQL: whether calls wait because no worker runs.

import { builder } from '../../graphql/schema/builder.ts'
import { readWaitingWork, type WaitingWork } from './waiting.ts'

const WaitingWorkType = builder.objectRef<WaitingWork>('WaitingWork').implement({
  description: 'Work of the organization that is due, and whether anything does it.',
  fields: t => ({
    isWorkerAlive: t.exposeBoolean('isWorkerAlive', {
      description: 'Whether a process with the role worker runs. Without one, calls that wait are not dialled.',
    }),
    callsDueSince: t.expose('callsDueSince', {
      type: 'DateTime',
      nullable: true,
      description:
        'Since when the call that waits longest could have been dialled; null when none is due. Calls of paused agents do not count.',
    }),
  }),
})

builder.queryField('waitingWork', t =>
  t.field({
    type: WaitingWorkType,
    description: 'Waiting work, and whether a worker is alive.',
    authScopes: { scope: 'calls:read' },
    resolve: (_parent, _args, context) => readWaitingWork(context),
  }),
)
