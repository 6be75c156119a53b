// The runs of assistants, started by hooks, people and heartbeats.

import { Select } from '@mantine/core'
import { useMemo } from 'react'
import { useConnection } from '../../data/use-connection.ts'
import { Toolbar } from '../../frame/header.tsx'
import { AgentRunsDocument } from '../../generated/documents/gateway.ts'
import type { AgentRunRowFragment } from '../../generated/operations.ts'
import { type AgentRunStatus, type AgeSort, agentRunStatusValues } from '../../generated/schema.ts'
import { assistantWords } from '../../language/en/assistant.ts'
import { assistantPageWords } from '../../language/en/screens/assistant.ts'
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
  { id: 'name', header: assistantPageWords.run, width: 220, cell: ({ name, kind }) => name ?? assistantWords.runKind[kind] },
  { id: 'status', header: assistantPageWords.runs.status, width: 130, cell: ({ status }) => <RunState status={status} /> },
  { id: 'agent', header: assistantPageWords.conversations.assistant, width: 120, cell: ({ agentId }) => agentId },
  { id: 'session', header: assistantPageWords.form.session, width: 200, cell: ({ sessionKey }) => sessionKey },
  {
    id: 'delivery',
    header: assistantPageWords.runs.delivery,
    width: 150,
    cell: ({ delivery }) => <DeliveryOutcome status={delivery.status} />,
  },
  {
    id: 'createdAt',
    header: assistantPageWords.lists.requested,
    width: 130,
    sort: byAge,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
  { id: 'error', header: assistantPageWords.runs.failed, width: 240, cell: ({ error }) => error },
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
          aria-label={assistantPageWords.runs.status}
          placeholder={assistantPageWords.runs.anyStatus}
          data={optionsOf(assistantWords.runStatus)}
          value={status ?? null}
          onChange={value => onFilter(agentRunStatusValues.find(one => one === value))}
          clearable
        />
      </Toolbar>
      <ListTable
        name="agent-runs"
        label={assistantPageWords.runs.title}
        columns={columns}
        list={list}
        openId={openId}
        sort={sort}
        onSort={onSort}
        onOpen={({ id }) => onOpen(id)}
        empty={<Empty sentence={status ? assistantPageWords.runs.noMatch : assistantPageWords.runs.empty} />}
      />
    </>
  )
}
