// The columns of the list of voice agents.

import type { VoiceAgentRowFragment } from '../generated/operations.ts'
import { callWords } from '../language/en/calls.ts'
import { agentPageWords } from '../language/en/screens/agents.ts'
import { Time } from '../pieces/time.tsx'
import { byAge, type Column } from '../table/columns.ts'
import { AgentStateWithReason } from './agent-status.tsx'

export const agentColumns: readonly Column<VoiceAgentRowFragment>[] = [
  {
    id: 'name',
    header: agentPageWords.columns.name,
    width: 240,
    sort: { ascending: 'NAME', descending: 'NAME_DESC' },
    cell: ({ name }) => name,
  },
  { id: 'status', header: agentPageWords.columns.status, width: 260, cell: agent => <AgentStateWithReason agent={agent} /> },
  { id: 'provider', header: agentPageWords.columns.provider, width: 120, cell: ({ provider }) => callWords.provider[provider] },
  { id: 'phone', header: agentPageWords.columns.phone, width: 160, cell: ({ phoneNumber }) => phoneNumber },
  {
    id: 'updatedAt',
    header: agentPageWords.columns.changed,
    width: 140,
    sort: { ascending: 'UPDATED_AT', descending: 'UPDATED_AT_DESC' },
    cell: ({ updatedAt }) => <Time at={updatedAt} />,
  },
  { id: 'createdAt', header: agentPageWords.columns.created, width: 140, sort: byAge, cell: ({ createdAt }) => <Time at={createdAt} /> },
]
