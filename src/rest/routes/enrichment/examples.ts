// Example bodies of the enrichment endpoints for the API reference.

const target = { host_app: 'rolocom', id: '0199f0e0-7a3c-7b1e-9c55-2f6b1f0c9a01', kind: 'contact' }
const by = { type: 'api_key', id: '0199f0e0-2222-7000-8000-0000000000aa', name: 'Import script' }

const job = {
  job_id: '0199f0e0-5555-7000-8000-0000000000dd',
  status: 'completed',
  result: 'found',
  target,
  recipe: 'contact',
  recipe_version: 1,
  options: {},
  steps: [
    {
      step: 'email',
      provider: 'email',
      status: 'found',
      credits: 0,
      duration_ms: 41,
      error: null,
      detail: { syntax: true, free_mail: false, disposable: false, role: false, takes_mail: true, mail_servers: ['mx.example.com'] },
    },
  ],
  credits_reserved: 0,
  credits_charged: 0,
  suggestion_count: 1,
  attempts: 1,
  error: null,
  created_by: by,
  created_at: '2026-05-31T23:57:24.480Z',
  started_at: '2026-05-31T23:57:24.502Z',
  finished_at: '2026-05-31T23:57:25.113Z',
}

const suggestion = {
  id: '0199f0e0-6666-7000-8000-0000000000ee',
  job_id: job.job_id,
  call_id: null,
  target,
  field: 'company_domain',
  value_type: 'domain',
  current_value: null,
  proposed_value: 'example.com',
  confidence: 0.9,
  verification: 'probable',
  provider: 'email',
  source_url: null,
  evidence: 'ada@example.com',
  recipe_step: 'email',
  observed_at: '2026-05-31T23:57:25.002Z',
  status: 'pending',
  decided_by: null,
  decided_at: null,
  reason: null,
  expires_at: '2026-06-30T23:57:25.113Z',
  created_at: '2026-05-31T23:57:25.113Z',
  updated_at: '2026-05-31T23:57:25.113Z',
}

const page = <Row>(row: Row) => ({ data: [row], has_more: false, next_cursor: null, total: null })

export const enrichmentExamples = {
  newJob: { target, recipe: 'contact' },
  queued: { job_id: job.job_id, status: 'queued' },
  newJobs: { jobs: [{ target }, { target: { host_app: 'hubspot', id: '501', kind: 'contact' }, options: { email: 'ada@example.com' } }] },
  queuedJobs: {
    results: [
      { index: 0, outcome: 'created', job_id: job.job_id, status: 'queued', error: null },
      { index: 1, outcome: 'skipped', job_id: '0199f0e0-5555-7000-8000-0000000000de', status: 'running', error: null },
    ],
    succeeded: 2,
    failed: 0,
  },
  job,
  jobPage: page(job),
  canceledJob: { ...job, status: 'canceled', result: null, steps: [], suggestion_count: 0 },
  retriedJob: { ...job, status: 'queued', result: null, steps: [], suggestion_count: 0, attempts: 0, finished_at: null },
  recipePage: page({
    name: 'contact',
    version: 1,
    title: 'Contact, free sources',
    description: 'Checks the email address and the telephone number, and looks at Gravatar and the site of the employer.',
    kinds: ['contact'],
    is_default_for: ['contact'],
    price: 0,
    unavailable: null,
    steps: [{ id: 'email', provider: 'email', fields: ['company_domain', 'first_name', 'last_name'], price: 0, unavailable: null }],
  }),
  suggestion,
  suggestionPage: page(suggestion),
  accepted: { ...suggestion, status: 'accepted', decided_by: by, decided_at: '2026-06-01T08:00:00.000Z' },
  rejection: { reason: 'left the company' },
  rejected: { ...suggestion, status: 'rejected', decided_by: by, decided_at: '2026-06-01T08:00:00.000Z', reason: 'left the company' },
  bulkDecision: { decision: 'accept', rule: { field: 'company_domain', min_confidence: 0.8, only_empty: true } },
  bulkResult: {
    results: [
      { index: 0, id: suggestion.id, outcome: 'accepted', error: null },
      {
        index: 1,
        id: '0199f0e0-6666-7000-8000-0000000000ef',
        outcome: 'failed',
        error: { code: 'suggestion_stale', detail: 'The value has changed since this was suggested', problems: [] },
      },
    ],
    succeeded: 1,
    failed: 1,
    has_more: false,
  },
}
