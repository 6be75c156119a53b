// Writes suggestions from findings. They supersede older suggestions for the same fields, and are applied if the recipe allows it.

import { isDeepStrictEqual } from 'node:util'
import { v7 as uuid } from 'uuid'
import { updateContact } from '../../contacts/contact/contact.ts'
import type { Contact } from '../../contacts/contact/row.ts'
import { customFieldsOf } from '../../contacts/custom-fields/field.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { eventRecord } from '../../kernel/events/event.sql.ts'
import { eventRow, type NewEvent, recordEvent } from '../../kernel/events/events.ts'
import { storableJson } from '../../kernel/input/storable.ts'
import { actorOf } from '../../kernel/principal.ts'
import type { Job, StepFinding } from '../jobs/job.sql.ts'
import type { Recipe } from '../recipes/recipe.ts'
import { customKeyOf, patchOf, readForAny, readForContact, valueIn } from '../targets/field.ts'
import { contactOfTarget, type Target } from '../targets/target.ts'
import { lockedFields } from './provenance.ts'
import { insertSuggestions, lockTarget, newSuggestion, supersede } from './suggestion.sql.ts'
import { writeDecision } from './suggestion.ts'

/** The target and the source of findings. */
export interface About {
  orgId: string
  target: Target
  jobId: string | null
  callId: string | null
  /** The target's contact, if it is not deleted. */
  contact: Contact | null
}

type Rules = Pick<Recipe, 'expiresAfterDays' | 'autoApply'>

const dayMs = 86_400_000
const maxEvidence = 2000

/** Writes the suggestions in the context's transaction. Resolves with their number. */
export async function writeSuggestions(context: Context, about: About, findings: readonly StepFinding[], rules: Rules): Promise<number> {
  const { orgId, target } = about
  // Serializes jobs that end at the same time, so that the later one supersedes the suggestions of the earlier.
  const known = about.contact
  await context.db.query(lockTarget, [known ? `contact ${known.id}` : `${orgId} ${target.hostApp} ${target.kind} ${target.id}`])
  // The contact may have been merged into another meanwhile. A merge takes the same lock.
  const contact = known && (await contactOfTarget(context, orgId, target))
  if (contact && contact.id !== known?.id) await context.db.query(lockTarget, [`contact ${contact.id}`])
  const proposals = await proposalsOf(context, { ...about, contact }, findings)
  if (proposals.length === 0) return 0

  const now = context.now()
  const by = actorOf(context.principal)
  const fields = proposals.map(({ finding }) => finding.field)
  const place = [orgId, target.hostApp, target.kind, target.id, contact?.id ?? null]
  const older = await context.db.query(supersede, [...place, fields, by.type, by.id, by.name, now.toISOString()])
  const rows = proposals.map(({ finding, value, type, current }) => ({
    id: uuid(),
    orgId,
    jobId: about.jobId,
    callId: about.callId,
    contactId: contact?.id ?? null,
    target,
    field: finding.field,
    valueType: type,
    currentValue: current,
    proposedValue: value,
    confidence: finding.confidence,
    verification: finding.verification,
    provider: finding.provider,
    sourceUrl: finding.sourceUrl?.slice(0, 2048) ?? null,
    evidence: finding.evidence?.slice(0, maxEvidence) ?? null,
    recipeStep: finding.step,
    observedAt: finding.observedAt,
    status: 'pending' as const,
    expiresAt: new Date(now.getTime() + rules.expiresAfterDays * dayMs).toISOString(),
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
  }))
  const events = [
    ...older.map(({ id, field, contactId }): NewEvent => ({ type: 'suggestion.superseded', entityId: id, contactId, changes: { field } })),
    ...rows.map(
      (row): NewEvent => ({
        type: 'suggestion.created',
        entityId: row.id,
        contactId: row.contactId,
        changes: { field: row.field, proposedValue: row.proposedValue, confidence: row.confidence, provider: row.provider },
      }),
    ),
  ].map(event => eventRecord(eventRow(context, event)))
  const cells = [storableJson(rows.map(newSuggestion.record)), events].map(cell => JSON.stringify(cell))
  const inserted = new Set((await context.db.query(insertSuggestions, cells)).map(({ id }) => id))
  context.services.outbox.announce()
  const created = rows.filter(({ id }) => inserted.has(id))
  if (contact && rules.autoApply) await applyAutomatically(context, contact, created, rules.autoApply)
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

/** Whether two values are equal. Texts are compared ignoring case and white space. */
function isSame(current: unknown, proposed: unknown): boolean {
  if (typeof current === 'string' && typeof proposed === 'string')
    return current.trim().toLowerCase().replace(/\s+/g, ' ') === proposed.trim().toLowerCase().replace(/\s+/g, ' ')
  return isDeepStrictEqual(current, proposed)
}

interface Created {
  id: string
  field: string
  proposedValue: unknown
  currentValue: unknown
  confidence: number
}

/**
 * Applies suggestions without review that have sufficient confidence and are allowed by the recipe, to empty fields that no person has
 * cleared.
 */
async function applyAutomatically(
  context: Context,
  contact: Contact,
  created: readonly Created[],
  rules: NonNullable<Rules['autoApply']>,
): Promise<void> {
  const locked = await lockedFields(context, contact)
  for (const { id, field, proposedValue: value, currentValue: current, confidence } of created) {
    const isEmpty = current === null || current === '' || (Array.isArray(current) && current.length === 0)
    if (!isEmpty || confidence < rules.minConfidence || !rules.fields.includes(field) || locked.has(field)) continue
    try {
      await updateContact(context, contact.id, patchOf(field, value))
    } catch (error) {
      // After a validation error, such as an email that another contact has, the suggestion stays pending. Database errors abort the end of
      // the job.
      if (!(error instanceof AppError) || error.cause !== undefined || error.code === 'UNAVAILABLE') throw error
      continue
    }
    const reason = `Empty field, confidence at least ${rules.minConfidence}`
    await writeDecision(context, id, { status: 'auto_applied', reason, contactId: contact.id })
    const changes = { field, proposedValue: value }
    await recordEvent(context, { type: 'suggestion.auto_applied', entityId: id, contactId: contact.id, changes })
  }
}

// 30 days: the same finding is not charged again during that time.
const paidForMs = 30 * dayMs

/** The steps with a finding that was not charged for this target in the last 30 days. */
export async function chargeable(context: Context, job: Job, findings: readonly StepFinding[]): Promise<ReadonlySet<string>> {
  const { hostApp, kind, id } = job.target
  const since = new Date(context.now().getTime() - paidForMs)
  const before = await context.db.prisma.suggestion.findMany({
    where: { orgId: job.orgId, hostApp, targetKind: kind, targetId: id, createdAt: { gt: since }, job: { creditsCharged: { gt: 0 } } },
    select: { provider: true, field: true, proposedValue: true },
  })
  const isKnown = ({ provider, field, value }: StepFinding) =>
    before.some(one => one.provider === provider && one.field === field && isSame(one.proposedValue, value))
  return new Set(findings.filter(finding => !isKnown(finding)).map(({ step }) => step))
}
