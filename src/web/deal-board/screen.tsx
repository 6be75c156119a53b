// The board of deals: the open stages of a pipeline as columns, and the stages that decide deals as targets.

import { Select } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useMemo } from 'react'
import { DroppedFilters } from '../address/dropped-filters.tsx'
import { loadPart } from '../app/loaded.ts'
import { usePipelines } from '../deal-record/choices.ts'
import { Filters, filterOf, isFiltered, noFilters } from '../deal-record/filters.tsx'
import { ViewSwitch } from '../deal-record/view-switch.tsx'
import { dealViews } from '../deal-record/views/kind.ts'
import { Header } from '../frame/header.tsx'
import { boardWords } from '../language/en/deals/board.ts'
import { dealWords } from '../language/en/deals/deals.ts'
import { frameWords } from '../language/en/frame.ts'
import { ButtonLink } from '../pieces/links.tsx'
import { ErrorNotice } from '../pieces/states/error-notice.tsx'
import { LateSkeleton } from '../pieces/states/late-skeleton.tsx'
import type { View } from '../saved-views/kind.ts'
import { loadBeside } from '../saved-views/later.ts'
import { ViewsMenu } from '../saved-views/menu.tsx'
import { useBeside } from '../saved-views/use-beside.ts'
import { useViews } from '../saved-views/use-views.ts'
import { addressOf } from '../saved-views/view.ts'
import { useMe } from '../session/use-me.ts'
import type { BoardColumn } from './arrange.ts'
import { dealBoardRoute } from './route.tsx'
import { useBoard } from './use-board.ts'

const Columns = lazy(() => loadPart(() => import('./columns.tsx')))

const BesideChips = lazy(loadBeside)

const noColumns: readonly BoardColumn[] = []
// A view keeps the columns of the table, which the board leaves as they are.
const noTableColumns: readonly string[] = []

export function DealBoardScreen() {
  const { view: viewId, ...search } = dealBoardRoute.useSearch()
  const navigate = useNavigate({ from: dealBoardRoute.fullPath })
  const { isOff } = useMe()
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false }) ?? false
  const mayMove = !isOff
  const change = (next: Partial<ReturnType<typeof dealBoardRoute.useSearch>>) =>
    void navigate({ search: before => ({ ...before, ...next }), replace: true })
  const choose = (view: View | null) => {
    const { deleted, ...address } = view ? addressOf(dealViews, view) : { ...noFilters, sort: undefined, view: undefined }
    // Deleted deals have no place on the board.
    if (deleted) return void navigate({ to: '/deals', search: { ...address, deleted } })
    const { sort: _, ...ofBoard } = address
    change(ofBoard)
  }
  const { views, current, isAwaited } = useViews({ kind: dealViews, viewId, isPlain: !isFiltered(search), onDefault: choose })
  const beside = useBeside(dealViews, current)
  const pipelines = usePipelines()
  const pipelineId = pipelines.find(({ id }) => id === search.pipeline)?.id ?? pipelines[0]?.id
  const { pipeline: _pipeline, ...rest } = search
  const key = JSON.stringify(rest)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for the filters, which are a new object at each rendering.
  const filter = useMemo(() => beside.within(filterOf(rest)), [key, beside.conditions])
  const board = useBoard(isAwaited ? undefined : pipelineId, filter)
  // The stages that decide deals come last, as they stand on the board.
  const columns = useMemo(
    () => (board.columns ?? noColumns).toSorted((a, b) => Number(a.stage.kind !== 'OPEN') - Number(b.stage.kind !== 'OPEN')),
    [board.columns],
  )
  return (
    <>
      <Header
        title={frameWords.places.deals}
        views={
          <>
            <ViewSwitch value="board" search={search} view={viewId} />
            <ViewsMenu
              kind={dealViews}
              views={views}
              current={current}
              // The board has its own order, and leaves the order of the view as it is.
              state={{ search, beside: beside.conditions, sort: dealViews.sortOf(current?.sort ?? null), columns: noTableColumns }}
              onChoose={choose}
              onDeleted={() => void navigate({ to: '/deals', search: { deleted: true } })}
              isPhone={isPhone}
            />
            {pipelines.length > 1 && (
              <Select
                size="xs"
                w={160}
                aria-label={boardWords.pipeline}
                data={pipelines.map(({ id, name }) => ({ value: id, label: name }))}
                value={pipelineId ?? null}
                allowDeselect={false}
                onChange={value => change({ pipeline: value ?? undefined })}
              />
            )}
          </>
        }
        actions={
          <ButtonLink to="/deals" search={{ new: true, pipeline: search.pipeline }} leftSection={<IconPlus />} disabled={!mayMove}>
            {isPhone ? dealWords.new : dealWords.create.title}
          </ButtonLink>
        }
      />
      <DroppedFilters />
      <Filters
        search={search}
        isBoard
        total={columns.length > 0 ? columns.reduce((sum, { count }) => sum + count, 0) : null}
        onChange={change}
      >
        {beside.isAny && (
          <Suspense>
            <BesideChips {...beside} />
          </Suspense>
        )}
      </Filters>
      {board.failure && <ErrorNotice failure={board.failure} onRetry={() => void board.reread()} />}
      {!board.columns && !board.failure && <LateSkeleton height={88} count={4} />}
      <Suspense fallback={null}>
        <Columns board={board} columns={columns} filter={filter} mayMove={mayMove} />
      </Suspense>
    </>
  )
}
