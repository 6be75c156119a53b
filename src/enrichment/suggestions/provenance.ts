// Provenance of a contact's values: who last set each field, from which suggestion, and whether machines may overwrite it.

import { type Contact, contactFields, isContactField } from '../../contacts/contact/row.ts'
import type { Statement } from '../../database/statement.ts'
import { type Context, organizationOf } from '../../kernel/context.ts'
import { type Batch, grouped, load } from '../../kernel/dataloaders.ts'
import type { Actor } from '../../kernel/principal.ts'
import { valueIn } from '../targets/field.ts'
import { acceptedSuggestions, lastChanges, type Suggestion } from './suggestion.sql.ts'

export interface FieldMeta {
  /** The field's name in camelCase, or `custom.<key>`. */
  field: string
  setBy: Actor
  setAt: string
  door: string
  /** The accepted suggestion that the value comes from. */
  suggestion: Suggestion | null
  /** Whether a person has set the value, so that machines may only suggest. */
  locked: boolean
}

type FieldChange = typeof lastChanges extends Statement<infer Row> ? Row : never

const readChanges: Batch<string, FieldChange[]> = async (context, ids) =>
  grouped(ids, await context.db.query(lastChanges, [organizationOf(context), ids]), ({ contactId }) => contactId)
const readAccepted: Batch<string, Suggestion[]> = async (context, ids) =>
  grouped(ids, await context.db.query(acceptedSuggestions, [organizationOf(context), ids]), ({ contactId }) => contactId ?? '')

const isPerson = (actor: Actor) => actor.type === 'user'

/** The provenance of fields that have a value, or had one before. */
export async function fieldMetaOf(context: Context, contact: Contact, fields?: readonly string[] | null): Promise<FieldMeta[]> {
  const [changes, suggestions] = await Promise.all([load(context, readChanges, contact.id), load(context, readAccepted, contact.id)])
  const byField = new Map(changes.map(change => [change.field, change]))
  const accepted = new Map(suggestions.map(suggestion => [suggestion.field, suggestion]))
  const known = [...fieldNames, ...Object.keys(contact.custom).map(key => `custom.${key}`), ...byField.keys()]
  return [...new Set(known)].flatMap(field => {
    if (fields && !fields.includes(field)) return []
    const change = byField.get(field)
    if (!change && !hasValue(anyValueOf(contact, field))) return []
    const { actor: setBy, createdAt: setAt, door } = change ?? { actor: contact.createdBy, createdAt: contact.createdAt, door: '' }
    const suggestion = accepted.get(field)
    // Otherwise a later change has replaced the suggestion's value.
    const isFrom = suggestion?.decidedAt != null && suggestion.decidedAt >= setAt
    return [{ field, setBy, setAt, door, suggestion: isFrom ? suggestion : null, locked: isPerson(setBy) }]
  })
}

/** The fields that a person has set or cleared. Not cached, because the current transaction may have changed them. */
export async function lockedFields(context: Context, contact: Contact): Promise<ReadonlySet<string>> {
  const changes = await context.db.query(lastChanges, [contact.orgId, [contact.id]])
  const byField = new Map(changes.map(change => [change.field, change]))
  const fields = [...fieldNames, ...Object.keys(contact.custom).map(key => `custom.${key}`), ...byField.keys()]
  return new Set(
    fields.filter(field => {
      const change = byField.get(field)
      return change ? isPerson(change.actor) : isPerson(contact.createdBy) && hasValue(anyValueOf(contact, field))
    }),
  )
}

const fieldNames = contactFields.filter(field => field !== 'custom')
const anyValueOf = (contact: Contact, field: string): unknown => (isContactField(field) ? contact[field] : valueIn(contact, field))
const hasValue = (value: unknown) =>
  value !== null && value !== undefined && value !== '' && value !== false && !(Array.isArray(value) && value.length === 0)
