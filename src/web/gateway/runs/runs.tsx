// The runs of assistants, started by hooks, people and heartbeats.

import { Select } from '@mantine/core'
import { useMemo } from 'react'
import { useConnection } from '../../data/use-connection.ts'
import { Toolbar } from '../../frame/header.tsx'
import { AgentRunsDocument } from '../../generated/documents/gateway.ts'
import type { AgentRunRowFragment } from '../../generated/operations.ts'
import { type AgentRunStatus, type AgeSort, agentRunStatusValues } from '../../generated/schema.ts'
import { assistantWords } from '../../language/en/assistant.ts'
import { optionsOf } from '../../language/values.ts'
import type { Change } from '../../live/change.ts'
import { Empty } from '../../pieces/states/empty.tsx'
import { Time } from '../../pieces/time.tsx'
import { byAge, type Column } from '../../table/columns.ts'
import { ListTable } from '../../table/list-table.tsx'
import { DeliveryOutcome, RunState } from './run-status.tsx'

interface RunsProps {
  sort: AgeSort
  onSort(sort: string): void
  status: AgentRunStatus | undefined
  onFilter(status: AgentRunStatus | undefined): void
  openId: string | undefined
  onOpen(id: string): void
}

const columns: readonly Column<AgentRunRowFragment>[] = [
  { id: 'name', header: 'Run', width: 220, cell: ({ name, kind }) => name ?? assistantWords.runKind[kind] },
  { id: 'status', header: 'Status', width: 130, cell: ({ status }) => <RunState status={status} /> },
  { id: 'agent', header: 'Assistant', width: 120, cell: ({ agentId }) => agentId },
  { id: 'session', header: 'Session', width: 200, cell: ({ sessionKey }) => sessionKey },
  { id: 'delivery', header: 'Delivery', width: 150, cell: ({ delivery }) => <DeliveryOutcome status={delivery.status} /> },
  { id: 'createdAt', header: 'Requested', width: 130, sort: byAge, cell: ({ createdAt }) => <Time at={createdAt} /> },
  { id: 'error', header: 'Why it failed', width: 240, cell: ({ error }) => error },
]
const isChangedBy = ({ type }: Change) => type.startsWith('AGENT_RUN_') || type.startsWith('DELIVERY_')

export function Runs({ sort, onSort, status, onFilter, openId, onOpen }: RunsProps) {
  const filter = useMemo(() => ({ status }), [status])
  const list = useConnection({
    document: AgentRunsDocument,
    variables: { filter, sort, first: 50 },
    pick: data => data.agentRuns,
    isChangedBy,
  })
  return (
    <>
      <Toolbar>
        <Select
          size="xs"
          aria-label="Status"
          placeholder="Any status"
          data={optionsOf(assistantWords.runStatus)}
          value={status ?? null}
          onChange={value => onFilter(agentRunStatusValues.find(one => one === value))}
          clearable
        />
      </Toolbar>
      <ListTable
        name="agent-runs"
        label="Runs"
        columns={columns}
        list={list}
        openId={openId}
        sort={sort}
        onSort={onSort}
        onOpen={({ id }) => onOpen(id)}
        empty={<Empty sentence={status ? 'No run is in this state.' : 'No assistant ran yet. Hooks, people and heartbeats start runs.'} />}
      />
    </>
  )
}
