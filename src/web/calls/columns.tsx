// The columns of the list of calls.

import type { CallRowFragment } from '../generated/operations.ts'
import { Credits } from '../pieces/money.tsx'
import { Time } from '../pieces/time.tsx'
import { byAge, type Column } from '../table/columns.ts'
import { CallState, calledName, minutes, Outcome } from './call-status.tsx'

export const callColumns: readonly Column<CallRowFragment>[] = [
  { id: 'called', header: 'Called', width: 200, cell: calledName },
  { id: 'status', header: 'Status', width: 150, cell: call => <CallState call={call} /> },
  { id: 'outcome', header: 'Outcome', width: 160, cell: ({ outcome }) => outcome && <Outcome outcome={outcome} /> },
  { id: 'agent', header: 'Agent', width: 160, cell: ({ voiceAgent }) => voiceAgent?.name },
  {
    id: 'createdAt',
    header: 'Placed',
    width: 130,
    sort: byAge,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
  {
    id: 'duration',
    header: 'Duration',
    width: 90,
    align: 'right',
    cell: ({ durationSeconds }) => durationSeconds !== null && minutes(durationSeconds),
  },
  {
    id: 'cost',
    header: 'Cost',
    width: 110,
    align: 'right',
    cell: ({ creditsCharged }) => creditsCharged !== null && <Credits value={creditsCharged} />,
  },
  { id: 'number', header: 'Number', width: 140, cell: ({ toNumber }) => toNumber },
]
