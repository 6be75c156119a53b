// The list of calls. A row follows its call while the call runs; new calls appear at the top.

import { Button } from '@mantine/core'
import { IconPhonePlus } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useMemo } from 'react'
import { useQuery } from 'urql'
import { momentsOf } from '../address/day-range.ts'
import { DroppedFilters } from '../address/dropped-filters.tsx'
import { loadPart } from '../app/loaded.ts'
import { useConnection } from '../data/use-connection.ts'
import { Header } from '../frame/header.tsx'
import { Panel } from '../frame/panel.tsx'
import { usePanelAddress } from '../frame/use-panel-address.ts'
import { CallsCountDocument, CallsDocument } from '../generated/documents/calls.ts'
import type { CallSort } from '../generated/schema.ts'
import { useShortcut } from '../keyboard/shortcuts.ts'
import { frameWords } from '../language/en/frame.ts'
import { callPageWords } from '../language/en/screens/calls.ts'
import type { Change } from '../live/change.ts'
import { Empty, NoMatch } from '../pieces/states/empty.tsx'
import { useMe } from '../session/use-me.ts'
import { ListTable } from '../table/list-table.tsx'
import { callColumns } from './columns.tsx'
import { Filters } from './filters.tsx'
import { callsRoute } from './route.tsx'
import { WaitingNotice } from './waiting-notice.tsx'

const CallForm = lazy(() => loadPart(() => import('../call-form/form.tsx')))

const pageSize = 100

export function CallsScreen() {
  const search = callsRoute.useSearch()
  const navigate = useNavigate({ from: callsRoute.fullPath })
  const { mayWrite, isGuest, isOff } = useMe()

  const { status, outcome, agent, contact, placed, trials, sort = 'CREATED_AT_DESC', place = false } = search
  const filter = useMemo(() => {
    const { since, until } = momentsOf(placed)
    const isTrial = trials || undefined
    return {
      statusIn: status,
      outcomeIn: outcome,
      voiceAgentId: agent,
      contactId: contact,
      createdSince: since,
      createdUntil: until,
      isTrial,
    }
  }, [status, outcome, agent, contact, placed, trials])
  const isFiltered = Object.values(filter).some(value => value !== undefined)
  // With a filter by status or outcome, a running call can enter or leave the list.
  const isChangedBy = ({ type }: Change) => type === 'CALL_CREATED' || (isFiltered && type.startsWith('CALL_'))
  const list = useConnection({
    document: CallsDocument,
    variables: { filter, sort, first: pageSize },
    pick: data => data.calls,
    isChangedBy,
  })
  const [{ data: counted }] = useQuery({ query: CallsCountDocument, variables: { filter } })
  const change = (next: Partial<typeof search>) => void navigate({ search: before => ({ ...before, ...next }), replace: true })
  const open = (callId: string) => void navigate({ to: '/calls/$callId', params: { callId } })

  const panel = usePanelAddress(place, () => change({ place: undefined }))
  const openPanel = () => void navigate({ search: before => ({ ...before, place: true }), ...panel.opening })
  useShortcut('C', callPageWords.place, openPanel, { isOn: mayWrite })
  const placing = (
    <Button leftSection={<IconPhonePlus />} disabled={isOff} onClick={openPanel}>
      {isGuest ? callPageWords.signUp : callPageWords.place}
    </Button>
  )
  const clear = () =>
    change({ status: undefined, outcome: undefined, agent: undefined, contact: undefined, placed: undefined, trials: undefined })
  return (
    <>
      <Header title={frameWords.places.calls} actions={placing} />
      <DroppedFilters />
      <WaitingNotice />
      <Filters chosen={search} total={counted?.calls.totalCount} onChange={change} />
      <ListTable
        name="calls"
        label={frameWords.places.calls}
        columns={callColumns}
        list={list}
        onOpen={({ id }) => open(id)}
        sort={sort}
        onSort={next => change({ sort: next as CallSort })}
        empty={
          isFiltered ? (
            <NoMatch sentence={callPageWords.noMatch} onClear={clear} />
          ) : (
            <Empty
              sentence={callPageWords.empty}
              action={placing}
              guide={{ href: '/docs/guides/voice#place-a-call', label: callPageWords.guide }}
            />
          )
        }
      />
      <Panel isOpen={place && mayWrite} isInAddress onClose={panel.close} title={callPageWords.place} isForm>
        <Suspense>
          <CallForm onClose={panel.close} onPlaced={({ id }) => open(id)} />
        </Suspense>
      </Panel>
    </>
  )
}
