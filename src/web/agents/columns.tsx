// The columns of the list of voice agents.

import type { VoiceAgentRowFragment } from '../generated/operations.ts'
import { callWords } from '../language/en/calls.ts'
import { Time } from '../pieces/time.tsx'
import { byAge, type Column } from '../table/columns.ts'
import { AgentStateWithReason } from './agent-status.tsx'

export const agentColumns: readonly Column<VoiceAgentRowFragment>[] = [
  { id: 'name', header: 'Name', width: 240, sort: { ascending: 'NAME', descending: 'NAME_DESC' }, cell: ({ name }) => name },
  { id: 'status', header: 'Status', width: 260, cell: agent => <AgentStateWithReason agent={agent} /> },
  { id: 'provider', header: 'Provider', width: 120, cell: ({ provider }) => callWords.provider[provider] },
  { id: 'phone', header: 'Calls from', width: 160, cell: ({ phoneNumber }) => phoneNumber },
  {
    id: 'updatedAt',
    header: 'Changed',
    width: 140,
    sort: { ascending: 'UPDATED_AT', descending: 'UPDATED_AT_DESC' },
    cell: ({ updatedAt }) => <Time at={updatedAt} />,
  },
  { id: 'createdAt', header: 'Created', width: 140, sort: byAge, cell: ({ createdAt }) => <Time at={createdAt} /> },
]
