// Example bodies of pipelines and deals, for the API reference.

const stage = (number: number, name: string, kind: 'open' | 'won' | 'lost', probability: number) => ({
  id: `0199f0e0-7777-7000-8000-0000000000a${number}`,
  ...{ name, position: number, kind, probability, stale_after_days: kind === 'open' ? 30 : null },
})

const pipeline = {
  id: '0199f0e0-7777-7000-8000-000000000001',
  name: 'Sales',
  position: 0,
  stages: [stage(0, 'Lead', 'open', 10), stage(1, 'Proposal', 'open', 50), stage(2, 'Won', 'won', 100), stage(3, 'Lost', 'lost', 0)],
  created_at: '2026-05-31T23:57:24.480Z',
  updated_at: '2026-05-31T23:57:24.480Z',
  version: 1,
}

export const dealExamples = { pipeline, pipelinePage: { data: [pipeline], has_more: false, next_cursor: null, total: null } }
