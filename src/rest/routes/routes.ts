// The table of all REST endpoints. The router serves it and validates requests with its schemas; schema/openapi.json is generated from it.

import { z } from 'zod'
import {
  CreateSessionDocument,
  EndSessionDocument,
  GetCompanyStatsDocument,
  GetDashboardDocument,
  GetOperationDocument,
  GetSessionDocument,
  GetStatsDocument,
  OpenSessionDocument,
  SearchDocument,
  StartDeviceAuthorizationDocument,
} from '../../generated/operations.ts'
import { apps, developers, type Route, route } from '../router/route.ts'
import { companyRoutes } from './contacts/companies.ts'
import { companyMergeRoutes } from './contacts/company-merge.ts'
import { dealRoutes } from './contacts/deals.ts'
import { externalIdRoutes } from './contacts/external-ids.ts'
import { mergeRoutes } from './contacts/merge.ts'
import { noteRoutes } from './contacts/notes.ts'
import { pipelineRoutes } from './contacts/pipelines.ts'
import { contactRoutes } from './contacts/routes.ts'
import { tagRoutes } from './contacts/tags.ts'
import { taskRoutes } from './contacts/tasks.ts'
import { viewRoutes } from './contacts/views.ts'
import { creditRoutes } from './credits/routes.ts'
import { enrichmentRoutes } from './enrichment/routes.ts'
import { examples } from './examples.ts'
import { fileRoutes } from './files/routes.ts'
import { inboxRoutes } from './inbox/routes.ts'
import { pageOf, searchParameters, text } from './inputs.ts'
import { conversationRoutes } from './voice/conversations.ts'
import { documentedCall, voiceRoutes } from './voice/routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'

export const tags = {
  Contacts: 'People, with their fields.',
  Companies: 'Organizations that this one deals with.',
  Deals: 'Deals, and the pipelines whose stages they pass.',
  Duplicates: 'Contacts that are the same person, merged into one.',
  Notes: 'Notes about contacts.',
  'Imports and exports': 'Contacts from files; contacts, companies and deals as files.',
  Tasks: 'To-dos about contacts.',
  Tags: 'Labels of contacts.',
  'Saved views': 'Lists as people want to see them again.',
  Calls: 'Telephone calls, placed by voice agents.',
  'Voice agents': 'The voices of calls.',
  Enrichment: 'Finding out more about contacts, companies and anything else: jobs, recipes, and the suggestions they make.',
  Webhooks: 'Addresses that changes are sent to, and the log of deliveries.',
  Inbox: 'Items that a member should know of: assignments, mentions, reminders, and work that has ended.',
  Operations: 'Receipts of writes.',
  Statistics: 'Counts that cost the same however many contacts there are.',
  Sessions: 'Signing in and out.',
  Credits: 'Balances of users, and their ledger.',
  Search: 'One search over contacts, companies, deals, notes, calls and voice agents.',
  Dashboard: 'Data of a start page: figures, the newest contacts and calls, credits.',
}

const documentedSession = { session_token: '', user_id: '', expires_at: '' } as const
const session = '/api/auth/session'
const aSession = { role: 'session', tag: 'Sessions', isSecret: true } as const

const grant = z
  .strictObject({
    code: text(200).optional().meta({ description: 'The code of a desktop application.' }),
    code_verifier: text(128).optional().meta({ description: 'The verifier of its `code_challenge`.' }),
    redirect_uri: text(2000).optional().meta({ description: 'The address that the code was sent to.' }),
    device_code: text(200).optional().meta({ description: 'The code of a device, in place of the others.' }),
  })
  .meta({ id: 'SessionGrant' })

const openSession = route('POST', session, OpenSessionDocument, {
  ...aSession,
  summary: 'Open a session with a code',
  callers: [],
  body: grant,
  bodyMayBeAbsent: true,
  status: 201,
  location: session,
  documented: documentedSession,
  errors: {
    INVALID_GRANT: 'The code is unknown, used or too old, or its sign-in has ended. A used one also revokes the session that it opened.',
    AUTHORIZATION_PENDING: 'The user has not entered the code of the device yet: ask again after `interval` seconds.',
    SLOW_DOWN: 'The device asks too often: ask again after `interval` seconds.',
    ACCESS_DENIED: 'The user has refused the device.',
    EXPIRED_TOKEN: 'Nobody has entered the code of the device in time.',
  },
  examples: { body: { device_code: 'Qk3nT9b0c1U2o7sJ5wHxYv8eLzRfAiMgPdD4uKqEtWs' } },
})

export const routes: readonly Route[] = [
  ...contactRoutes,
  route('GET', '/api/crm/v1/operations/{operation_id}', GetOperationDocument, {
    role: 'api',
    summary: "Get a write's receipt",
    description:
      'The actor, the door, the cost, and the events it recorded; the id is the `X-Operation-Id` of its answer. Only the events ' +
      'that the credential may read; 404 where there are none.',
    tag: 'Operations',
    callers: developers,
    query: z.strictObject(pageOf),
    examples: { answer: examples.operation },
  }),
  ...companyRoutes,
  ...dealRoutes,
  ...externalIdRoutes,
  ...pipelineRoutes,
  ...noteRoutes,
  ...taskRoutes,
  ...tagRoutes,
  ...viewRoutes,
  ...fileRoutes,
  ...mergeRoutes,
  ...companyMergeRoutes,
  ...voiceRoutes,
  ...conversationRoutes,
  ...enrichmentRoutes,
  ...webhookRoutes,
  ...inboxRoutes,
  route('GET', '/api/crm/v1/search', SearchDocument, {
    role: 'api',
    summary: 'Search',
    description:
      'Contacts, companies, deals, notes, calls and voice agents that match all words, best first, as somebody types: the last word may be unfinished. ' +
      'Each comes with its scope (`contacts:read`, `calls:read`, `agents:read`); a type that the key may not read is 403 where it is named.',
    tag: 'Search',
    callers: developers,
    inOrganization: true,
    query: searchParameters,
    examples: { answer: examples.searchResults },
  }),
  route('GET', '/api/crm/v1/stats', GetStatsDocument, {
    role: 'api',
    summary: 'Get statistics',
    description:
      'Every key is there, zero where nothing counts. `new` counts the window of days, the last 30 unless asked otherwise. ' +
      '`series` has the last 3,660 days of a longer window.',
    tag: 'Statistics',
    callers: developers,
    scope: 'stats:read',
    query: z.strictObject({ from: z.iso.date().optional(), to: z.iso.date().optional() }),
    examples: { answer: examples.stats },
  }),
  route('GET', '/api/crm/v1/stats/companies', GetCompanyStatsDocument, {
    role: 'api',
    summary: 'Get statistics of companies',
    description: 'Live companies: all of them, those created in the window of days (UTC), and those with a domain.',
    tag: 'Statistics',
    callers: developers,
    scope: 'stats:read',
    query: z.strictObject({ from: z.iso.date().optional(), to: z.iso.date().optional() }),
    examples: {
      answer: {
        as_of: '2026-06-01T09:00:00.000Z',
        window: { from: '2026-05-03', to: '2026-06-01' },
        companies: { total: 120, new: 14, with_domain: 104 },
      },
    },
  }),
  route('POST', session, CreateSessionDocument, {
    ...aSession,
    summary: 'Open a session',
    description:
      "Exchanges the identity provider's token for a session token. A first-time user gets a personal organization. Without the token, the body " +
      'exchanges the code of a desktop application (PKCE, S256) or of a device (RFC 8628), once; the session ends with the sign-in that it comes from.',
    callers: ['identity'],
    withoutCredential: openSession,
    status: 201,
    location: session,
    documented: documentedSession,
    examples: { answer: examples.session },
  }),
  route('POST', '/api/auth/device', StartDeviceAuthorizationDocument, {
    role: 'session',
    summary: 'Sign a device in',
    description:
      'For a command line or a device without a browser (RFC 8628), without a credential: show `user_code` and `verification_uri`, then ask ' +
      '`POST /api/auth/session` with `device_code` every `interval` seconds until it answers with a session.',
    tag: 'Sessions',
    isSecret: true,
    callers: [],
    body: z.strictObject({ client_name: text(100).meta({ description: 'Name of the application.' }) }).meta({ id: 'NewDevice' }),
    examples: { body: { client_name: 'Rolocom CLI' }, answer: examples.device },
  }),
  route('GET', session, GetSessionDocument, {
    ...aSession,
    summary: 'Get the current session',
    description: 'The token itself is not kept, so `session_token` is empty.',
    callers: apps,
    documented: documentedSession,
    examples: { answer: examples.currentSession },
  }),
  route('DELETE', session, EndSessionDocument, {
    ...aSession,
    summary: 'End the current session',
    description: 'The token is refused from the next request on.',
    callers: apps,
    status: 204,
  }),
  route('GET', '/api/dashboard', GetDashboardDocument, {
    role: 'session',
    summary: 'Get the dashboard',
    description: 'For a guest it shows the demo organization. A widget that fails says so in its `error`; the rest is there.',
    tag: 'Dashboard',
    callers: apps,
    documentedRows: { recent_calls: documentedCall },
    examples: { answer: examples.dashboard },
  }),
  ...creditRoutes,
]
