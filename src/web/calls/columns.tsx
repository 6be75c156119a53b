// The columns of the list of calls.

import type { CallRowFragment } from '../generated/operations.ts'
import { callWords } from '../language/en/calls.ts'
import { callPageWords } from '../language/en/screens/calls.ts'
import { Credits } from '../pieces/money.tsx'
import { Time } from '../pieces/time.tsx'
import { byAge, type Column } from '../table/columns.ts'
import { CallState, calledName, minutes, Outcome, stateOf } from './call-status.tsx'

export const callColumns: readonly Column<CallRowFragment>[] = [
  { id: 'called', header: callPageWords.columns.called, width: 200, cell: calledName },
  { id: 'status', header: callPageWords.columns.status, width: 150, cell: call => <CallState call={call} /> },
  {
    id: 'outcome',
    header: callPageWords.columns.outcome,
    width: 160, // An outcome such as "No answer" says the same as the status beside it.
    cell: call => call.outcome && callWords.outcome[call.outcome] !== stateOf(call) && <Outcome outcome={call.outcome} />,
  },
  { id: 'agent', header: callPageWords.columns.agent, width: 160, cell: ({ voiceAgent }) => voiceAgent?.name },
  {
    id: 'createdAt',
    header: callPageWords.columns.placed,
    width: 130,
    sort: byAge,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
  {
    id: 'duration',
    header: callPageWords.columns.duration,
    width: 90,
    align: 'right',
    cell: ({ durationSeconds }) => durationSeconds !== null && minutes(durationSeconds),
  },
  {
    id: 'cost',
    header: callPageWords.columns.cost,
    width: 110,
    align: 'right',
    cell: ({ creditsCharged }) => creditsCharged !== null && <Credits value={creditsCharged} />,
  },
  { id: 'number', header: callPageWords.columns.number, width: 140, cell: ({ toNumber }) => toNumber },
]
