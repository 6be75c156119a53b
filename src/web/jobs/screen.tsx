// Enrichment jobs: the progress, result and cost of each.

import { Select } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useQuery } from 'urql'
import { DroppedFilters } from '../address/dropped-filters.tsx'
import { useConnection } from '../data/use-connection.ts'
import { Header, Toolbar } from '../frame/header.tsx'
import { usePanelAddress } from '../frame/use-panel-address.ts'
import { EnrichmentJobsDocument, JobRecipesDocument } from '../generated/documents/jobs.ts'
import type { EnrichmentSort } from '../generated/schema.ts'
import { recipeText } from '../language/en/enrichment/recipes.ts'
import { enrichmentWords } from '../language/en/enrichment.ts'
import { frameWords } from '../language/en/frame.ts'
import { runWords } from '../language/en/screens/runs.ts'
import { plainWords } from '../language/values.ts'
import type { Change } from '../live/change.ts'
import { ButtonLink } from '../pieces/links.tsx'
import { AnyOf } from '../pieces/several.tsx'
import { Empty, NoMatch } from '../pieces/states/empty.tsx'
import { ListTable } from '../table/list-table.tsx'
import { jobColumns } from './columns.tsx'
import { JobPanel } from './job-panel.tsx'
import { jobsRoute } from './route.tsx'

const pageSize = 100
const isChangedBy = ({ type }: Change) => type === 'ENRICHMENT_JOB_QUEUED'

export function JobsScreen() {
  const search = jobsRoute.useSearch()
  const navigate = useNavigate({ from: jobsRoute.fullPath })
  const { status, recipe, sort = 'CREATED_AT_DESC', open } = search
  const variables = useMemo(() => ({ filter: { statusIn: status, recipe }, sort, first: pageSize }), [status, recipe, sort])
  const list = useConnection({ document: EnrichmentJobsDocument, variables, pick: data => data.enrichmentJobs, isChangedBy })
  const [{ data: known }] = useQuery({ query: JobRecipesDocument })
  const change = (next: Partial<typeof search>) => void navigate({ search: before => ({ ...before, ...next }), replace: true })
  const panel = usePanelAddress(open !== undefined, () => change({ open: undefined }))
  const isFiltered = status !== undefined || recipe !== undefined
  const recipes = (known?.recipes.nodes ?? []).map(({ name, title }) => ({ value: name, label: recipeText(title) }))
  return (
    <>
      <Header title={frameWords.places.jobs} />
      <DroppedFilters />
      <Toolbar>
        <AnyOf
          label={runWords.statuses}
          placeholder={runWords.anyStatus}
          words={enrichmentWords.runStatus}
          chosen={status}
          onChoose={chosen => change({ status: chosen })}
        />
        <Select
          size="xs"
          aria-label={runWords.columns.source}
          placeholder={runWords.anySource}
          data={
            recipe && !recipes.some(({ value }) => value === recipe) ? [{ value: recipe, label: plainWords(recipe) }, ...recipes] : recipes
          }
          value={recipe ?? null}
          onChange={value => change({ recipe: value ?? undefined })}
          clearable
        />
      </Toolbar>
      <ListTable
        name="jobs"
        label={frameWords.places.jobs}
        columns={jobColumns}
        list={list}
        onOpen={({ id }) => void navigate({ search: before => ({ ...before, open: id }), ...panel.opening })}
        openId={open}
        sort={sort}
        onSort={next => change({ sort: next as EnrichmentSort })}
        empty={
          isFiltered ? (
            <NoMatch sentence={runWords.noMatch} onClear={() => change({ status: undefined, recipe: undefined })} />
          ) : (
            <Empty
              sentence={runWords.empty}
              action={<ButtonLink to="/contacts">{runWords.enrich}</ButtonLink>}
              guide={{ href: '/docs/guides/enrichment', label: runWords.guide }}
            />
          )
        }
      />
      <JobPanel id={open} onClose={panel.close} />
    </>
  )
}
