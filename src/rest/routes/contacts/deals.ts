// The endpoints of deals.

import { z } from 'zod'
import {
  CreateDealDocument,
  type DealState,
  DeleteDealDocument,
  GetDealDocument,
  ListDealsDocument,
  ListDealTimelineDocument,
  MoveDealDocument,
  type OnConflict,
  RestoreDealDocument,
  UpdateDealDocument,
  UpsertDealDocument,
} from '../../../generated/operations.ts'
import { derivedRoute } from '../../router/derived.ts'
import { developers, type Route, route } from '../../router/route.ts'
import { anyOf, enumOf, filterText, oneText, pageOf, total } from '../inputs.ts'
import { dealExamples as examples } from './deal-examples.ts'
import { orderBy, sharedFilters } from './records.ts'

const deals = '/api/crm/v1/deals'
const deal = `${deals}/{deal_id}` as const
const aDeal = { role: 'api', tag: 'Deals', callers: developers } as const
const described = {
  source: 'Where the deal came from. Unless given, who asks decides: `api` for an API key.',
}

export const dealSort = orderBy(['title', 'amount', 'expected_close'], 'DealOrder')
export const dealFilter = {
  q: filterText(200),
  state: enumOf<DealState>('DealState').optional().meta({ description: 'Open, won or lost.' }),
  pipeline_id: oneText(64).optional(),
  stage_id: anyOf(oneText(64)),
  company_id: anyOf(oneText(64)),
  contact_id: oneText(64).optional(),
  ...sharedFilters,
}

export const dealRoutes: readonly Route[] = [
  route('GET', deals, ListDealsDocument, {
    ...aDeal,
    summary: 'List deals',
    description: 'Newest first unless sorted otherwise. Filters combine with "and", the values of one with "or".',
    scope: 'contacts:read',
    query: z.strictObject({ ...pageOf, sort: dealSort, include: total, ...dealFilter }),
    examples: { answer: examples.dealPage },
  }),
  derivedRoute('POST', deals, CreateDealDocument, {
    ...aDeal,
    summary: 'Create a deal',
    description: 'It becomes the last one of its stage: the first open stage of the first pipeline unless another is named.',
    scope: 'contacts:write',
    takes: { name: 'NewDeal', neverNull: ['source'], described },
    status: 201,
    location: `${deals}/{id}`,
    examples: { body: examples.newDeal, answer: examples.deal },
  }),
  derivedRoute('PUT', deals, UpsertDealDocument, {
    ...aDeal,
    summary: 'Create or update a deal',
    description:
      'The deal with the external id. A field that is absent stays as it is, null clears it; a stage moves it. A deleted deal stays deleted: ' +
      'its external id then makes a new one.',
    scope: 'contacts:write',
    query: z.strictObject({
      on_conflict: enumOf<OnConflict>('OnConflict').optional().meta({ description: 'Action for a deal that exists. Absent: update.' }),
    }),
    takes: { name: 'DealToUpsert', neverNull: ['title', 'source'], described },
    location: `${deals}/{id}`,
    examples: { body: examples.newDeal, answer: examples.deal },
  }),
  route('GET', deal, GetDealDocument, {
    ...aDeal,
    summary: 'Get a deal',
    description: 'By its id. A deleted one is not found until it is restored.',
    scope: 'contacts:read',
    etag: true,
    examples: { answer: examples.deal },
  }),
  derivedRoute('PATCH', deal, UpdateDealDocument, {
    ...aDeal,
    summary: 'Change a deal',
    description: 'A field that is absent stays as it is, null clears it. `/move` changes its stage.',
    scope: 'contacts:write',
    takes: { name: 'DealChange', neverNull: ['title', 'source', 'add_tags', 'remove_tags'], described },
    ifMatch: true,
    etag: true,
    examples: { body: examples.dealChange, answer: examples.changedDeal },
  }),
  derivedRoute('POST', `${deal}/move`, MoveDealDocument, {
    ...aDeal,
    summary: 'Move a deal',
    description:
      'To another stage, which may win or lose it, or to another place in its stage. With `If-Match`, another version is 409 with `yours` and `theirs`.',
    scope: 'contacts:write',
    takes: { name: 'DealMove', described: {} },
    ifMatch: true,
    etag: true,
    errors: { CONFLICT: 'somebody else has changed the deal; `theirs` says its version and stage' },
    examples: { body: examples.dealMove, answer: examples.movedDeal },
  }),
  route('DELETE', deal, DeleteDealDocument, {
    ...aDeal,
    summary: 'Delete a deal',
    description: 'It leaves the lists, and can be restored.',
    scope: 'contacts:write',
    ifMatch: true,
    etag: true,
    examples: { answer: examples.deletedDeal },
  }),
  route('POST', `${deal}/restore`, RestoreDealDocument, {
    ...aDeal,
    summary: 'Restore a deleted deal',
    description: 'It is in the lists again, with everything it had. One that is not deleted stays as it is.',
    scope: 'contacts:write',
    etag: true,
    examples: { answer: examples.deal },
  }),
  route('GET', `${deal}/timeline`, ListDealTimelineDocument, {
    ...aDeal,
    summary: "List a deal's timeline",
    description: 'History of the deal, newest first: who changed what, through which door.',
    scope: 'contacts:read',
    query: z.strictObject({ ...pageOf, include: total }),
    keyedByField: 'changes',
    examples: { answer: examples.timelinePage },
  }),
]
