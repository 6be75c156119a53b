// From findings to suggestions: what is new about the target, in place of older proposals, and taken over at once where a recipe may.

import { isDeepStrictEqual } from 'node:util'
import { v7 as uuid } from 'uuid'
import { updateContact } from '../contacts/contact.ts'
import type { Contact } from '../contacts/contact-row.ts'
import { customFieldsOf } from '../contacts/custom-field.ts'
import type { Context } from '../context.ts'
import { statement } from '../database/client.ts'
import { AppError } from '../errors.ts'
import type { NewEvent } from '../events.ts'
import { actorOf } from '../identity/principal.ts'
import { recordEvents } from './events-of-many.ts'
import { customKeyOf, patchOf, readForAny, readForContact, valueIn } from './field.ts'
import type { Job, StepFinding } from './job.sql.ts'
import { lockedFields } from './provenance.ts'
import type { Recipe } from './recipe.ts'
import { storableJson } from './storable-json.ts'
import { decideSuggestion, insertSuggestions, supersede } from './suggestion.sql.ts'
import type { Target } from './target.ts'

/** What findings are about, and where they come from. */
export interface About {
  orgId: string
  target: Target
  jobId: string | null
  callId: string | null
  /** The live contact that the target is. */
  contact: Contact | null
}

type Rules = Pick<Recipe, 'expiresAfterDays' | 'autoApply'>

const lockTarget = statement<never>('suggestion_target_lock', 'select pg_advisory_xact_lock(hashtextextended($1, 20261121))')
const dayMs = 86_400_000
const longestEvidence = 2000

/** Writes the suggestions, inside a transaction; resolves with their number. */
export async function writeSuggestions(context: Context, about: About, findings: readonly StepFinding[], rules: Rules): Promise<number> {
  const { orgId, target, contact } = about
  // Of two jobs that end together the later one supersedes the earlier.
  await context.db.query(lockTarget, [contact ? `contact ${contact.id}` : `${orgId} ${target.hostApp} ${target.kind} ${target.id}`])
  const proposals = await proposalsOf(context, about, findings)
  if (proposals.length === 0) return 0

  const now = context.now()
  const by = actorOf(context.principal)
  const fields = proposals.map(({ finding }) => finding.field)
  const place = [orgId, target.hostApp, target.kind, target.id, contact?.id ?? null]
  const older = await context.db.query(supersede, [...place, fields, by.type, by.id, by.name, now.toISOString()])
  const rows = proposals.map(({ finding, value, type, current }) => ({
    id: uuid(),
    org_id: orgId,
    job_id: about.jobId,
    call_id: about.callId,
    contact_id: contact?.id ?? null,
    host_app: target.hostApp,
    target_id: target.id,
    target_kind: target.kind,
    field: finding.field,
    value_type: type,
    current_value: current,
    proposed_value: value,
    confidence: finding.confidence,
    verification: finding.verification,
    provider: finding.provider,
    source_url: finding.sourceUrl?.slice(0, 2048) ?? null,
    evidence: finding.evidence?.slice(0, longestEvidence) ?? null,
    recipe_step: finding.step,
    observed_at: finding.observedAt,
    status: 'pending',
    expires_at: new Date(now.getTime() + rules.expiresAfterDays * dayMs).toISOString(),
    created_at: now.toISOString(),
    updated_at: now.toISOString(),
  }))
  const inserted = new Set((await context.db.query(insertSuggestions, [storableJson(rows)])).map(({ id }) => id))
  const created = rows.filter(({ id }) => inserted.has(id))
  await recordEvents(context, [
    ...older.map(({ id, field, contactId }): NewEvent => ({ type: 'suggestion.superseded', entityId: id, contactId, changes: { field } })),
    ...created.map(
      (row): NewEvent => ({
        type: 'suggestion.created',
        entityId: row.id,
        contactId: row.contact_id,
        changes: { field: row.field, proposedValue: row.proposed_value, confidence: row.confidence, provider: row.provider },
      }),
    ),
  ])
  if (contact && rules.autoApply) await applyAlone(context, contact, created, rules.autoApply)
  return created.length
}

async function proposalsOf(context: Context, { orgId, target, contact }: About, findings: readonly StepFinding[]) {
  const isContact = target.kind === 'contact'
  const definitions = isContact && findings.some(({ field }) => customKeyOf(field) !== null) ? await customFieldsOf(context, orgId) : []
  return findings.flatMap(finding => {
    const read = isContact ? readForContact(finding.field, finding.value, definitions) : readForAny(finding.field, finding.value)
    if (!read) return []
    const current = contact ? valueIn(contact, finding.field) : null
    return isSame(current, read.value) ? [] : [{ finding, current, ...read }]
  })
}

/** Whether two values say the same: texts without regard to case and space. */
function isSame(current: unknown, proposed: unknown): boolean {
  if (typeof current === 'string' && typeof proposed === 'string')
    return current.trim().toLowerCase().replace(/\s+/g, ' ') === proposed.trim().toLowerCase().replace(/\s+/g, ' ')
  return isDeepStrictEqual(current, proposed)
}

interface Created {
  id: string
  field: string
  proposed_value: unknown
  current_value: unknown
  confidence: number
}

/** Takes over what nobody has to look at: surely enough, into empty fields, and never against what a person said. */
async function applyAlone(
  context: Context,
  contact: Contact,
  created: readonly Created[],
  rules: NonNullable<Rules['autoApply']>,
): Promise<void> {
  const locked = await lockedFields(context, contact)
  const by = actorOf(context.principal)
  for (const { id, field, proposed_value: value, current_value: current, confidence } of created) {
    const isEmpty = current === null || current === '' || (Array.isArray(current) && current.length === 0)
    if (!isEmpty || confidence < rules.minConfidence || !rules.fields.includes(field) || locked.has(field)) continue
    try {
      await updateContact(context, contact.id, patchOf(field, value))
    } catch (error) {
      // Refused by a rule, such as an address that another contact has: a person may decide. A broken transaction is no such thing.
      if (!(error instanceof AppError) || error.cause !== undefined || error.code === 'UNAVAILABLE') throw error
      continue
    }
    const reason = `Empty field, confidence at least ${rules.minConfidence}`
    await context.db.query(decideSuggestion, [id, 'auto_applied', by.type, by.id, by.name, context.now().toISOString(), reason, contact.id])
    await recordEvents(context, [
      { type: 'suggestion.auto_applied', entityId: id, contactId: contact.id, changes: { field, proposedValue: value } },
    ])
  }
}

const paidBefore = statement<{ provider: string; field: string; value: unknown }>(
  'suggestions_paid_before',
  `select s.provider, s.field, s.proposed_value as value from suggestions s join enrichment_jobs j on j.id = s.job_id
   where s.org_id = $1 and s.host_app = $2 and s.target_kind = $3 and s.target_id = $4 and s.created_at > $5::timestamptz and j.credits_charged > 0`,
)
// 30 days: the same answer twice in that time is paid once.
const paidForMs = 30 * dayMs

/** The steps that found something which was not paid for lately. */
export async function chargeable(context: Context, job: Job, findings: readonly StepFinding[]): Promise<ReadonlySet<string>> {
  const { hostApp, kind, id } = job.target
  const since = new Date(context.now().getTime() - paidForMs).toISOString()
  const before = await context.db.query(paidBefore, [job.orgId, hostApp, kind, id, since])
  const isKnown = ({ provider, field, value }: StepFinding) =>
    before.some(one => one.provider === provider && one.field === field && isSame(one.value, value))
  return new Set(findings.filter(finding => !isKnown(finding)).map(({ step }) => step))
}
