// The endpoints of companies that are the same: find, dismiss and merge them.

import { z } from 'zod'
import {
  DismissCompanyDuplicateDocument,
  ListCompanyDuplicatesDocument,
  ListDuplicatesOfCompanyDocument,
  MergeCompaniesDocument,
  PreviewCompanyMergeDocument,
  UndoCompanyMergeDocument,
} from '../../../generated/operations.ts'
import { derivedRoute } from '../../router/derived.ts'
import { developers, type Route, route } from '../../router/route.ts'
import { pageOf, total } from '../inputs.ts'
import { companyExamples as examples } from './company-examples.ts'

const company = '/api/crm/v1/companies/{company_id}'
const aMerge = { role: 'api', tag: 'Duplicates', callers: developers } as const

const { company: winner, deletedCompany: loser } = examples
const merged = {
  merge_id: '0199f0e0-9a3c-7b1e-9c55-2f6b1f0c9b78',
  winner,
  loser,
  moved: {
    contacts: 4,
    deals: 1,
    suggestions: 1,
    enrichment_jobs: 1,
    notes: 3,
    tasks: 1,
    external_ids: 1,
    dismissed_duplicates: 0,
    timeline_entries: 12,
  },
  created_at: '2026-06-01T09:00:00.000Z',
  undoable_until: '2026-07-01T09:00:00.000Z',
  undone_at: null,
}

const duplicates = {
  data: [{ company: winner, duplicate: winner, reasons: ['domain', 'similar_name'], score: 0.97 }],
  has_more: false,
  next_cursor: null,
  total: null,
}

export const companyMergeRoutes: readonly Route[] = [
  route('GET', '/api/crm/v1/companies/duplicates', ListCompanyDuplicatesDocument, {
    ...aMerge,
    summary: 'List duplicates of companies',
    description:
      'Pairs of companies with the same domain or website, then with the same telephone number, then with the same name without its legal form. ' +
      'Dismissed pairs, and pairs whose shared value more than 20 companies have, are left out.',
    scope: 'contacts:read',
    query: z.strictObject({ ...pageOf, include: total }),
    examples: { answer: duplicates },
  }),
  route('GET', `${company}/duplicates`, ListDuplicatesOfCompanyDocument, {
    ...aMerge,
    summary: 'List duplicates of a company',
    description: 'Companies that may be the same, by similar names too: the surest first, at most 20.',
    scope: 'contacts:read',
    examples: { answer: duplicates },
  }),
  derivedRoute('POST', `${company}/duplicates/dismiss`, DismissCompanyDuplicateDocument, {
    ...aMerge,
    summary: 'Dismiss a duplicate of a company',
    description: 'The two are not the same company, and are not listed as duplicates again.',
    scope: 'contacts:write',
    takes: { name: 'DismissedCompanyDuplicate', described: { other_id: 'The other company.' } },
    examples: { body: { other_id: loser.id }, answer: winner },
  }),
  route('GET', `${company}/merge-preview`, PreviewCompanyMergeDocument, {
    ...aMerge,
    summary: 'Preview a merge of companies',
    description: 'The result of merging another company into this one: each field in which one of the two has a value, and why.',
    scope: 'contacts:read',
    query: z.strictObject({ loser_id: z.string().min(1).max(64).meta({ format: 'uuid', description: 'The other company.' }) }),
    examples: {
      answer: {
        fields: [
          {
            field: 'domain',
            winner_value: 'acme.com',
            loser_value: 'acme.co.uk',
            value: 'acme.com',
            keeps: 'winner',
            reason: 'winner',
          },
          { field: 'city', winner_value: null, loser_value: 'London', value: 'London', keeps: 'loser', reason: 'only_one' },
        ],
      },
    },
  }),
  derivedRoute('POST', `${company}/merge`, MergeCompaniesDocument, {
    ...aMerge,
    summary: 'Merge a company into this one',
    description:
      'This company stays and gets what hangs on the other: people, deals, timeline, suggestions, jobs, notes, tasks, domains. The other one is ' +
      'deleted; asked for by its id it is 404 with `merged_into`. It can be undone for 30 days.',
    scope: 'contacts:write',
    takes: {
      name: 'CompanyMergeRequest',
      described: {
        loser_id: 'The company that is merged into the one in the path.',
        fields: "The company whose values are kept. Default: the winner's values, and where it has none the loser's.",
      },
    },
    examples: { body: { loser_id: loser.id, fields: { name: 'loser' } }, answer: merged },
  }),
  route('POST', '/api/crm/v1/company-merges/{merge_id}/undo', UndoCompanyMergeDocument, {
    ...aMerge,
    summary: 'Undo a merge of companies',
    description:
      'The loser is back with its own people, deals, notes, domains and values. Later events stay with the winner, and so do values that were ' +
      'changed since.',
    scope: 'contacts:write',
    errors: {
      CONFLICT: 'it is undone already, or older than 30 days, or one of the two companies is gone',
      ALREADY_EXISTS: 'another company has one of the domains now; `existing_id` says which',
    },
    examples: { answer: { ...merged, undone_at: '2026-06-02T09:00:00.000Z' } },
  }),
]
