// The saved views of deals, on the table and on the board.

import { rangeText, writeRange } from '../../address/day-range.ts'
import { several } from '../../address/params.ts'
import { useOwners } from '../../contact-record/fields/choices.ts'
import { FieldsOfDealsDocument } from '../../generated/documents/deal-record.ts'
import { ChangeViewOfDealsDocument, SaveViewOfDealsDocument, ViewsOfDealsDocument } from '../../generated/documents/deal-record-views.ts'
import type { DealFilter } from '../../generated/operations.ts'
import { type DealSort, dealSortValues } from '../../generated/schema.ts'
import { dealWords } from '../../language/en/deals/deals.ts'
import { fieldWords, nounWords } from '../../language/en/values.ts'
import type { ViewKind } from '../../saved-views/kind.ts'
import { stageOptions, usePipelines } from '../choices.ts'
import { type DealSearch, filterOf, isFiltered, noFilters } from '../filters.tsx'

export const dealViews: ViewKind<DealSearch, DealSort> = {
  noun: 'DEALS',
  nouns: nounWords.deal,
  list: ViewsOfDealsDocument,
  save: SaveViewOfDealsDocument,
  change: ChangeViewOfDealsDocument,
  fields: FieldsOfDealsDocument,
  nameColumn: 'title',
  conditionsOf: (deals: DealFilter) => ({ deals }),
  filterOf,
  searchOf,
  sortOf: sort => dealSortValues.find(value => value === sort),
  isFiltered,
  isOfDeleted: ({ deleted }) => deleted === true,
  useWords({ q, pipeline, stage = [], state, owner = [], tag = [], company, closes, deleted }) {
    const owners = useOwners()
    const pipelines = usePipelines()
    const options = [...pipelines.map(({ id, name }) => ({ value: id, label: name })), ...stageOptions(pipelines), ...owners]
    // Names are left out until they are known.
    const labelOf = (id: string) => options.find(({ value }) => value === id)?.label ?? []
    return [
      ...[...(pipeline ? [pipeline] : []), ...stage, ...owner].flatMap(labelOf),
      ...(state ? [dealWords.state[state]] : []),
      ...tag,
      ...(company ? [fieldWords.companyId] : []),
      ...(closes ? [`${fieldWords.expectedClose}: ${rangeText(closes)}`] : []),
      ...(deleted ? [dealWords.filter.deleted] : []),
      ...(q ? [q] : []),
    ]
  },
}

function searchOf(filter: DealFilter): DealSearch {
  return {
    ...noFilters,
    q: filter.q ?? undefined,
    pipeline: filter.pipelineId ?? undefined,
    stage: several(filter.stageIdIn),
    state: filter.state ?? undefined,
    owner: several(filter.ownerUserIdIn, filter.ownerUserId),
    tag: several(filter.tagIn, filter.tag),
    company: filter.companyIdIn?.length === 1 ? filter.companyIdIn[0] : undefined,
    closes: writeRange({ from: filter.expectedSince ?? '', to: filter.expectedUntil ?? '' }),
    deleted: filter.onlyDeleted || undefined,
  }
}
