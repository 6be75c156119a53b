// Writes suggestions from findings. They supersede older suggestions for the same fields, and are applied if the recipe allows it.

import { isDeepStrictEqual } from 'node:util'
import { customFieldsOf } from '../../contacts/custom-fields/field.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { eventRecord } from '../../kernel/events/event.sql.ts'
import { announce, enterTimelines, eventRow, recordEvent, recordEvents } from '../../kernel/events/events.ts'
import { newId } from '../../kernel/ids.ts'
import { shorten } from '../../kernel/input/cut.ts'
import { storedJson } from '../../kernel/input/storable.ts'
import { actorOf } from '../../kernel/principal.ts'
import type { Job, StepFinding } from '../jobs/job.sql.ts'
import type { Recipe } from '../recipes/recipe.ts'
import { customKeyOf, patchOf, readFor, readForAny, valueIn } from '../targets/field.ts'
import { type EnrichedNoun, idsOf, recordIdsOf, rulesOf, type TargetRecord } from '../targets/record.ts'
import { recordsOfTargets, type Target } from '../targets/target.ts'
import { lockedFields } from './provenance.ts'
import { insertOrSupersede, lockTargets, newSuggestion, type Suggestion, suggestionEvents, supersedeOfRecords } from './suggestion.sql.ts'
import { writeDecision } from './suggestion.ts'

/** The findings about a target, and their source. */
export interface NewFindings {
  /** Inside the transaction that writes the suggestions. */
  context: Context
  orgId: string
  target: Target
  jobId: string | null
  callId: string | null
  /** The target's record, if it is not deleted. Read again while the target is locked. */
  record: { noun: EnrichedNoun; row: { id: string } } | null
  /** Of several for a field, the best counts. */
  findings: readonly StepFinding[]
  rules: Pick<Recipe, 'expiresAfterDays' | 'autoApply'>
}

type Current = NewFindings & { record: TargetRecord | null }

const dayMs = 86_400_000
const maxEvidence = 2000

/** Writes the suggestions. All contexts are in the same transaction. Resolves with the number of suggestions for each target. */
export async function writeSuggestions(all: readonly NewFindings[]): Promise<number[]> {
  const [first] = all
  if (!first) return []
  const { db } = first.context
  // Serializes transactions that write for the same targets, so that the later one supersedes the suggestions of the earlier.
  const keys = all.map(keyOf)
  await db.query(lockTargets, [[...new Set(keys)].toSorted()])
  // A contact may have been merged into another meanwhile. A merge takes the same locks.
  const known = all.filter(({ record }) => record !== null)
  const records = new Map((await recordsOfTargets(db, known)).map((record, index) => [known[index], record]))
  const current = all.map(one => ({ ...one, record: records.get(one) ?? null }))
  const moved = current.map(keyOf).filter(key => !keys.includes(key))
  if (moved.length > 0) await db.query(lockTargets, [[...new Set(moved)].toSorted()])

  const counts: number[] = []
  // One statement has each target once, because it cannot supersede what it inserts.
  const waiting = new Map(current.entries())
  while (waiting.size > 0) {
    const turn = new Map<string, number>()
    for (const [index, one] of waiting) if (!turn.has(keyOf(one))) turn.set(keyOf(one), index)
    const places = [...turn.values()]
    const written = await writeApart(places.flatMap(index => current[index] ?? []))
    for (const [place, index] of places.entries()) {
      counts[index] = written[place] ?? 0
      waiting.delete(index)
    }
  }
  return counts
}

const keyOf = ({ orgId, target, record }: Pick<NewFindings, 'orgId' | 'target' | 'record'>) =>
  record ? `${record.noun} ${record.row.id}` : `${orgId} ${target.hostApp} ${target.kind} ${target.id}`

/** Writes the suggestions of findings, each about a different target. */
async function writeApart(all: readonly Current[]): Promise<number[]> {
  const proposed: { one: Current; rows: NewSuggestion[] }[] = []
  for (const one of all) proposed.push({ one, rows: (await proposalsOf(one)).map(proposal => rowOf(one, proposal)) })
  const { inserted, superseded } = await writeRows(proposed.flatMap(({ one, rows }) => rows.map(row => ({ row, context: one.context }))))

  const counts: number[] = []
  for (const { one, rows } of proposed) {
    const older = superseded.filter(suggestion => rows.some(row => replaces(row, suggestion)))
    await recordEvents(
      one.context,
      older.map(({ id, field, ...ids }) => ({ type: suggestionEvents.superseded, entityId: id, ...recordIdsOf(ids), changes: { field } })),
    )
    const created = rows.filter(({ id }) => inserted.has(id))
    if (one.record && one.rules.autoApply) await applyAutomatically(one.context, one.record, created, one.rules.autoApply)
    counts.push(created.length)
  }
  return counts
}

type Written = Pick<Suggestion, 'orgId' | 'contactId' | 'companyId' | 'target' | 'field'>

/** Supersedes the older suggestions and inserts the rows, most often by one statement. */
async function writeRows(all: readonly { row: NewSuggestion; context: Context }[]) {
  const [first] = all
  if (!first) return { inserted: new Set<string>(), superseded: [] }
  const { db, principal, services, now } = first.context
  const by = actorOf(principal)
  const decision = [by.type, by.id, by.name, now().toISOString()]
  const superseded = [
    ...(await supersede('contact', ({ contactId }) => contactId)),
    ...(await supersede('company', ({ companyId }) => companyId)),
  ]

  async function supersede(noun: EnrichedNoun, idIn: (row: NewSuggestion) => string | null) {
    const some = all.flatMap(({ row }) => (idIn(row) === null ? [] : [row]))
    if (some.length === 0) return []
    const columns = [some.map(idIn), some.map(({ field }) => field), ...decision, some.map(({ jobId }) => jobId)]
    return db.query(supersedeOfRecords[noun], columns)
  }
  const insert = async (some: typeof all) => {
    const events = some.map(({ row, context }) => {
      const { id, field, proposedValue, confidence, provider } = row
      const changes = { field, proposedValue, confidence, provider }
      return eventRow(context, { type: suggestionEvents.created, entityId: id, ...recordIdsOf(row), changes })
    })
    const records = some.map(({ row }) => newSuggestion.record(row))
    const values = [storedJson(records), storedJson(events.map(eventRecord)), ...decision]
    const written = await db.query(insertOrSupersede, values)
    const inserted = new Set(written.flatMap(({ id, status }) => (status === 'pending' ? [id] : [])))
    await enterTimelines(
      { db },
      events.filter(({ entityId }) => inserted.has(entityId)),
    )
    return written
  }
  const written = await insert(all)
  const older = written.filter(({ status }) => status === 'superseded')
  if (older.length > 0) written.push(...(await insert(all.filter(({ row }) => older.some(one => replaces(row, one))))))
  await announce({ db, services })
  return {
    inserted: new Set(written.flatMap(({ id, status }) => (status === 'pending' ? [id] : []))),
    superseded: [...superseded, ...older],
  }
}

const replaces = (row: NewSuggestion, older: Written) =>
  row.orgId === older.orgId &&
  row.field === older.field &&
  ((row.contactId !== null && row.contactId === older.contactId) ||
    (row.companyId !== null && row.companyId === older.companyId) ||
    isDeepStrictEqual(row.target, older.target))

type NewSuggestion = ReturnType<typeof rowOf>

function rowOf({ context, orgId, jobId, callId, record, target, rules }: Current, { finding, current, type, value }: Proposal) {
  const now = context.now()
  return {
    ...{ id: newId(), orgId, jobId, callId, ...idsOf(record), target },
    ...{ field: finding.field, valueType: type, currentValue: current, proposedValue: value },
    ...{ confidence: finding.confidence, verification: finding.verification, provider: finding.provider },
    sourceUrl: finding.sourceUrl?.slice(0, 2048) ?? null,
    evidence: finding.evidence == null ? null : shorten(finding.evidence, maxEvidence),
    ...{ recipeStep: finding.step, observedAt: finding.observedAt, status: 'pending' as const },
    expiresAt: new Date(now.getTime() + rules.expiresAfterDays * dayMs).toISOString(),
    ...{ createdAt: now.toISOString(), updatedAt: now.toISOString() },
  }
}

type Proposal = Awaited<ReturnType<typeof proposalsOf>>[number]

async function proposalsOf({ context, orgId, target, record, findings }: Current) {
  // The fields of a contact are known without its record. Of another app's company all is kept, as of any other target.
  const noun = record?.noun ?? (target.kind === 'contact' ? 'contact' : null)
  const definitions = noun && findings.some(({ field }) => customKeyOf(field) !== null) ? await customFieldsOf(context, orgId, noun) : []
  return bestOf(findings).flatMap(finding => {
    const read = noun ? readFor(noun, finding.field, finding.value, definitions) : readForAny(finding.field, finding.value)
    if (!read) return []
    const current = record ? valueIn(record, finding.field) : null
    return isSame(current, read.value) ? [] : [{ finding, current, ...read }]
  })
}

/** The finding with the highest confidence for each field; the first of equal ones. */
export function bestOf(findings: readonly StepFinding[]): StepFinding[] {
  const best = new Map<string, StepFinding>()
  for (const finding of findings) if (finding.confidence > (best.get(finding.field)?.confidence ?? -1)) best.set(finding.field, finding)
  return [...best.values()]
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
  record: TargetRecord,
  created: readonly Created[],
  rules: NonNullable<Recipe['autoApply']>,
): Promise<void> {
  const locked = await lockedFields(context, record)
  for (const { id, field, proposedValue: value, currentValue: current, confidence } of created) {
    const isEmpty = current === null || current === '' || (Array.isArray(current) && current.length === 0)
    if (!isEmpty || confidence < rules.minConfidence || !rules.fields.includes(field) || locked.has(field)) continue
    try {
      await rulesOf[record.noun].update(context, record.row.id, patchOf(field, value))
    } catch (error) {
      // After a validation error, such as an email that another contact has, the suggestion stays pending. Database errors abort the end of
      // the job.
      if (!(error instanceof AppError) || error.cause !== undefined || error.code === 'UNAVAILABLE') throw error
      continue
    }
    const reason = `Empty field, confidence at least ${rules.minConfidence}`
    await writeDecision(context, id, { status: 'auto_applied', reason, ...idsOf(record) })
    const changes = { field, proposedValue: value }
    await recordEvent(context, { type: suggestionEvents.auto_applied, entityId: id, ...recordIdsOf(idsOf(record)), changes })
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
