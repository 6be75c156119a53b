// The endpoints of pipelines. Admins change them in the app and through GraphQL.

import { GetPipelineDocument, ListPipelinesDocument } from '../../../generated/operations.ts'
import { developers, type Route, route } from '../../router/route.ts'
import { dealExamples as examples } from './deal-examples.ts'

const pipelines = '/api/crm/v1/pipelines'
const aPipeline = { role: 'api', tag: 'Deals', callers: developers } as const

export const pipelineRoutes: readonly Route[] = [
  route('GET', pipelines, ListPipelinesDocument, {
    ...aPipeline,
    summary: 'List pipelines',
    description: 'All of them with their stages, in their order: an organization has at least one.',
    scope: 'contacts:read',
    examples: { answer: examples.pipelinePage },
  }),
  route('GET', `${pipelines}/{pipeline_id}`, GetPipelineDocument, {
    ...aPipeline,
    summary: 'Get a pipeline',
    description: 'By its id, with its stages in their order.',
    scope: 'contacts:read',
    etag: true,
    examples: { answer: examples.pipeline },
  }),
]
