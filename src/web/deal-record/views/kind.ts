// The saved views of deals, on the table and on the board.

import { writeRange } from '../../address/day-range.ts'
import { several } from '../../address/params.ts'
import { FieldsOfDealsDocument } from '../../generated/documents/deal-record.ts'
import { ChangeViewOfDealsDocument, SaveViewOfDealsDocument, ViewsOfDealsDocument } from '../../generated/documents/deal-record-views.ts'
import type { DealFilter } from '../../generated/operations.ts'
import { type DealSort, dealSortValues } from '../../generated/schema.ts'
import { dealWords } from '../../language/en/deals/deals.ts'
import { nounWords } from '../../language/en/values.ts'
import type { ViewKind } from '../../saved-views/kind.ts'
import { conditionsBeside } from '../../saved-views/view.ts'
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
  // The list takes one company.
  unknownIn: ({ companyIdIn, ...filter }: DealFilter) => [
    ...(companyIdIn && companyIdIn.length > 1 ? ['companyIdIn'] : []),
    ...unknownIn(filter),
  ],
  sortOf: sort => dealSortValues.find(value => value === sort),
  isFiltered,
  isOfDeleted: ({ deleted }) => deleted === true,
  wordsOf: ({ q, state, tag = [] }) => [...(state ? [dealWords.state[state]] : []), ...tag, ...(q ? [q] : [])],
}

const unknownIn = conditionsBeside([
  ...['q', 'pipelineId', 'stageIdIn', 'state', 'ownerUserId', 'ownerUserIdIn', 'tag', 'tagIn', 'expectedSince', 'expectedUntil'],
  'onlyDeleted',
])

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
