// Provenance of a record's values: who last set each field, from which suggestion, and whether machines may overwrite it.

import type { Statement } from '../../database/statement.ts'
import { type Context, organizationOf } from '../../kernel/context.ts'
import { type Batch, grouped, load } from '../../kernel/dataloaders.ts'
import { ownMember } from '../../kernel/input/json.ts'
import type { Actor } from '../../kernel/principal.ts'
import { valueIn } from '../targets/field.ts'
import { type EnrichedNoun, rulesOf, type TargetRecord } from '../targets/record.ts'
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

type FieldChange = typeof lastChanges.contact extends Statement<infer Row> ? Row : never

const changesOf =
  (noun: EnrichedNoun): Batch<string, FieldChange[]> =>
  async (context, ids) =>
    grouped(ids, await context.db.query(lastChanges[noun], [organizationOf(context), ids]), ({ recordId }) => recordId)
const acceptedOf =
  (noun: EnrichedNoun): Batch<string, Suggestion[]> =>
  async (context, ids) => {
    const accepted = await context.db.query(acceptedSuggestions[noun], [organizationOf(context), ids])
    return grouped(ids, accepted, suggestion => suggestion[`${noun}Id`] ?? '')
  }
const reads = {
  contact: { changes: changesOf('contact'), accepted: acceptedOf('contact') },
  company: { changes: changesOf('company'), accepted: acceptedOf('company') },
}

const isPerson = (actor: Actor) => actor.type === 'user'

/** The provenance of fields that have a value, or had one before. */
export async function fieldMetaOf(context: Context, record: TargetRecord, fields?: readonly string[] | null): Promise<FieldMeta[]> {
  const { noun, row } = record
  const [changes, suggestions] = await Promise.all([
    load(context, reads[noun].changes, row.id),
    load(context, reads[noun].accepted, row.id),
  ])
  const byField = new Map(changes.map(change => [change.field, change]))
  const accepted = new Map(suggestions.map(suggestion => [suggestion.field, suggestion]))
  const known = [...fieldsOf(record), ...byField.keys()]
  return [...new Set(known)].flatMap(field => {
    if (fields && !fields.includes(field)) return []
    const change = byField.get(field)
    if (!change && !hasValue(anyValueOf(record, field))) return []
    const { actor: setBy, createdAt: setAt, door } = change ?? { actor: row.createdBy, createdAt: row.createdAt, door: '' }
    const suggestion = accepted.get(field)
    // Otherwise a later change has replaced the suggestion's value.
    const isFrom = suggestion?.decidedAt != null && suggestion.decidedAt >= setAt
    return [{ field, setBy, setAt, door, suggestion: isFrom ? suggestion : null, locked: isPerson(setBy) }]
  })
}

/** The fields that a person has set or cleared. Not cached, because the current transaction may have changed them. */
export async function lockedFields(context: Context, record: TargetRecord): Promise<ReadonlySet<string>> {
  const { noun, row } = record
  const changes = await context.db.query(lastChanges[noun], [row.orgId, [row.id]])
  const byField = new Map(changes.map(change => [change.field, change]))
  return new Set(
    [...fieldsOf(record), ...byField.keys()].filter(field => {
      const change = byField.get(field)
      return change ? isPerson(change.actor) : isPerson(row.createdBy) && hasValue(anyValueOf(record, field))
    }),
  )
}

const fieldsOf = ({ noun, row }: TargetRecord) => [
  ...Object.keys(rulesOf[noun].fields).filter(field => field !== 'custom'),
  ...Object.keys(row.custom).map(key => `custom.${key}`),
]
const anyValueOf = (record: TargetRecord, field: string): unknown =>
  Object.hasOwn(rulesOf[record.noun].fields, field) ? ownMember({ ...record.row }, field) : valueIn(record, field)
const hasValue = (value: unknown) =>
  value !== null && value !== undefined && value !== '' && value !== false && !(Array.isArray(value) && value.length === 0)
