// Example bodies of notes, tasks, tags and saved views, for the API reference.

const note = {
  id: '0199f0e0-7777-7000-8000-0000000000e1',
  contact_id: '0199f0e0-7a3c-7b1e-9c55-2f6b1f0c9a01',
  company_id: null,
  deal_id: null,
  text: 'Prefers to be called in the afternoon.',
  pinned: true,
  mentions: [],
  created_by: { type: 'user', id: 'usr_8Jq2', name: 'Grace Hopper' },
  created_at: '2026-05-31T23:57:24.480Z',
  updated_at: '2026-05-31T23:57:24.480Z',
  version: 1,
}

const task = {
  id: '0199f0e0-8888-7000-8000-0000000000f1',
  contact_id: note.contact_id,
  company_id: null,
  deal_id: null,
  title: 'Send the offer',
  description: null,
  status: 'open',
  due_at: '2026-06-02T16:00:00.000Z',
  assignee_user_id: 'usr_8Jq2',
  remind_at: '2026-06-02T08:00:00.000Z',
  reminded_at: null,
  completed_at: null,
  created_by: note.created_by,
  created_at: '2026-05-31T23:57:24.480Z',
  updated_at: '2026-05-31T23:57:24.480Z',
  version: 1,
}

const tag = { id: '0d0c1d86-7c1e-5c5d-9f0a-6f2f0a4c1b11', name: 'vip', count: 48 }

const view = {
  id: '0199f0e0-9999-7000-8000-0000000000a1',
  noun: 'contacts',
  name: 'New leads',
  filter: { lifecycleStageIn: ['lead'], doNotCall: false },
  sort: 'created_at_desc',
  columns: ['fullName', 'companyName', 'custom.plan'],
  is_shared: true,
  is_default: false,
  position: 1,
  owner_user_id: 'usr_8Jq2',
  created_by: note.created_by,
  created_at: '2026-05-31T23:57:24.480Z',
  updated_at: '2026-05-31T23:57:24.480Z',
  version: 1,
}

export const contactExamples = {
  note,
  newNote: { text: note.text, pinned: true },
  noteChange: { pinned: false },
  changedNote: { ...note, pinned: false, version: 2 },
  notePage: { data: [note], has_more: false, next_cursor: null, total: null },
  task,
  newTask: { title: task.title, due_at: task.due_at, assignee_user_id: task.assignee_user_id, remind_at: task.remind_at },
  taskChange: { status: 'done' },
  doneTask: { ...task, status: 'done', completed_at: '2026-06-01T09:30:00.000Z', updated_at: '2026-06-01T09:30:00.000Z', version: 2 },
  taskPage: { data: [task], has_more: false, next_cursor: null, total: null },
  tagPage: { data: [tag], has_more: false, next_cursor: null, total: null },
  tagRenaming: { name: 'VIP', to: 'vip' },
  tagMerge: { names: ['VIP', 'v.i.p.'], into: 'vip' },
  tag,
  view,
  newView: { noun: view.noun, name: view.name, filter: view.filter, sort: view.sort, columns: view.columns, is_shared: true },
  viewChange: { is_default: true },
  changedView: { ...view, is_default: true, version: 2 },
  viewPage: { data: [view], has_more: false, next_cursor: null, total: null },
}
