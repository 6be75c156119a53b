// Custom fields: an organization's definitions of additional fields of contacts and companies.

import { type Context, inTransaction, organizationOf } from '../../kernel/context.ts'
import { type Batch, inOrder } from '../../kernel/dataloaders.ts'
import { AppError, invalid, notFound } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { newId } from '../../kernel/ids.ts'
import { text, tooLong } from '../../kernel/input/fields.ts'
import { at, Invalid, type Problem, problem, valueError } from '../../kernel/input/problem.ts'
import { lockNoun, type Maximum, requireRoom } from '../../kernel/limits/maxima.ts'
import { eventsOf, update } from '../../kernel/nouns/events.ts'
import { type RecordNoun, tableOfNoun } from '../records/nouns.ts'
import { type CustomField, type CustomFieldType, removeProperty, selectFields } from './field.sql.ts'

const events = eventsOf('custom_field', {
  created: 'A custom field was defined.',
  deleted: 'A custom field was removed, with its values.',
  updated: update('A custom field has more options.'),
})

export interface NewCustomField {
  /** Default: contact. */
  noun?: RecordNoun | null
  key: string
  label: string
  type: CustomFieldType
  options?: readonly string[] | null
}

// 200 for each noun: more than a form can show; each value enlarges the row of its record.
export const maxFields: Maximum = {
  noun: 'customFields',
  most: 200,
  of: 'An organization',
  nouns: 'custom fields',
  remedy: 'delete one first',
}
export const maxOptions = 200
/** In characters. */
export const maxOptionLength = 100

export const customFieldsOf = (context: Context, orgId: string, noun: RecordNoun = 'contact'): Promise<CustomField[]> =>
  context.db.query(selectFields, [orgId, noun])

/** The organization's definitions for a noun, oldest first. */
export const listCustomFields = (context: Context, noun?: RecordNoun | null): Promise<CustomField[]> =>
  customFieldsOf(context, organizationOf(context), noun ?? 'contact')

/** Loads definitions by id. */
export const loadCustomFields: Batch<string, CustomField | null> = async (context, ids) =>
  inOrder(ids, await context.db.query(selectFields, [organizationOf(context), null]), field => field.id)

/** Defines a field. Throws ALREADY_EXISTS if a field of the noun has the key. */
export async function createCustomField(context: Context, input: NewCustomField): Promise<CustomField> {
  const orgId = organizationOf(context)
  const { noun, key, label, type, options } = readDefinition(input)
  return context.db.transaction(async tx => {
    const { customField } = tx.prisma
    await lockNoun(tx, maxFields, orgId)
    const total = await customField.count({ where: { orgId, noun } })
    if (total < maxFields.most) {
      const data = { id: newId(), orgId, noun, key, label, type, options, createdAt: context.now() }
      const { count } = await customField.createMany({ data, skipDuplicates: true })
      if (count > 0) {
        await recordEvent(inTransaction(context, tx), { type: events.created, entityId: data.id, changes: { key, type } })
        return { id: data.id, noun, key, label, type, options, createdAt: data.createdAt.toISOString() }
      }
    }
    const existing = await customField.findUnique({ where: { orgId_noun_key: { orgId, noun, key } } })
    if (existing) throw new AppError('ALREADY_EXISTS', `A custom field ${key} exists already`, { field: 'key', existingId: existing.id })
    requireRoom(noun === 'contact' ? maxFields : { ...maxFields, nouns: `custom fields of ${tableOfNoun[noun]}` }, total)
    throw new AppError('CONFLICT', 'Another request has just defined the field, and removed it; send it again')
  })
}

/** Removes a definition, and its values from all records. Throws NOT_FOUND. */
export async function deleteCustomField(context: Context, id: string): Promise<CustomField> {
  const orgId = organizationOf(context)
  return context.db.transaction(async tx => {
    const field = (await tx.query(selectFields, [orgId, null])).find(field => field.id === id.toLowerCase())
    if (!field) throw notFound('custom field', id)
    const { count } = await tx.prisma.customField.deleteMany({ where: { orgId, id: field.id } })
    // A concurrent request has deleted the definition.
    if (count === 0) throw notFound('custom field', id)

    let total = 0
    for (let last = '00000000-0000-0000-0000-000000000000'; ; ) {
      const page = await tx.query(removeProperty[field.noun], [orgId, field.key, last, context.now().toISOString()])
      total += page.length
      if (page.length === 0) break
      last = page.reduce((max, row) => (row.id > max ? row.id : max), last)
    }
    await recordEvent(inTransaction(context, tx), {
      type: events.deleted,
      entityId: field.id,
      changes: { key: field.key, [tableOfNoun[field.noun]]: total },
    })
    return field
  })
}

/** Adds options to fields of contacts by their keys, in the context's transaction. Options that a field has already, and keys of no field, change nothing. Throws INVALID for too many. */
export async function addOptions(tx: Context, noun: RecordNoun, added: ReadonlyMap<string, readonly string[]>): Promise<void> {
  if (added.size === 0) return
  const orgId = organizationOf(tx)
  await lockNoun(tx.db, maxFields, orgId)
  for (const field of await customFieldsOf(tx, orgId, noun)) {
    const options = [...new Set([...field.options, ...(added.get(field.key) ?? [])])]
    if (options.length === field.options.length) continue
    if (options.length > maxOptions) throw new AppError('INVALID', `The field ${field.label} has at most ${maxOptions} options`)
    await tx.db.prisma.customField.updateMany({ where: { orgId, id: field.id }, data: { options } })
    await recordEvent(tx, { type: events.updated, entityId: field.id, changes: { options: [field.options, options] } })
  }
}

const label = text(200)
const option = text(maxOptionLength)
/** The pattern of a field's key, with which it is safe inside SQL. */
export const keyForm = /^[a-z][a-z0-9_]{0,62}$/

function readDefinition({ noun, key, label: givenLabel, type, options }: NewCustomField) {
  const problems: Problem[] = []
  if (!keyForm.test(key)) problems.push(problem('key', 'string_pattern_mismatch', key, { pattern: keyForm.source }))
  const read = label(givenLabel)
  if (read instanceof Invalid) problems.push(...at('label', read))
  if (read === null) problems.push(problem('label', 'string_too_short', givenLabel, { min_length: 1 }))

  const given = options ?? []
  const isTooLong = given.length > maxOptions
  const readOptions = isTooLong ? [] : given.map(option)
  for (const [index, one] of readOptions.entries()) if (one instanceof Invalid) problems.push(...at('options', new Invalid(at(index, one))))
  const unique = [...new Set(readOptions.filter(one => typeof one === 'string'))]
  const wantsOptions = type === 'select' || type === 'multi_select'
  if (wantsOptions && unique.length === 0 && !isTooLong)
    problems.push(problem('options', 'too_short', options ?? null, { min_length: 1, actual_length: 0 }))
  if (isTooLong) problems.push(...at('options', tooLong(given, maxOptions)))
  if (!wantsOptions && unique.length > 0) problems.push(valueError('options', 'only select and multi_select have options', options))
  if (problems.length > 0) throw invalid(problems)
  return { noun: noun ?? ('contact' as const), key, label: String(read), type, options: unique }
}
