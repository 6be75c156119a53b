// Values that an agent finds out, as rows of its form: from the extraction of the API, and back.

import type { CustomFieldType } from '../../generated/schema.ts'

/** Kind of a value, in words of people. */
export type WantedKind = 'text' | 'number' | 'yesNo' | 'date' | 'choice'

export interface Wanted {
  /** Name in the API; empty for a new row, which is named after its title. */
  key: string
  title: string
  kind: WantedKind
  /** The values of a choice. */
  options: string[]
  /** How the agent asks for it. */
  question: string
  /** The contact field that it is suggested for, such as `job_title` or `custom.renewal`; empty: only in the call. */
  field: string
}

export const newWanted = (title = '', field = '', kind: WantedKind = 'text'): Wanted => ({
  key: '',
  title,
  kind,
  options: [],
  question: '',
  field,
})

/** The contact fields that take a text from a call. */
export const textFields = [
  ...['first_name', 'last_name', 'full_name', 'email', 'phone', 'job_title', 'company_name', 'company_domain', 'linkedin_url'],
  ...['city', 'region', 'country', 'timezone'],
] as const

const customTypes: Readonly<Record<WantedKind, readonly CustomFieldType[]>> = {
  text: ['TEXT', 'URL'],
  number: ['NUMBER'],
  yesNo: ['BOOLEAN'],
  date: ['DATE'],
  choice: ['SELECT', 'TEXT'],
}

/** Whether a value of the kind can go to the field. */
export const takesKind = (kind: WantedKind, type: CustomFieldType | 'CONTACT'): boolean =>
  type === 'CONTACT' ? kind === 'text' || kind === 'choice' : customTypes[kind].includes(type)

/** Kind for a custom field that is suggested as a row. */
export const kindOf: Readonly<Record<CustomFieldType, WantedKind>> = {
  TEXT: 'text',
  URL: 'text',
  NUMBER: 'number',
  BOOLEAN: 'yesNo',
  DATE: 'date',
  SELECT: 'choice',
  MULTI_SELECT: 'choice',
}

const maxKey = 60

/** The extraction of the API. Rows without a name are left out. */
export function extractionOf(rows: readonly Wanted[]): Record<string, unknown> {
  const extraction: Record<string, unknown> = {}
  for (const row of rows) {
    if (row.title.trim() === '') continue
    const wished = row.key || keyOf(row.title)
    let key = wished
    for (let n = 2; Object.hasOwn(extraction, key); n++) key = `${wished}_${n}`
    extraction[key] = { ...schemaOf(row), order: Object.keys(extraction).length }
  }
  return extraction
}

const types = { text: 'string', number: 'number', yesNo: 'boolean', date: 'string', choice: 'string' } as const

function schemaOf({ title, kind, options, question, field }: Wanted) {
  return {
    type: types[kind],
    title: title.trim(),
    ...(question.trim() && { description: question.trim() }),
    ...(kind === 'date' && { format: 'date' }),
    ...(kind === 'choice' && options.length > 0 && { enum: options }),
    field: field || null,
  }
}

/** "Renewal date" as `renewal_date`. A name without Latin letters gets a key of its own. */
function keyOf(title: string): string {
  const letters = title
    .normalize('NFKD')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(word => word !== '')
    .join('_')
  const key = letters.replace(/^[^a-z]+/, '').slice(0, maxKey)
  return key || 'value'
}

/** The rows of an extraction. `labelOf`: the label of a value without a title. */
export const wantedOf = (extraction: Readonly<Record<string, unknown>>, labelOf: (name: string) => string): Wanted[] =>
  Object.entries(extraction)
    .map(([key, schema]) => ({ key, schema: Object(schema) as Record<string, unknown> }))
    .toSorted((one, other) => orderIn(one.schema) - orderIn(other.schema))
    .map(({ key, schema }) => rowOf(key, schema, labelOf))

const orderIn = ({ order }: Record<string, unknown>) => (typeof order === 'number' ? order : 0)

function rowOf(
  key: string,
  { type, title, description, format, enum: values, field }: Record<string, unknown>,
  labelOf: (name: string) => string,
): Wanted {
  const options = Array.isArray(values) ? values.map(String) : []
  return {
    key,
    title: typeof title === 'string' ? title : labelOf(key),
    kind: options.length > 0 ? 'choice' : kindOfType(type, format),
    options,
    question: typeof description === 'string' ? description : '',
    field: typeof field === 'string' ? field : field === undefined && isTextField(key) ? key : '',
  }
}

const isTextField = (name: string) => textFields.some(field => field === name)

function kindOfType(type: unknown, format: unknown): WantedKind {
  if (type === 'boolean') return 'yesNo'
  if (type === 'number' || type === 'integer') return 'number'
  return format === 'date' ? 'date' : 'text'
}
