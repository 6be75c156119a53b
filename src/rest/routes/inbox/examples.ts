// Example bodies of inbox items, for the API reference. A test validates them against their schemas.

const item = {
  id: '0199f0e0-aaaa-7000-8000-0000000000a1',
  kind: 'mentioned',
  state: 'open',
  subject_type: 'note',
  subject_id: '0199f0e0-7777-7000-8000-0000000000e1',
  is_subject_gone: false,
  title: 'Can you take this one over, @Grace Hopper?',
  result: null,
  count: 1,
  contact_id: '0199f0e0-7a3c-7b1e-9c55-2f6b1f0c9a01',
  company_id: null,
  deal_id: null,
  actor: { type: 'user', id: 'usr_7Kb1', name: 'Ada Lovelace' },
  created_at: '2026-05-31T23:57:24.480Z',
  updated_at: '2026-05-31T23:57:24.731Z',
  shown_at: '2026-05-31T23:57:24.480Z',
  done_at: null,
  snoozed_until: null,
  version: 1,
}

const preferences = {
  kinds: [
    { kind: 'mentioned', inbox: true, toast: true, browser: true, mail: 'at_once' },
    { kind: 'call_ended', inbox: true, toast: false, browser: false, mail: 'daily' },
  ],
  digest_hour: 8,
  timezone: 'Europe/Berlin',
  mail_address: 'ada@example.com',
  is_mail_set_up: true,
}

export const inboxExamples = {
  item,
  itemPage: { data: [item], has_more: false, next_cursor: null, total: null },
  itemChange: { done: true },
  doneItem: { ...item, state: 'done', done_at: '2026-06-01T07:02:11.020Z', updated_at: '2026-06-01T07:02:11.020Z', version: 2 },
  toFinish: { kind: 'call_ended' },
  finished: { finished: 3 },
  preferences,
  preferencesChange: { kinds: ['mentioned'], mail: 'at_once' },
}
