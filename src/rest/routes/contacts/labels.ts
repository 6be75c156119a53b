// The endpoints of labels.

import { z } from 'zod'
import {
  CreateLabelDocument,
  DeleteLabelDocument,
  GetLabelDocument,
  ListLabelsDocument,
  UpdateLabelDocument,
} from '../../../generated/operations.ts'
import { derivedRoute } from '../../router/derived.ts'
import { developers, type Route, route } from '../../router/route.ts'
import { pageOf, total } from '../inputs.ts'

const labels = '/api/crm/v1/labels'
const label = `${labels}/{label_id}` as const
const aLabel = { role: 'api', tag: 'Labels', callers: developers } as const
const errors = { ALREADY_EXISTS: 'another label has the name' }
const described = { color: 'Its color. Unless given, gray.' }
const example = {
  id: '0199f0e0-aaaa-7000-8000-0000000000b1',
  name: 'Renewal',
  color: 'green',
  created_by: { type: 'user', id: 'usr_8Jq2', name: 'Grace Hopper' },
  created_at: '2026-05-31T23:57:24.480Z',
  updated_at: '2026-05-31T23:57:24.480Z',
  version: 1,
}

export const labelRoutes: readonly Route[] = [
  route('GET', labels, ListLabelsDocument, {
    ...aLabel,
    summary: 'List labels',
    description: 'Newest first.',
    scope: 'contacts:read',
    query: z.strictObject({ ...pageOf, include: total }),
    examples: { answer: { data: [example], has_more: false, next_cursor: null, total: null } },
  }),
  derivedRoute('POST', labels, CreateLabelDocument, {
    ...aLabel,
    summary: 'Add a label',
    description: 'Its name is unique in the organization, without regard to case.',
    scope: 'contacts:write',
    takes: { name: 'NewLabel', neverNull: ['color'], described },
    status: 201,
    location: `${labels}/{id}`,
    errors,
    examples: { body: { name: example.name, color: example.color }, answer: example },
  }),
  route('GET', label, GetLabelDocument, {
    ...aLabel,
    summary: 'Get a label',
    description: 'By its id.',
    scope: 'contacts:read',
    etag: true,
    examples: { answer: example },
  }),
  derivedRoute('PATCH', label, UpdateLabelDocument, {
    ...aLabel,
    summary: 'Change a label',
    description: 'A field that is absent stays as it is.',
    scope: 'contacts:write',
    takes: { name: 'LabelChange', neverNull: ['name', 'color'], described: { color: 'Its color.' } },
    ifMatch: true,
    etag: true,
    errors,
    examples: { body: { color: 'blue' }, answer: { ...example, color: 'blue', version: 2 } },
  }),
  route('DELETE', label, DeleteLabelDocument, {
    ...aLabel,
    summary: 'Delete a label',
    description: 'For good; the answer is what it was.',
    scope: 'contacts:write',
    ifMatch: true,
    etag: true,
    examples: { answer: example },
  }),
]
