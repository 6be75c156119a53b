// The board of deals: the open stages of a pipeline as columns, and the stages that decide deals as targets.

import { Select } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useMemo } from 'react'
import { DroppedFilters } from '../address/dropped-filters.tsx'
import { loadPart } from '../app/loaded.ts'
import { usePipelines } from '../deal-record/choices.ts'
import { type DealSearch, Filters, filterOf } from '../deal-record/filters.tsx'
import { ViewSwitch } from '../deal-record/view-switch.tsx'
import { Header } from '../frame/header.tsx'
import { boardWords } from '../language/en/deals/board.ts'
import { dealWords } from '../language/en/deals/deals.ts'
import { frameWords } from '../language/en/frame.ts'
import { ButtonLink } from '../pieces/links.tsx'
import { ErrorNotice } from '../pieces/states/error-notice.tsx'
import { LateSkeleton } from '../pieces/states/late-skeleton.tsx'
import { useMe } from '../session/use-me.ts'
import type { BoardColumn } from './arrange.ts'
import { dealBoardRoute } from './route.tsx'
import { useBoard } from './use-board.ts'

const Columns = lazy(() => loadPart(() => import('./columns.tsx')))

const noColumns: readonly BoardColumn[] = []
export function DealBoardScreen() {
  const search = dealBoardRoute.useSearch()
  const navigate = useNavigate({ from: dealBoardRoute.fullPath })
  const mayMove = !useMe().isOff
  const pipelines = usePipelines()
  const pipelineId = pipelines.find(({ id }) => id === search.pipeline)?.id ?? pipelines[0]?.id
  const { pipeline: _pipeline, ...rest } = search
  const key = JSON.stringify(rest)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for the filters, which are a new object at each rendering.
  const filter = useMemo(() => filterOf(rest), [key])
  const board = useBoard(pipelineId, filter)
  // The stages that decide deals come last, as they stand on the board.
  const columns = useMemo(
    () => (board.columns ?? noColumns).toSorted((a, b) => Number(a.stage.kind !== 'OPEN') - Number(b.stage.kind !== 'OPEN')),
    [board.columns],
  )
  const change = (next: DealSearch) => void navigate({ search: before => ({ ...before, ...next }), replace: true })
  return (
    <>
      <Header
        title={frameWords.places.deals}
        views={
          <>
            <ViewSwitch value="board" search={search} />
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
          <ButtonLink to="/deals" search={{ new: true }} leftSection={<IconPlus />} disabled={!mayMove}>
            {dealWords.create.title}
          </ButtonLink>
        }
      />
      <DroppedFilters />
      <Filters
        search={search}
        isBoard
        total={columns.length > 0 ? columns.reduce((sum, { count }) => sum + count, 0) : null}
        onChange={change}
      />
      {board.failure && <ErrorNotice failure={board.failure} onRetry={() => void board.reread()} />}
      {!board.columns && !board.failure && <LateSkeleton height={88} count={4} />}
      <Suspense fallback={null}>
        <Columns board={board} columns={columns} filter={filter} mayMove={mayMove} />
      </Suspense>
    </>
  )
}
