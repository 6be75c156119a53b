// A contact as a row: its fields, their columns, and what a page of rows is made of.

import type { Actor } from '../identity/principal.ts'

export const lifecycleStages = ['subscriber', 'lead', 'qualified', 'opportunity', 'customer', 'evangelist', 'other'] as const
export type LifecycleStage = (typeof lifecycleStages)[number]
export const contactSources = ['api', 'web', 'desktop', 'import', 'voice', 'enrichment', 'hook', 'agent', 'system'] as const
export type ContactSource = (typeof contactSources)[number]

/** What callers may set. Property names are the schema's; times are ISO 8601 text. */
export interface ContactFields {
  email: string | null
  firstName: string | null
  lastName: string | null
  fullName: string | null
  phone: string | null
  jobTitle: string | null
  companyName: string | null
  companyDomain: string | null
  linkedinUrl: string | null
  city: string | null
  region: string | null
  country: string | null
  timezone: string | null
  avatarUrl: string | null
  lifecycleStage: LifecycleStage
  source: ContactSource
  ownerUserId: string | null
  tags: string[]
  custom: Readonly<Record<string, unknown>>
  doNotCall: boolean
  externalId: string | null
  lastContactedAt: string | null
}

export interface Contact extends ContactFields {
  id: string
  orgId: string
  createdBy: Actor
  createdAt: string
  updatedAt: string
  deletedAt: string | null
  version: number
}

/** The column of each field, in the order statements have them. */
export const columnOf = {
  email: 'email',
  firstName: 'first_name',
  lastName: 'last_name',
  fullName: 'full_name',
  phone: 'phone',
  jobTitle: 'job_title',
  companyName: 'company_name',
  companyDomain: 'company_domain',
  linkedinUrl: 'linkedin_url',
  city: 'city',
  region: 'region',
  country: 'country',
  timezone: 'timezone',
  avatarUrl: 'avatar_url',
  lifecycleStage: 'lifecycle_stage',
  source: 'source',
  ownerUserId: 'owner_user_id',
  tags: 'tags',
  custom: 'custom',
  doNotCall: 'do_not_call',
  externalId: 'external_id',
  lastContactedAt: 'last_contacted_at',
} as const satisfies Record<keyof ContactFields, string>

export const fieldColumns = Object.values(columnOf)

/** The columns of `contactRow`, in its order. */
export const contactColumns: readonly string[] = [
  ...fieldColumns,
  'id',
  'org_id',
  'created_by_type',
  'created_by_id',
  'created_by_name',
  'created_at',
  'updated_at',
  'deleted_at',
  'version',
]

type Cells = [
  ...[email: string | null, firstName: string | null, lastName: string | null, fullName: string | null, phone: string | null],
  ...[jobTitle: string | null, companyName: string | null, companyDomain: string | null, linkedinUrl: string | null],
  ...[city: string | null, region: string | null, country: string | null, timezone: string | null, avatarUrl: string | null],
  ...[
    lifecycleStage: LifecycleStage | null,
    source: ContactSource | null,
    ownerUserId: string | null,
    tags: string[] | null,
    custom: Record<string, unknown> | null,
  ],
  ...[doNotCall: boolean | null, externalId: string | null, lastContactedAt: string | null, id: string, orgId: string],
  ...[createdByType: Actor['type'] | null, createdById: string | null, createdByName: string | null],
  ...[createdAt: string, updatedAt: string | null, deletedAt: string | null, version: number | null],
]

// What these are in most contacts.
const usual: Readonly<Record<string, string>> = {
  tags: "'{}'",
  custom: "'{}'",
  do_not_call: 'false',
  lifecycle_stage: "'subscriber'",
  source: "'api'",
  created_by_type: "'api_key'",
  version: '1',
}

/** The same columns for pages: what is usual comes as null, which costs nothing to read. */
export const pageColumns: readonly string[] = contactColumns.map(column =>
  usual[column] ? `nullif(${column}, ${usual[column]}) as ${column}` : column,
)

/** One literal of one shape: what pages of contacts are made of fastest. */
export function contactRow(columns: readonly never[]): Contact {
  // The statement selects `contactColumns`, which are these.
  const c = columns as unknown as Cells
  return {
    id: c[22],
    orgId: c[23],
    email: c[0],
    firstName: c[1],
    lastName: c[2],
    fullName: c[3],
    phone: c[4],
    jobTitle: c[5],
    companyName: c[6],
    companyDomain: c[7],
    linkedinUrl: c[8],
    city: c[9],
    region: c[10],
    country: c[11],
    timezone: c[12],
    avatarUrl: c[13],
    lifecycleStage: c[14] ?? 'subscriber',
    source: c[15] ?? 'api',
    ownerUserId: c[16],
    tags: c[17] ?? [],
    custom: c[18] ?? {},
    doNotCall: c[19] ?? false,
    externalId: c[20],
    lastContactedAt: c[21],
    createdBy: { type: c[24] ?? 'api_key', id: c[25], name: c[26] },
    createdAt: c[27],
    updatedAt: c[28] ?? c[27],
    deletedAt: c[29],
    version: c[30] ?? 1,
  }
}
