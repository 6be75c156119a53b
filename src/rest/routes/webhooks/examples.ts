// Example bodies for the API reference. A test validates them against their schemas.

const endpoint = {
  id: '0199f0e0-9999-7000-8000-0000000000e1',
  url: 'https://example.com/webhooks/rolocom',
  description: 'Keeps the billing system current',
  event_types: ['contact.created', 'contact.updated'],
  filter: [{ field: 'lifecycle_stage', values: ['customer'] }],
  payload: 'full',
  state: 'enabled',
  disabled_reason: null,
  disabled_at: null,
  failing_since: null,
  previous_secret_until: null,
  created_by: { type: 'user', id: 'user_2f8a', name: 'Ada Lovelace' },
  created_at: '2026-05-31T23:57:24.480Z',
  updated_at: '2026-05-31T23:57:24.480Z',
  version: 1,
}

const delivery = {
  id: '0199f0e0-9999-7000-8000-0000000000f1',
  endpoint_id: endpoint.id,
  message_id: '0199f0e0-9999-7000-8000-0000000000f0',
  type: 'contact.updated',
  entity_id: '0199f0e0-7a3c-7b1e-9c55-2f6b1f0c9a01',
  state: 'delivered',
  reason: null,
  attempt_count: 1,
  response_status: 204,
  replay_of: null,
  due_at: '2026-05-31T23:58:00.031Z',
  finished_at: '2026-05-31T23:58:00.090Z',
  created_at: '2026-05-31T23:58:00.031Z',
}

const { description, event_types, filter, url } = endpoint
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const attempt = {
  at: '2026-05-31T23:58:00.040Z',
  duration_ms: 48,
  url,
  request_headers: {
    'content-type': 'application/json',
    'webhook-id': delivery.message_id,
    'webhook-timestamp': '1780271880',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
  status: 204,
  response_headers: { date: 'Sun, 31 May 2026 23:58:00 GMT' },
  response_body: '',
  error: null,
}
const page = { has_more: false, next_cursor: null, total: null }

export const webhookExamples = {
  newEndpoint: { url, description, event_types, filter },
  endpointChange: { event_types: ['contact.created', 'contact.updated', 'contact.deleted'] },
  endpoint,
  endpointWithSecret: { endpoint, secret },
  changedEndpoint: { ...endpoint, event_types: [...event_types, 'contact.deleted'], version: 2 },
  rotation: { overlap_seconds: 3600 },
  endpointPage: { data: [endpoint], ...page },
  deliveryPage: { data: [delivery], ...page },
  deliveryLog: {
    ...delivery,
    attempts: [attempt],
    request_body: '{"type":"contact.updated","timestamp":"2026-05-31T23:58:00.000Z","data":{"id":"0199f0e0-7a3c-7b1e-9c55-2f6b1f0c9a01"}}',
  },
  replayed: { ...delivery, state: 'waiting', attempt_count: 0, response_status: null, replay_of: delivery.id, finished_at: null },
  replayRange: { since: '2026-05-31T00:00:00.000Z' },
  replay: { count: 12 },
  eventTypes: {
    data: [{ name: 'contact.created', entity: 'contact', description: 'A contact was added.', scope: 'contacts:read' }],
    ...page,
  },
}
