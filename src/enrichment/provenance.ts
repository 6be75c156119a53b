// Where a contact's values come from: who set each last, by which suggestion, and whether a machine must leave it alone.

import { type Contact, columnOf } from '../contacts/contact-row.ts'
import { type Context, organizationOf } from '../context.ts'
import { statement } from '../database/client.ts'
import type { Actor } from '../identity/principal.ts'
import { type Batch, grouped, load } from '../load.ts'
import { valueIn } from './field.ts'
import { type Suggestion, suggestionColumns, suggestionRow } from './suggestion.sql.ts'

export interface FieldMeta {
  /** In camelCase, or `custom.<key>`. */
  field: string
  setBy: Actor
  setAt: string
  door: string
  /** The suggestion that was taken over, when that is where the value comes from. */
  suggestion: Suggestion | null
  /** A person said so: machines may only suggest. */
  locked: boolean
}

interface Setting {
  contactId: string
  field: string
  setBy: Actor
  setAt: string
  door: string
}

const lastSettings = statement<Setting>(
  'field_settings',
  `select distinct on (e.contact_id, changed.field) e.contact_id, changed.field, e.actor_type, e.actor_id, e.actor_name, e.created_at, e.door
   from events e cross join lateral jsonb_object_keys(e.changes) as changed (field)
   where e.org_id = $1 and e.contact_id = any($2::uuid[]) and e.type = 'contact.updated'
   order by e.contact_id, changed.field, e.created_at desc, e.id desc`,
  columns => {
    // The statement's columns, in its order.
    const [contactId, field, type, id, name, setAt, door] = columns as unknown as [
      string,
      string,
      Actor['type'],
      string,
      string,
      string,
      string,
    ]
    return { contactId, field, setBy: { type, id, name }, setAt, door }
  },
)
const takenOver = statement<Suggestion>(
  'suggestions_taken_over',
  `select distinct on (contact_id, field) ${suggestionColumns} from suggestions
   where org_id = $1 and contact_id = any($2::uuid[]) and status in ('accepted', 'auto_applied')
   order by contact_id, field, decided_at desc, id desc`,
  suggestionRow,
)

const readSettings: Batch<string, Setting[]> = async (context, ids) =>
  grouped(ids, await context.db.query(lastSettings, [organizationOf(context), ids]), ({ contactId }) => contactId)
const readTakenOver: Batch<string, Suggestion[]> = async (context, ids) =>
  grouped(ids, await context.db.query(takenOver, [organizationOf(context), ids]), ({ contactId }) => contactId ?? '')

const isPerson = (actor: Actor) => actor.type === 'user'

/** What is known of the origin of a contact's fields: of those that have a value, and those that a person has cleared. */
export async function fieldMetaOf(context: Context, contact: Contact, fields?: readonly string[] | null): Promise<FieldMeta[]> {
  const [settings, suggestions] = await Promise.all([load(context, readSettings, contact.id), load(context, readTakenOver, contact.id)])
  const byField = new Map(settings.map(setting => [setting.field, setting]))
  const taken = new Map(suggestions.map(suggestion => [suggestion.field, suggestion]))
  const known = [...fieldNames, ...Object.keys(contact.custom).map(key => `custom.${key}`), ...byField.keys()]
  return [...new Set(known)].flatMap(field => {
    if (fields && !fields.includes(field)) return []
    const setting = byField.get(field)
    if (!setting && !hasValue(anyValueOf(contact, field))) return []
    const { setBy, setAt, door } = setting ?? { setBy: contact.createdBy, setAt: contact.createdAt, door: '' }
    const suggestion = taken.get(field)
    // Set again since: the suggestion is no longer where the value comes from.
    const isFrom = suggestion?.decidedAt != null && suggestion.decidedAt >= setAt
    return [{ field, setBy, setAt, door, suggestion: isFrom ? suggestion : null, locked: isPerson(setBy) }]
  })
}

/** The fields of a contact that a person has set or cleared, read inside the transaction that asks. */
export async function lockedFields(context: Context, contact: Contact): Promise<ReadonlySet<string>> {
  const settings = await context.db.query(lastSettings, [contact.orgId, [contact.id]])
  const byField = new Map(settings.map(setting => [setting.field, setting]))
  const fields = [...fieldNames, ...Object.keys(contact.custom).map(key => `custom.${key}`), ...byField.keys()]
  return new Set(
    fields.filter(field => {
      const setting = byField.get(field)
      return setting ? isPerson(setting.setBy) : isPerson(contact.createdBy) && hasValue(anyValueOf(contact, field))
    }),
  )
}

const fieldNames = (Object.keys(columnOf) as (keyof typeof columnOf)[]).filter(field => field !== 'custom')
const anyValueOf = (contact: Contact, field: string): unknown =>
  Object.hasOwn(columnOf, field) ? contact[field as keyof typeof columnOf] : valueIn(contact, field)
const hasValue = (value: unknown) =>
  value !== null && value !== undefined && value !== '' && value !== false && !(Array.isArray(value) && value.length === 0)
