// The toolbar of deals, on the table and on the board: search, pipeline, stages, state, owner, tags, expected close, and deleted ones.

import { Button, Popover, Select, Stack, Switch } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { readRange, writeRange } from '../address/day-range.ts'
import { useOwners, useTagNames } from '../contact-record/fields/choices.ts'
import type { Option } from '../contact-record/fields/fields.ts'
import { Toolbar, Total } from '../frame/header.tsx'
import type { DealFilter } from '../generated/operations.ts'
import type { DealState } from '../generated/schema.ts'
import { dealWords } from '../language/en/deals/deals.ts'
import { fieldWords, nounWords } from '../language/en/values.ts'
import { optionsOf } from '../language/values.ts'
import { dayText } from '../language/zone.ts'
import { DayInput } from '../pieces/day-input.tsx'
import { Several } from '../pieces/several.tsx'
import { Folded } from '../table/folded.tsx'
import { SearchInput } from '../table/search-input.tsx'
import { stageOptions, usePipelines } from './choices.ts'
import classes from './filters.module.css'

export interface DealSearch {
  q?: string | undefined
  pipeline?: string | undefined
  stage?: string[] | undefined
  state?: DealState | undefined
  owner?: string[] | undefined
  tag?: string[] | undefined
  company?: string | undefined
  /** "2026-01-01..2026-03-31" */
  closes?: string | undefined
  deleted?: boolean | undefined
}

export const noFilters = {
  ...{ q: undefined, pipeline: undefined, stage: undefined, state: undefined, owner: undefined, tag: undefined, company: undefined },
  ...{ closes: undefined, deleted: undefined },
} satisfies DealSearch

export const isFiltered = (search: DealSearch): boolean => Object.values(search).some(value => value !== undefined)

export function filterOf({ q, pipeline, stage, state, owner, tag, company, closes, deleted }: DealSearch): DealFilter {
  const range = readRange(closes)
  return {
    ...(q !== undefined && { q }),
    ...(pipeline && { pipelineId: pipeline }),
    ...(stage && { stageIdIn: stage }),
    ...(state && { state }),
    ...(owner && { ownerUserIdIn: owner }),
    ...(tag && { tagIn: tag }),
    ...(company && { companyIdIn: [company] }),
    ...(range?.from && { expectedSince: range.from }),
    ...(range?.to && { expectedUntil: range.to }),
    ...(deleted && { onlyDeleted: true }),
  }
}

interface FiltersProps {
  search: DealSearch
  total: number | null | undefined
  /** The board shows all stages of a pipeline. */
  isBoard?: boolean
  onChange(change: DealSearch): void
  /** Chips of further conditions. */
  children?: ReactNode
}

const words = dealWords.filter

export function Filters({ search, total, isBoard = false, onChange, children }: FiltersProps) {
  const [typedTag, setTypedTag] = useState('')
  const { q: _q, ...others } = search
  const owners = useOwners()
  const pipelines = usePipelines()
  const tags = [...new Set([...(search.tag ?? []), ...useTagNames(typedTag)])].map(name => ({ value: name, label: name }))
  const stages = stageOptions(search.pipeline === undefined ? pipelines : pipelines.filter(({ id }) => id === search.pipeline))
  const several = (name: 'stage' | 'owner' | 'tag', label: string, placeholder: string, data: readonly Option[]) => (
    <Several
      size="xs"
      className={search[name] ? classes.chosen : classes.filter}
      aria-label={label}
      placeholder={search[name] ? undefined : placeholder}
      data={[...data]}
      value={search[name] ?? []}
      onChange={chosen => onChange({ [name]: chosen.length > 0 ? chosen : undefined })}
      {...(name === 'tag' && { onSearchChange: setTypedTag })}
      maxValues={20}
      clearable
    />
  )
  return (
    <Toolbar>
      <SearchInput q={search.q ?? ''} {...dealWords.search} onChange={q => onChange({ q })} />
      <Folded isUsed={isFiltered(others)}>
        {!isBoard && pipelines.length > 1 && (
          <Select
            size="xs"
            className={classes.filter}
            aria-label={fieldWords.pipelineId}
            placeholder={words.anyPipeline}
            data={pipelines.map(({ id, name }) => ({ value: id, label: name }))}
            value={search.pipeline ?? null}
            onChange={value => onChange({ pipeline: value ?? undefined, stage: undefined })}
            clearable
          />
        )}
        {/* A view may have filters by them, also on the board. */}
        {(!isBoard || search.stage) && several('stage', fieldWords.stageId, words.anyStage, stages)}
        {(!isBoard || search.state) && (
          <Select
            size="xs"
            className={classes.filter}
            aria-label={dealWords.stateLabel}
            placeholder={words.anyState}
            data={optionsOf(dealWords.state)}
            value={search.state ?? null}
            onChange={value => onChange({ state: (value as DealState | null) ?? undefined })}
            clearable
          />
        )}
        {several('owner', fieldWords.ownerUserId, words.anyOwner, owners)}
        {several('tag', fieldWords.tags, words.anyTag, tags)}
        <Closing range={search.closes} onChange={closes => onChange({ closes })} />
        {!isBoard && (
          <Switch
            size="xs"
            label={words.deleted}
            checked={search.deleted ?? false}
            onChange={event => onChange({ deleted: event.currentTarget.checked || undefined })}
          />
        )}
      </Folded>
      {children}
      {isFiltered(search) && (
        <Button variant="subtle" color="gray" onClick={() => onChange(noFilters)}>
          {words.clearAll}
        </Button>
      )}
      <Total count={total} nouns={nounWords.deal} />
    </Toolbar>
  )
}

/** The days between which deals are expected to close. */
function Closing({ range, onChange }: { range: string | undefined; onChange(range: string | undefined): void }) {
  const { from, to } = readRange(range) ?? { from: '', to: '' }
  const said = [from && dayText(from), to && dayText(to)]
  return (
    <Popover position="bottom-start" shadow="md" trapFocus returnFocus width={240}>
      <Popover.Target>
        <Button variant="default" leftSection={<IconCalendar size={14} />}>
          {range === undefined ? words.closes : `${words.closes}: ${said.join(' – ')}`}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={words.closes}>
        <Stack gap="xs">
          <DayInput label={words.closesFrom} value={from} isFirst onChange={day => onChange(writeRange({ from: day, to }))} />
          <DayInput label={words.closesUntil} value={to} onChange={day => onChange(writeRange({ from, to: day }))} />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
