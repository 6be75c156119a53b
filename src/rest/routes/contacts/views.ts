// The endpoints of saved views.

import { z } from 'zod'
import {
  CreateSavedViewDocument,
  DeleteSavedViewDocument,
  GetSavedViewDocument,
  ListSavedViewsDocument,
  UpdateSavedViewDocument,
  type ViewNoun,
} from '../../../generated/operations.ts'
import { derivedRoute } from '../../router/derived.ts'
import { developers, type Route, route } from '../../router/route.ts'
import { enumOf, pageOf, total } from '../inputs.ts'
import { contactExamples as examples } from './examples.ts'

const views = '/api/crm/v1/views'
const view = `${views}/{view_id}` as const
const notViewOwner = { FORBIDDEN: 'the view is shared, and only its owner or an admin of the organization changes it' }
const noun = enumOf<ViewNoun>('ViewNoun').optional()
const described = {
  filter: 'The filter of the GraphQL list, with enums in lower case: `{"lifecycleStageIn": ["lead"]}`.',
  sort: 'An order of the GraphQL list in lower case, such as `created_at_desc`.',
  columns: 'Fields of the rows as GraphQL names them, at most 50.',
  is_shared: 'Whether the organization sees it. Unless given, only the views of API keys are shared.',
  is_default: 'Whether it is the one to begin with, in place of the one before.',
  position: 'Its place among others. Unless given, the last.',
}
// REST has the filter of any noun in `filter`.
const without = ['conditions'] as const
const aView = { role: 'api', tag: 'Saved views', callers: developers } as const

export const viewRoutes: readonly Route[] = [
  route('GET', views, ListSavedViewsDocument, {
    ...aView,
    summary: 'List saved views',
    description: 'By position: the shared ones, and the own ones of a signed-in user.',
    scope: 'contacts:read',
    query: z.strictObject({ ...pageOf, include: total, noun }),
    examples: { answer: examples.viewPage },
  }),
  derivedRoute('POST', views, CreateSavedViewDocument, {
    ...aView,
    summary: 'Save a view',
    description:
      'Of a list with its filter, order and columns, named as in the GraphQL schema. The view of an API key is shared. A viewer saves private ones.',
    scope: 'contacts:write',
    orRole: 'viewer',
    takes: { name: 'NewSavedView', without, neverNull: ['is_shared', 'is_default', 'position'], described },
    status: 201,
    location: `${views}/{id}`,
    examples: { body: examples.newView, answer: examples.view },
  }),
  route('GET', view, GetSavedViewDocument, {
    ...aView,
    summary: 'Get a saved view',
    description: 'By its id. One that only others see is not found.',
    scope: 'contacts:read',
    etag: true,
    examples: { answer: examples.view },
  }),
  derivedRoute('PATCH', view, UpdateSavedViewDocument, {
    ...aView,
    summary: 'Change a saved view',
    description: 'A field that is absent stays as it is; null resets filter, order and columns.',
    scope: 'contacts:write',
    orRole: 'viewer',
    takes: { name: 'SavedViewChange', without, neverNull: ['name', 'is_shared', 'is_default', 'position'], described },
    ifMatch: true,
    etag: true,
    errors: notViewOwner,
    examples: { body: examples.viewChange, answer: examples.changedView },
  }),
  route('DELETE', view, DeleteSavedViewDocument, {
    ...aView,
    summary: 'Delete a saved view',
    description: 'For good; the answer is what it was.',
    scope: 'contacts:write',
    orRole: 'viewer',
    ifMatch: true,
    etag: true,
    errors: notViewOwner,
    examples: { answer: examples.view },
  }),
]
