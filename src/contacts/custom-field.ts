// Custom fields: what an organization has defined beyond the fields that all contacts have, and the values that fit a definition.

import { v7 as uuid } from 'uuid'
import { type Context, inTransaction, organizationOf } from '../context.ts'
import { statement } from '../database/client.ts'
import { AppError, invalid, notFound } from '../errors.ts'
import { recordEvent } from '../events.ts'
import { at, Failed, text, tooLong } from './contact-value.ts'
import { isId } from './page.ts'

export const customFieldTypes = ['text', 'number', 'boolean', 'date', 'select', 'multi_select', 'url'] as const
export type CustomFieldType = (typeof customFieldTypes)[number]

export interface CustomField {
  id: string
  key: string
  label: string
  type: CustomFieldType
  options: string[]
  createdAt: string
}

export interface NewCustomField {
  key: string
  label: string
  type: CustomFieldType
  options?: readonly string[] | null
}

// 200: as many as a form can show; each costs every contact that has it a property in its row.
export const mostFields = 200
export const mostOptions = 200

const columns = 'id, key, label, type, options, created_at as "createdAt"'
const selectFields = statement<CustomField>(
  'custom_fields',
  `select ${columns} from custom_fields where org_id = $1 order by created_at, id`,
)
const insertField = statement<CustomField>(
  'custom_field_insert',
  `insert into custom_fields (id, org_id, key, label, type, options, created_at)
   select $1, $2, $3, $4, $5, $6, $7 where (select count(*) from custom_fields where org_id = $2) < ${mostFields}
   on conflict (org_id, key) do nothing returning ${columns}`,
)
const deleteField = statement<CustomField>(
  'custom_field_delete',
  `delete from custom_fields where org_id = $1 and id = $2 returning ${columns}`,
)
// In pages by id, so that no statement runs long, however many contacts have the property.
const removeProperty = statement<{ id: string }>(
  'custom_field_remove',
  `with page as (select id from contacts where org_id = $1 and custom ? $2 and id > $3 order by id limit 5000)
   update contacts set custom = custom - $2, version = version + 1, updated_at = greatest(updated_at, $4)
   where id in (select id from page) returning id`,
)

export const customFieldsOf = (context: Context, orgId: string): Promise<CustomField[]> => context.db.query(selectFields, [orgId])

/** The organization's definitions, oldest first. */
export const listCustomFields = (context: Context): Promise<CustomField[]> => customFieldsOf(context, organizationOf(context))

/** Defines a field. Throws ALREADY_EXISTS where the key is taken. */
export async function createCustomField(context: Context, input: NewCustomField): Promise<CustomField> {
  const orgId = organizationOf(context)
  const { key, label, type, options } = readDefinition(input)
  return context.db.transaction(async tx => {
    const [field] = await tx.query(insertField, [uuid(), orgId, key, label, type, options, context.now().toISOString()])
    if (field) {
      await recordEvent(inTransaction(context, tx), { type: 'custom_field.created', entityId: field.id, changes: { key, type } })
      return field
    }
    const existing = (await tx.query(selectFields, [orgId])).find(other => other.key === key)
    if (existing) throw new AppError('ALREADY_EXISTS', `A custom field ${key} exists already`, { field: 'key', existingId: existing.id })
    throw new AppError('CONFLICT', `An organization can have at most ${mostFields} custom fields`)
  })
}

/** Removes a definition, and its values from all contacts. */
export async function deleteCustomField(context: Context, id: string): Promise<CustomField> {
  const orgId = organizationOf(context)
  return context.db.transaction(async tx => {
    const [field] = isId(id) ? await tx.query(deleteField, [orgId, id]) : []
    if (!field) throw notFound('custom field', id)

    let contacts = 0
    for (let last = '00000000-0000-0000-0000-000000000000'; ; ) {
      const page = await tx.query(removeProperty, [orgId, field.key, last, context.now().toISOString()])
      contacts += page.length
      if (page.length === 0) break
      last = page.reduce((max, row) => (row.id > max ? row.id : max), last)
    }
    await recordEvent(inTransaction(context, tx), { type: 'custom_field.deleted', entityId: id, changes: { key: field.key, contacts } })
    return field
  })
}

const label = text(200)
const option = text(100)
const keyForm = /^[a-z][a-z0-9_]{0,62}$/

function readDefinition({ key, label: givenLabel, type, options }: NewCustomField): Required<NewCustomField> & { options: string[] } {
  const problems = []
  if (!keyForm.test(key)) {
    const message = `String should match pattern '${keyForm.source}'`
    problems.push({ path: ['key'], type: 'string_pattern_mismatch', message, input: key, context: { pattern: keyForm.source } })
  }
  const read = label(givenLabel)
  if (read instanceof Failed) problems.push(...at('label', read))
  if (read === null)
    problems.push({
      path: ['label'],
      type: 'string_too_short',
      message: 'String should have at least 1 character',
      input: givenLabel,
      context: { min_length: 1 },
    })

  const given = options ?? []
  const isTooLong = given.length > mostOptions
  const readOptions = isTooLong ? [] : given.map(option)
  for (const [index, one] of readOptions.entries())
    if (one instanceof Failed) for (const problem of at('options', one)) problems.push({ ...problem, path: ['options', index] })
  const unique = [...new Set(readOptions.filter(one => typeof one === 'string'))]
  const wantsOptions = type === 'select' || type === 'multi_select'
  if (wantsOptions && unique.length === 0 && !isTooLong) {
    const message = 'List should have at least 1 item after validation, not 0'
    problems.push({ path: ['options'], type: 'too_short', message, input: options ?? null, context: { min_length: 1, actual_length: 0 } })
  }
  if (isTooLong) problems.push(...at('options', tooLong(given, mostOptions)))
  if (!wantsOptions && unique.length > 0) {
    const error = 'only select and multi_select have options'
    problems.push({ path: ['options'], type: 'value_error', message: `Value error, ${error}`, input: options, context: { error } })
  }
  if (problems.length > 0) throw invalid(problems)
  return { key, label: String(read), type, options: unique }
}
