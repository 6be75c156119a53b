// Events for the main session, and messages to channels with the reasons of failed deliveries.

import { useConnection } from '../data/use-connection.ts'
import { AgentDeliveriesDocument, SystemEventsDocument } from '../generated/documents/gateway.ts'
import type { AgentDeliveryRowFragment, SystemEventRowFragment } from '../generated/operations.ts'
import type { AgeSort } from '../generated/schema.ts'
import { assistantWords } from '../language/en/assistant.ts'
import { assistantPageWords } from '../language/en/screens/assistant.ts'
import type { Change } from '../live/change.ts'
import { Empty } from '../pieces/states/empty.tsx'
import { Time } from '../pieces/time.tsx'
import { byAge, type Column } from '../table/columns.ts'
import { ListTable } from '../table/list-table.tsx'
import { DeliveryState, EventState } from './runs/run-status.tsx'

interface ListProps {
  sort: AgeSort
  onSort(sort: string): void
  onOpenRun(id: string): void
}

const eventColumns: readonly Column<SystemEventRowFragment>[] = [
  { id: 'text', header: assistantPageWords.form.event, width: 420, cell: ({ text }) => text },
  { id: 'state', header: assistantPageWords.lists.state, width: 120, cell: ({ state }) => <EventState state={state} /> },
  {
    id: 'source',
    header: assistantPageWords.lists.from,
    width: 140,
    cell: ({ source, name }) => `${assistantWords.eventSource[source]}: ${name}`,
  },
  { id: 'mode', header: assistantPageWords.lists.when, width: 150, cell: ({ mode }) => assistantWords.wake[mode] },
  { id: 'createdAt', header: assistantPageWords.lists.received, width: 130, sort: byAge, cell: ({ createdAt }) => <Time at={createdAt} /> },
  { id: 'seenAt', header: assistantPageWords.lists.seen, width: 130, cell: ({ seenAt }) => seenAt && <Time at={seenAt} /> },
]
const changesEvents = ({ type }: Change) => type.startsWith('SYSTEM_EVENT_') || type.startsWith('AGENT_RUN_')

export function Events({ sort, onSort, onOpenRun }: ListProps) {
  const list = useConnection({
    document: SystemEventsDocument,
    variables: { sort, first: 50 },
    pick: data => data.systemEvents,
    isChangedBy: changesEvents,
  })
  return (
    <ListTable
      name="system-events"
      label={assistantPageWords.lists.events}
      columns={eventColumns}
      list={list}
      sort={sort}
      onSort={onSort}
      onOpen={({ runId, heartbeatId }) => {
        const run = runId ?? heartbeatId
        if (run !== null) onOpenRun(run)
      }}
      empty={<Empty sentence={assistantPageWords.lists.noEvents} />}
    />
  )
}

const deliveryColumns: readonly Column<AgentDeliveryRowFragment>[] = [
  { id: 'text', header: assistantPageWords.lists.message, width: 320, cell: ({ text }) => text },
  { id: 'state', header: assistantPageWords.lists.state, width: 140, cell: ({ state }) => <DeliveryState state={state} /> },
  { id: 'reason', header: assistantPageWords.lists.reason, width: 260, cell: ({ reason }) => reason },
  { id: 'channel', header: assistantPageWords.lists.channel, width: 120, cell: ({ channel }) => assistantWords.channel[channel] },
  { id: 'to', header: assistantPageWords.lists.to, width: 140, cell: ({ to }) => to },
  {
    id: 'createdAt',
    header: assistantPageWords.lists.requested,
    width: 130,
    sort: byAge,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
]
const changesDeliveries = ({ type }: Change) => type.startsWith('DELIVERY_') || type.startsWith('AGENT_RUN_')

export function Deliveries({ sort, onSort, onOpenRun }: ListProps) {
  const list = useConnection({
    document: AgentDeliveriesDocument,
    variables: { sort, first: 50 },
    pick: data => data.agentDeliveries,
    isChangedBy: changesDeliveries,
  })
  return (
    <ListTable
      name="agent-deliveries"
      label={assistantPageWords.lists.deliveries}
      columns={deliveryColumns}
      list={list}
      sort={sort}
      onSort={onSort}
      onOpen={({ runId }) => onOpenRun(runId)}
      empty={<Empty sentence={assistantPageWords.lists.noDeliveries} />}
    />
  )
}
