// Example bodies of exports and imports for the API reference.

const token = 'Qm9yZWQ_bm8tb25lLXdpbGwtZXZlci1ndWVzcy10aGlz'

const aColumn = { further_field: null, suggested_type: 'text', suggested_options: [] }

const contactImport = {
  id: '0199f0e0-8888-7000-8000-0000000000f1',
  file_name: 'contacts.csv',
  byte_count: 4_812_044,
  kind: 'csv',
  sheet: null,
  sheets: [],
  encoding: 'utf_8',
  delimiter: 'semicolon',
  has_header: true,
  header_row: 1,
  columns: [
    { name: 'E-Mail', samples: ['ada@example.com'], field: 'email', custom_field: null, ...aColumn },
    { name: 'First name', samples: ['Ada'], field: 'first_name', custom_field: null, ...aColumn },
    { name: 'Plan', samples: ['pro', 'free'], field: null, custom_field: 'plan', ...aColumn },
  ],
  status: 'waiting',
  status_reason: null,
  mapping: null,
  on_conflict: null,
  values: [],
  edits: [],
  country: null,
  bytes_read: 0,
  row_count: 0,
  created_count: 0,
  updated_count: 0,
  skipped_count: 0,
  refused_count: 0,
  warning_count: 0,
  undo: null,
  undoable_until: null,
  created_by: { type: 'user', id: 'usr_8Jq2', name: 'Grace Hopper' },
  started_by: null,
  created_at: '2026-05-31T23:57:24.480Z',
  started_at: null,
  finished_at: null,
}
const importStart = {
  mapping: [
    { column: 0, field: 'email' },
    { column: 1, field: 'first_name' },
    { column: 2, custom_field: 'plan' },
  ],
  on_conflict: 'update',
  values: [{ column: 2, value: 'professional', to: 'pro' }],
  edits: [{ row: 17, column: 0, value: 'grace@example.com' }],
  country: 'GB',
}

export const fileExamples = {
  csv: 'E-Mail;First name;Plan\r\nada@example.com;Ada;pro\r\n',
  contactImport,
  importPage: { data: [contactImport], has_more: false, next_cursor: null, total: null },
  importStart,
  startedImport: {
    ...contactImport,
    status: 'queued',
    mapping: [
      { column: 0, field: 'email', custom_field: null },
      { column: 1, field: 'first_name', custom_field: null },
      { column: 2, field: null, custom_field: 'plan' },
    ],
    on_conflict: 'update',
    values: [{ column: 2, value: 'professional', to: 'pro', add_option: false }],
    edits: importStart.edits,
    country: 'GB',
    started_by: { type: 'user', id: 'usr_8Jq2', name: 'Grace Hopper' },
    started_at: '2026-05-31T23:58:02.120Z',
  },
  canceledImport: { ...contactImport, status: 'canceled', finished_at: '2026-05-31T23:58:30.000Z' },
  undoneImport: {
    ...contactImport,
    status: 'completed',
    created_count: 300,
    undo: {
      status: 'queued',
      status_reason: null,
      ...{ deleted_count: 0, restored_count: 0, kept_count: 0, gone_count: 0 },
      started_by: { type: 'user', id: 'usr_8Jq2', name: 'Grace Hopper' },
      started_at: '2026-06-01T08:00:00.000Z',
      finished_at: null,
    },
    undoable_until: '2026-06-07T23:58:30.000Z',
    finished_at: '2026-05-31T23:58:30.000Z',
  },
  importPreview: {
    rows: [
      {
        row: 2,
        cells: ['ada@example.com', 'Ada', 'pro'],
        contact: { email: 'ada@example.com', first_name: 'Ada', custom: { plan: 'pro' } },
        outcome: 'updated',
        problem: null,
        warnings: [],
      },
    ],
  },
  importCheck: {
    checked_count: 412,
    is_whole: true,
    created_count: 362,
    updated_count: 12,
    skipped_count: 0,
    refused_count: 38,
    existing_count: 12,
    warning_count: 4,
    problems: [
      {
        kind: 'error',
        column: 0,
        column_name: 'E-Mail',
        message: 'has no @; write an email address as ada@example.com',
        row_count: 38,
        cells: [{ row: 17, value: 'grace.example.com' }],
      },
    ],
    unknown_values: [
      { column: 2, column_name: 'Plan', field: null, custom_field: 'plan', value: 'professional', row_count: 9, suggestion: null },
    ],
    unknown_value_count: 1,
  },
  newExport: { columns: ['email', 'first_name', 'custom.plan'] },
  newCompanyExport: { columns: ['name', 'domain', 'industry'] },
  newDealExport: { columns: ['title', 'company_name', 'stage_name', 'amount', 'currency'] },
  download: {
    url: `https://crm.example.com/api/crm/v1/exports/${token.slice(0, 43)}`,
    file_name: 'contacts-2026-05-31.csv',
    expires_at: '2026-05-31T23:58:24.480Z',
  },
  file: "email,first_name,phone,custom.plan\r\nada@example.com,Ada,'+442079460958,pro\r\n",
}
