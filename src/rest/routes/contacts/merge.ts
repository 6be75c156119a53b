// The endpoints of duplicates: find, dismiss and merge them.

import { z } from 'zod'
import {
  DismissDuplicateDocument,
  ListContactDuplicatesDocument,
  ListDuplicatesDocument,
  MergeContactsDocument,
  PreviewMergeDocument,
  UndoMergeDocument,
} from '../../../generated/operations.ts'
import { derivedRoute } from '../../router/derived.ts'
import { developers, type Route, route } from '../../router/route.ts'
import { examples } from '../examples.ts'
import { pageOf, total } from '../inputs.ts'

const contact = '/api/crm/v1/contacts/{contact_id}'
const aMerge = { role: 'api', tag: 'Duplicates', callers: developers } as const

const { contact: winner, deletedContact: loser } = examples
const merged = {
  merge_id: '0199f0e0-9a3c-7b1e-9c55-2f6b1f0c9b77',
  winner,
  loser,
  moved: {
    calls: 2,
    suggestions: 1,
    enrichment_jobs: 1,
    notes: 3,
    tasks: 1,
    deals: 1,
    external_ids: 1,
    dismissed_duplicates: 0,
    timeline_entries: 12,
  },
  created_at: '2026-06-01T09:00:00.000Z',
  undoable_until: '2026-07-01T09:00:00.000Z',
  undone_at: null,
}

const duplicates = {
  data: [{ contact: winner, duplicate: winner, reasons: ['email', 'similar_name'], score: 0.97 }],
  has_more: false,
  next_cursor: null,
  total: null,
}

export const mergeRoutes: readonly Route[] = [
  route('GET', '/api/crm/v1/duplicates', ListDuplicatesDocument, {
    ...aMerge,
    summary: 'List duplicates',
    description:
      'Pairs of contacts with the same mailbox, then with the same telephone number, then with the same name and company. ' +
      'Dismissed pairs, and pairs whose shared value more than 20 contacts have, are left out.',
    scope: 'contacts:read',
    query: z.strictObject({ ...pageOf, include: total }),
    examples: { answer: duplicates },
  }),
  route('GET', `${contact}/duplicates`, ListContactDuplicatesDocument, {
    ...aMerge,
    summary: 'List duplicates of a contact',
    description: 'Contacts that may be the same person, by similar names too: the surest first, at most 20.',
    scope: 'contacts:read',
    examples: { answer: duplicates },
  }),
  derivedRoute('POST', `${contact}/duplicates/dismiss`, DismissDuplicateDocument, {
    ...aMerge,
    summary: 'Dismiss a duplicate',
    description: 'The two are not the same person, and are not listed as duplicates again.',
    scope: 'contacts:write',
    takes: { name: 'DismissedDuplicate', described: { other_id: 'The other contact.' } },
    examples: { body: { other_id: loser.id }, answer: winner },
  }),
  route('GET', `${contact}/merge-preview`, PreviewMergeDocument, {
    ...aMerge,
    summary: 'Preview a merge',
    description: 'The result of merging another contact into this one: each field in which one of the two has a value, and why.',
    scope: 'contacts:read',
    query: z.strictObject({ loser_id: z.string().min(1).max(64).meta({ format: 'uuid', description: 'The other contact.' }) }),
    examples: {
      answer: {
        fields: [
          {
            field: 'email',
            winner_value: 'ada@example.com',
            loser_value: 'ada@old.example.com',
            value: 'ada@example.com',
            keeps: 'winner',
            reason: 'winner',
          },
          { field: 'city', winner_value: null, loser_value: 'London', value: 'London', keeps: 'loser', reason: 'only_one' },
        ],
      },
    },
  }),
  derivedRoute('POST', `${contact}/merge`, MergeContactsDocument, {
    ...aMerge,
    summary: 'Merge a contact into this one',
    description:
      'This contact stays and gets what hangs on the other: calls, timeline, suggestions, jobs, notes, tasks. The other one is deleted; asked for ' +
      'by its id it is 404 with `merged_into`. It can be undone for 30 days.',
    scope: 'contacts:write',
    takes: {
      name: 'Merge',
      described: {
        loser_id: 'The contact that is merged into the one in the path.',
        fields: "The contact whose values are kept. Default: the winner's values, and where it has none the loser's.",
      },
    },
    examples: { body: { loser_id: loser.id, fields: { company_name: 'loser' } }, answer: merged },
  }),
  route('POST', '/api/crm/v1/merges/{merge_id}/undo', UndoMergeDocument, {
    ...aMerge,
    summary: 'Undo a merge',
    description:
      'The loser is back with its own notes, calls and values. Later events stay with the winner, and so do values that were changed since. ' +
      'A winner that must not be called since the merge still must not be.',
    scope: 'contacts:write',
    errors: {
      CONFLICT: 'it is undone already, or older than 30 days, or one of the two contacts is gone',
      ALREADY_EXISTS: 'another contact has the email now; `existing_id` says which',
    },
    examples: { answer: { ...merged, undone_at: '2026-06-02T09:00:00.000Z' } },
  }),
]
