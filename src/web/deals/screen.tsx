// The list of deals. The address holds its state, a connection reads its rows, and a table shows them. A row opens its page.

import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useQuery } from 'urql'
import { DroppedFilters } from '../address/dropped-filters.tsx'
import { loadPart } from '../app/loaded.ts'
import { useConnection } from '../data/use-connection.ts'
import { useDealFields } from '../deal-record/fields.ts'
import { Filters, filterOf, isFiltered, noFilters } from '../deal-record/filters.tsx'
import { ViewSwitch } from '../deal-record/view-switch.tsx'
import { dealViews } from '../deal-record/views/kind.ts'
import { Header } from '../frame/header.tsx'
import { OnceOpen } from '../frame/once-open.tsx'
import { usePanelAddress } from '../frame/use-panel-address.ts'
import { CreateDealExportDocument, DealsCountDocument, DealsDocument } from '../generated/documents/deals.ts'
import type { DealSort } from '../generated/schema.ts'
import { useShortcut } from '../keyboard/shortcuts.ts'
import { dealWords } from '../language/en/deals/deals.ts'
import { frameWords } from '../language/en/frame.ts'
import { nounWords } from '../language/en/values.ts'
import type { Change } from '../live/change.ts'
import { Empty, NoMatch } from '../pieces/states/empty.tsx'
import type { View } from '../saved-views/kind.ts'
import { loadBeside, loadGoneFields } from '../saved-views/later.ts'
import { ViewsMenu } from '../saved-views/menu.tsx'
import { useBeside } from '../saved-views/use-beside.ts'
import { useViews } from '../saved-views/use-views.ts'
import { addressOf } from '../saved-views/view.ts'
import { useMe } from '../session/use-me.ts'
import { ExportButton } from '../table/export-button.tsx'
import { ListTable } from '../table/list-table.tsx'
import { SelectionBar } from '../table/selection-bar.tsx'
import { useSelection } from '../table/use-selection.ts'
import { columnsOf, exportedColumns } from './columns.tsx'
import { dealsRoute } from './route.tsx'

const DealActions = lazy(() => loadPart(() => import('../record-bulk/deal-actions.tsx')))
const CreateDeal = lazy(() => loadPart(() => import('./create-deal.tsx')))

const BesideChips = lazy(loadBeside)
const GoneFields = lazy(loadGoneFields)

const pageSize = 100
const isChangedBy = ({ type }: Change) =>
  /^(DEAL_(CREATED|DELETED|MOVED|RESTORED|BULK_CHANGE_\w+)|CONTACT_IMPORT_\w*(PROGRESSED|COMPLETED|UNDONE)$|PIPELINE_|TAG_)/.test(type)

export function DealsScreen() {
  const { sort, view: viewId, new: isCreating = false, ...search } = dealsRoute.useSearch()
  const navigate = useNavigate({ from: dealsRoute.fullPath })
  const { mayWrite, isGuest, isOff } = useMe()
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const fields = useDealFields()
  const mayEdit = search.deleted !== true
  const [shownColumns, setShownColumns] = useState<readonly string[]>([])

  const selection = useSelection()
  const change = (next: Partial<ReturnType<typeof dealsRoute.useSearch>>) => {
    selection.clear()
    void navigate({ search: before => ({ ...before, ...next }), replace: true })
  }
  const choose = (view: View | null) => change(view ? addressOf(dealViews, view) : { ...noFilters, sort: undefined, view: undefined })
  const { views, current, isAwaited } = useViews({
    kind: dealViews,
    viewId,
    isPlain: !isFiltered(search) && sort === undefined && !isCreating,
    onDefault: choose,
  })
  const columns = useMemo(() => columnsOf(fields, mayEdit, current?.columns ?? []), [fields, mayEdit, current])
  const beside = useBeside(dealViews, current)
  const filter = beside.within(filterOf(search))
  const variables = { filter, sort: sort ?? ('CREATED_AT_DESC' as const), first: pageSize }
  const list = useConnection({ document: DealsDocument, variables, pick: data => data.deals, isChangedBy, isPaused: isAwaited })
  // A separate, later query counts the rows: the rows never wait for the count.
  const [{ data: counted }] = useQuery({
    query: DealsCountDocument,
    variables: { filter },
    pause: isAwaited || list.isLoading || list.isStale,
  })

  const panel = usePanelAddress(isCreating, () => change({ new: undefined }))
  const startCreating = () => void navigate({ search: before => ({ ...before, new: true }), ...panel.opening })
  const open = (dealId: string, replace: boolean) => void navigate({ to: '/deals/$dealId', params: { dealId }, replace })
  useShortcut('C', dealWords.create.title, startCreating, { isOn: mayWrite })
  const create = (
    <Button leftSection={<IconPlus />} disabled={isOff} onClick={startCreating}>
      {isPhone ? (isGuest ? dealWords.signUp : dealWords.new) : isGuest ? dealWords.signUpToAdd : dealWords.create.title}
    </Button>
  )
  const exporting = (
    <ExportButton
      document={CreateDealExportDocument}
      linkOf={data => data.createDealExport}
      list={{ filter, sort: variables.sort }}
      records={nounWords.deal.other}
      isFiltered={isFiltered(search)}
      columns={current && exportedColumns(shownColumns)}
    />
  )
  return (
    <>
      <Header
        title={frameWords.places.deals}
        views={
          <>
            <ViewSwitch value="table" search={search} view={viewId} />
            <ViewsMenu
              kind={dealViews}
              views={views}
              current={current}
              state={{ search, beside: beside.conditions, sort, columns: shownColumns }}
              onChoose={choose}
              onDeleted={() => change({ ...noFilters, deleted: true, view: undefined })}
              isPhone={isPhone ?? false}
            />
          </>
        }
        actions={
          <>
            {exporting}
            {create}
          </>
        }
      />
      <DroppedFilters />
      {current && (
        <Suspense fallback={null}>
          <GoneFields kind={dealViews} view={current} />
        </Suspense>
      )}
      <Filters search={search} total={counted?.deals.totalCount} onChange={change}>
        {beside.isAny && (
          <Suspense>
            <BesideChips {...beside} />
          </Suspense>
        )}
      </Filters>
      <ListTable
        // Each view has its own columns, and the table reads them when it is mounted.
        key={`${current?.id} ${current?.version} ${fields.length} ${mayEdit}`}
        name={current ? `deals ${current.id} ${current.version}` : 'deals'}
        label={frameWords.places.deals}
        columns={columns}
        onColumns={setShownColumns}
        list={list}
        onOpen={({ id }) => open(id, false)}
        sort={variables.sort}
        onSort={next => change({ sort: next as DealSort })}
        selection={selection}
        empty={
          isFiltered(search) || beside.isAny ? (
            <NoMatch
              sentence={search.deleted ? dealWords.noDeleted : dealWords.noMatch}
              onClear={() => (beside.isAny ? choose(null) : change(noFilters))}
            />
          ) : (
            <Empty sentence={dealWords.empty} action={create} />
          )
        }
      />
      <SelectionBar selection={selection} nouns={nounWords.deal} total={counted?.deals.totalCount}>
        <Suspense>
          <DealActions selection={selection} filter={filter} total={counted?.deals.totalCount} isDisabled={isOff} isTrash={!mayEdit} />
        </Suspense>
      </SelectionBar>
      <OnceOpen isOpen={isCreating && mayWrite}>
        <CreateDeal
          isOpen={isCreating && mayWrite}
          companyId={search.company}
          pipelineId={search.pipeline}
          onClose={panel.close}
          onCreated={id => open(id, true)}
        />
      </OnceOpen>
    </>
  )
}
