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

const deal = {
  id: '0199f0e0-7777-7000-8000-0000000000d1',
  org_id: '0199f0e0-1111-7000-8000-000000000001',
  title: 'Engines for Leeds',
  pipeline_id: pipeline.id,
  stage_id: '0199f0e0-7777-7000-8000-0000000000a0',
  company_id: '0199f0e0-6666-7000-8000-0000000000c1',
  contacts: [{ contact: { id: '0199f0e0-2222-7000-8000-000000000001' }, role: 'decides' }],
  amount: '12500.00',
  currency: 'GBP',
  expected_close: '2026-07-31',
  owner_user_id: 'usr_8Jq2',
  won_at: null,
  lost_at: null,
  lost_reason: null,
  stage_changed_at: '2026-05-31T23:57:24.480Z',
  is_stale: false,
  tags: ['new'],
  custom: {},
  external_id: null,
  source: 'api',
  created_by: { type: 'user', id: 'usr_8Jq2', name: 'Grace Hopper' },
  created_at: '2026-05-31T23:57:24.480Z',
  updated_at: '2026-05-31T23:57:24.480Z',
  deleted_at: null,
  version: 1,
}
const [proposal = deal.stage_id] = pipeline.stages.slice(1).map(({ id }) => id)

export const dealExamples = {
  pipeline,
  pipelinePage: { data: [pipeline], has_more: false, next_cursor: null, total: null },
  deal,
  newDeal: { title: deal.title, company_id: deal.company_id, amount: '12500', currency: 'GBP', expected_close: '2026-07-31' },
  dealChange: { expected_close: null, add_tags: ['renewal'] },
  changedDeal: { ...deal, expected_close: null, tags: ['new', 'renewal'], version: 2 },
  dealMove: { stage_id: proposal },
  movedDeal: { ...deal, stage_id: proposal, stage_changed_at: '2026-06-01T08:00:00.000Z', version: 2 },
  deletedDeal: { ...deal, deleted_at: '2026-06-01T08:00:00.000Z', version: 2 },
  dealPage: { data: [deal], has_more: false, next_cursor: null, total: null },
  timelinePage: {
    data: [
      {
        id: '0199f0e0-7777-7000-8000-0000000000d2',
        type: 'deal.moved',
        actor: deal.created_by,
        door: 'rest',
        operation: 'MoveDeal',
        changes: { stage: ['Lead', 'Proposal'] },
        created_at: '2026-06-01T08:00:00.000Z',
      },
    ],
    has_more: false,
    next_cursor: null,
    total: null,
  },
}
