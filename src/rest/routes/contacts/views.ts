// The endpoints of saved views.

import { z } from 'zod'
import {
  CreateSavedViewDocument,
  DeleteSavedViewDocument,
  GetSavedViewDocument,
  ListSavedViewsDocument,
  UpdateSavedViewDocument,
} from '../../../generated/operations.ts'
import { developers } from '../../router/callers.ts'
import { type Route, route } from '../../router/route.ts'
import { pageOf, total } from '../inputs.ts'
import { contactExamples as examples } from './examples.ts'
import { newView, viewChange, viewFilter } from './inputs.ts'

const views = '/api/crm/v1/views'
const view = `${views}/{view_id}` as const
const notViewOwner = { FORBIDDEN: 'the view is shared, and only its owner or an admin of the organization changes it' }
const aView = { role: 'api', tag: 'Saved views', callers: developers } as const

export const viewRoutes: readonly Route[] = [
  route({
    ...aView,
    method: 'GET',
    path: views,
    operationId: 'listSavedViews',
    summary: 'List saved views',
    description: 'By position: the shared ones, and the own ones of a signed-in user.',
    scope: 'contacts:read',
    query: z.strictObject({ ...pageOf, include: total, ...viewFilter }),
    document: ListSavedViewsDocument,
    status: 200,
    examples: { answer: examples.viewPage },
  }),
  route({
    ...aView,
    method: 'POST',
    path: views,
    operationId: 'createSavedView',
    summary: 'Save a view',
    description:
      'Of a list with its filter, order and columns, which are those of the GraphQL schema. The view of an API key is shared. A viewer saves private ones.',
    scope: 'contacts:write',
    orRole: 'viewer',
    body: newView,
    document: CreateSavedViewDocument,
    status: 201,
    location: `${views}/{id}`,
    examples: { body: examples.newView, answer: examples.view },
  }),
  route({
    ...aView,
    method: 'GET',
    path: view,
    operationId: 'getSavedView',
    summary: 'Get a saved view',
    description: 'By its id. One that only others see is not found.',
    scope: 'contacts:read',
    document: GetSavedViewDocument,
    status: 200,
    etag: true,
    examples: { answer: examples.view },
  }),
  route({
    ...aView,
    method: 'PATCH',
    path: view,
    operationId: 'updateSavedView',
    summary: 'Change a saved view',
    description: 'A field that is absent stays as it is; null resets filter, order and columns.',
    scope: 'contacts:write',
    orRole: 'viewer',
    body: viewChange,
    ifMatch: true,
    document: UpdateSavedViewDocument,
    status: 200,
    etag: true,
    errors: notViewOwner,
    examples: { body: examples.viewChange, answer: examples.changedView },
  }),
  route({
    ...aView,
    method: 'DELETE',
    path: view,
    operationId: 'deleteSavedView',
    summary: 'Delete a saved view',
    description: 'For good; the answer is what it was.',
    scope: 'contacts:write',
    orRole: 'viewer',
    ifMatch: true,
    document: DeleteSavedViewDocument,
    status: 200,
    etag: true,
    errors: notViewOwner,
    examples: { answer: examples.view },
  }),
]
