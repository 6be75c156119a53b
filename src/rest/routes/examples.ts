// Example bodies for the API reference. Tests validate them against their schemas.

import { Kind } from 'graphql'
import { GetContactDocument } from '../../generated/operations.ts'
import { fragmentNamed } from '../router/document.ts'
import { creditExamples } from './credits/examples.ts'
import { enrichmentExamples } from './enrichment/examples.ts'

const described = {
  id: '0199f0e0-7a3c-7b1e-9c55-2f6b1f0c9a01',
  org_id: '0199f0e0-1c2d-7000-8e21-5b1f6a7c0d10',
  email: 'ada@example.com',
  first_name: 'Ada',
  last_name: 'Lovelace',
  full_name: 'Ada Lovelace',
  phone: '+442079460958',
  phone_callable: true,
  job_title: 'Analyst',
  company_name: 'Analytical Engines',
  company_domain: 'example.com',
  linkedin_url: null,
  city: 'London',
  region: null,
  country: 'GB',
  timezone: 'Europe/London',
  avatar_url: null,
  lifecycle_stage: 'lead',
  source: 'api',
  owner_user_id: null,
  tags: ['vip'],
  custom: {},
  do_not_call: false,
  external_id: null,
  last_contacted_at: null,
  emails: [{ value: 'ada@example.com', label: 'work', is_primary: true, verification: 'verified' }],
  phones: [{ value: '+442079460958', label: null, is_primary: true, verification: 'unverified' }],
  created_by: { type: 'api_key', id: '0199f0e0-2222-7000-8000-0000000000aa', name: 'Import script' },
  created_at: '2026-05-31T23:57:24.480Z',
  updated_at: '2026-05-31T23:57:24.480Z',
  deleted_at: null,
  version: 1,
}
// A response contains all fields of a contact; those that the example leaves out are null.
const fields = fragmentNamed(GetContactDocument, 'Contact')?.selectionSet.selections ?? []
const names = fields.flatMap(field => (field.kind === Kind.FIELD ? [(field.alias ?? field.name).value] : []))
const leftOut = names.filter(name => !(name in described))
const contact = { ...described, ...Object.fromEntries(leftOut.map(name => [name, null])) }

const enrichment = {
  jobs_by_status: { queued: 2, running: 1, completed: 120, failed: 1, canceled: 0, insufficient_credits: 0 },
  suggestions_pending: 12,
  accept_rate: 0.8,
}

const searchResults = {
  data: [
    {
      type: 'contact',
      id: contact.id,
      title: 'Ada Lovelace',
      rank: 0.8,
      snippet: {
        text: 'Ada Lovelace · ada@example.com',
        marks: [
          { start: 0, end: 3 },
          { start: 15, end: 18 },
        ],
      },
    },
  ],
}

const stats = {
  as_of: '2026-05-31T23:57:24.480Z',
  window: { from: '2026-05-02', to: '2026-05-31' },
  contacts: {
    total: 512,
    new: 48,
    by_lifecycle_stage: { subscriber: 201, lead: 154, qualified: 63, opportunity: 40, customer: 44, evangelist: 4, other: 6 },
    by_source: { api: 120, web: 180, desktop: 12, import: 160, voice: 20, enrichment: 8, hook: 6, agent: 4, system: 2 },
    with_email: 498,
    with_phone: 311,
    do_not_call: 9,
  },
  calls: {
    total: 60,
    active: 1,
    by_status: { queued: 0, ringing: 0, in_progress: 1, completed: 41, busy: 5, no_answer: 9, failed: 3, canceled: 1 },
    by_outcome: {
      goal_met: 28,
      goal_not_met: 6,
      callback_requested: 3,
      transferred: 1,
      voicemail: 3,
      no_answer: 9,
      busy: 4,
      declined: 1,
      wrong_number: 0,
      do_not_call: 0,
      failed: 3,
      unknown: 1,
    },
    answer_rate: 0.7119,
    avg_duration_seconds: 84.2,
    series: [{ date: '2026-05-31', placed: 12, answered: 9 }],
  },
  enrichment,
}

export const examples = {
  contact,
  newContact: { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace', phone: '+442079460958', tags: ['vip'] },
  contactChange: { lifecycle_stage: 'customer', job_title: null, add_tags: ['renewal'] },
  changedContact: { ...contact, lifecycle_stage: 'customer', job_title: null, tags: ['vip', 'renewal'], version: 2 },
  deletedContact: { ...contact, deleted_at: '2026-06-01T08:00:00.000Z', version: 2 },
  contactPage: { data: [contact], has_more: true, next_cursor: 'eyJrIjpbIjIwMjYtMDUtMzEiXX0', total: null },
  newContacts: { contacts: [{ email: 'ada@example.com' }, { email: 'not an address' }], on_conflict: 'update', atomic: false },
  batchResult: {
    results: [
      { index: 0, outcome: 'created', id: contact.id, error: null },
      {
        index: 1,
        outcome: 'failed',
        id: null,
        error: {
          code: 'invalid',
          detail: 'email: Value error, it is not a valid email address',
          problems: [
            {
              loc: ['body', 'contacts', '1', 'email'],
              msg: 'Value error, it is not a valid email address',
              type: 'value_error',
              input: 'not an address',
              ctx: { error: 'it is not a valid email address' },
            },
          ],
        },
      },
    ],
    succeeded: 1,
    failed: 1,
  },
  timelinePage: {
    data: [
      {
        id: '0199f0e0-4444-7000-8000-0000000000cc',
        type: 'contact.updated',
        actor: { type: 'user', id: 'usr_8Jq2', name: 'Grace Hopper' },
        door: 'rest',
        operation: 'UpdateContact',
        changes: { lifecycle_stage: ['lead', 'customer'] },
        created_at: '2026-05-31T23:57:24.480Z',
      },
    ],
    has_more: false,
    next_cursor: null,
    total: null,
  },
  operation: {
    id: '0199f0e0-5555-7000-8000-0000000000dd',
    name: 'UpdateContact',
    door: 'rest',
    actor: { type: 'user', id: 'usr_8Jq2', name: 'Grace Hopper' },
    created_at: '2026-05-31T23:57:24.480Z',
    idempotency_key: 'order-17',
    replays: 1,
    credits_taken: 0,
    credits_reserved: 0,
    event_count: 1,
    events: {
      data: [
        {
          id: '0199f0e0-4444-7000-8000-0000000000cc',
          type: 'contact.updated',
          entity_id: contact.id,
          contact_id: contact.id,
          company_id: null,
          deal_id: null,
          changes: [{ field: 'lifecycleStage', before: 'lead', after: 'customer' }],
          created_at: '2026-05-31T23:57:24.480Z',
        },
      ],
      page: { has_more: false, next_cursor: null },
    },
  },
  session: {
    session_token: '3f2b8c1e-5d4a-4f6b-9c7d-8e9f0a1b2c3d',
    user_id: 'usr_8Jq2',
    expires_at: '2026-06-30T23:57:24.480Z',
    id: '0199f0e0-3333-7000-8000-0000000000bb',
  },
  device: {
    device_code: 'Qk3nT9b0c1U2o7sJ5wHxYv8eLzRfAiMgPdD4uKqEtWs',
    user_code: 'WDJB-MJHT',
    verification_uri: 'https://rolocom.example/device',
    verification_uri_complete: 'https://rolocom.example/device?user_code=WDJB-MJHT',
    expires_in: 600,
    interval: 5,
  },
  currentSession: {
    session_token: '',
    user_id: 'usr_8Jq2',
    expires_at: '2026-06-30T23:57:24.480Z',
    id: '0199f0e0-3333-7000-8000-0000000000bb',
    device: 'Rolocom Desktop/1.2',
    ip_address: '203.0.113.7',
    created_at: '2026-05-31T23:57:24.480Z',
    last_used_at: '2026-05-31T23:57:24.480Z',
  },
  stats,
  searchResults,
  dashboard: {
    mode: 'user',
    demo: false,
    as_of: stats.as_of,
    user: { user_id: 'usr_8Jq2', email: 'grace@example.com', name: 'Grace Hopper' },
    credits: creditExamples.balance,
    stats,
    recent_contacts: [contact],
    pending_suggestions: [enrichmentExamples.suggestion],
    recent_calls: [
      {
        id: '0199f0e0-5555-7000-8000-0000000000d1',
        agent_id: '0199f0e0-4444-7000-8000-0000000000c1',
        contact_id: contact.id,
        direction: 'outbound',
        dispatch_state: 'dispatched',
        status: 'completed',
        outcome: 'goal_met',
        to_number: '+442079460958',
        duration_seconds: 10,
        created_at: '2026-05-31T23:58:00.000Z',
        updated_at: '2026-05-31T23:58:12.000Z',
      },
    ],
    widgets: [{ id: 'new_contacts', kind: 'number', title: 'New contacts', data: { value: 48, change: 12 }, error: null }],
  },
}
