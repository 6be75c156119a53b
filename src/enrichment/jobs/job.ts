// Enrichment jobs: enqueue (one open job per target and recipe), read, cancel and retry.

import { sqlState } from '../../database/errors.ts'
import type { InputJsonValue } from '../../generated/prisma/internal/prismaNamespace.ts'
import { alone, inOwnTransaction, together } from '../../kernel/batching/together.ts'
import { type Context, inTransaction, organizationOf } from '../../kernel/context.ts'
import { type Batch, inOrder } from '../../kernel/dataloaders.ts'
import { AppError, invalid, notFound } from '../../kernel/errors.ts'
import { announce, eventRow, recordEvent } from '../../kernel/events/events.ts'
import { isId, newId } from '../../kernel/ids.ts'
import { type Problem, problem, valueError } from '../../kernel/input/problem.ts'
import { microOf } from '../../kernel/money.ts'
import { actorOf } from '../../kernel/principal.ts'
import { isUnavailable } from '../providers/provider.ts'
import { requireRecipe } from '../recipes/paid-step.ts'
import { defaultRecipe, type Recipe, recipesOf } from '../recipes/recipe.ts'
import { noRecordIds, recordIdsOf } from '../targets/record.ts'
import { normalizeTarget, problemsOf, type Target } from '../targets/target.ts'
import { insertJobs } from './insert.ts'
import { type Job, jobEvents, jobsById, lockQueue, openJobOf, openStatuses } from './job.sql.ts'

export interface NewJob {
  target: Target
  /** Default: `defaultRecipe` of the target's kind. */
  recipe?: string | null
  /** Facts about the target, by field name. */
  options?: Record<string, unknown> | null
}

export const jobChannel = 'rolocom_enrichment'

/** A job of the organization. Throws NOT_FOUND. */
export async function getJob(context: Context, id: string): Promise<Job> {
  const [job] = isId(id) ? await context.db.query(jobsById, [organizationOf(context), [id]]) : []
  if (!job) throw notFound('enrichment job', id)
  return job
}

export const loadJobs: Batch<string, Job | null> = async (context, ids) =>
  inOrder(ids, await context.db.query(jobsById, [organizationOf(context), ids]), job => job.id)

/** The validated input, or all its problems. */
export function checkJob({ services }: Context, { target, recipe: wanted, options }: NewJob): CheckedJob | Problem[] {
  const problems = problemsOf(target, ['target'])
  const recipes = recipesOf(services)
  const name = wanted ?? defaultRecipe(target.kind.trim())
  const recipe = recipes.get(name)
  if (!recipe) problems.push(unknownRecipe(name, [...recipes.keys()]))
  else if (recipe.kinds && !recipe.kinds.includes(target.kind.trim())) problems.push(wrongKind(recipe, target.kind))
  const size = Buffer.byteLength(JSON.stringify(options ?? {}))
  if (size > maxOptions) problems.push(tooLarge(size))
  return problems.length > 0 || !recipe ? problems : { target: normalizeTarget(target), recipe, options: options ?? {} }
}

export interface CheckedJob {
  target: Target
  recipe: Recipe
  options: Record<string, unknown>
}

/**
 * Queues a job and reserves its maximum cost. If there is an open job for the same target and recipe, returns it instead. Throws INVALID,
 * INSUFFICIENT_CREDITS, RATE_LIMITED when the organization has too many queued jobs, and FORBIDDEN for a recipe without a step that
 * the organization may use, because the operator pays for all of them.
 */
export async function enqueueJob(context: Context, input: NewJob): Promise<Job> {
  // Throws for a caller without an organization, before the input is checked.
  organizationOf(context)
  const checked = checkJob(context, input)
  if (Array.isArray(checked)) throw invalid(checked)
  return (await enqueueChecked(context, checked)).job
}

/** Queues a validated job, or returns the open job for the same target and recipe. */
export function enqueueChecked(context: Context, checked: CheckedJob): Promise<{ job: Job; isNew: boolean }> {
  return enqueueOrFind(context, organizationOf(context), checked)
}

async function enqueueOrFind(context: Context, orgId: string, checked: CheckedJob): Promise<{ job: Job; isNew: boolean }> {
  const { target, recipe } = checked
  await requireRecipe(context, recipe)
  const queueLimit = context.services.config.ENRICHMENT_QUEUE_LIMIT
  const isFree = maxCost(recipe) === 0n
  for (;;) {
    // Below the limit by more than `margin`, jobs are counted without a lock. Closer to the limit, the queue is locked.
    const limit = queueLimit - margin
    const inserted = isFree && limit > 0 ? await insert(context, orgId, checked, limit, together) : null
    const mustWait = !inserted || (!inserted.job && inserted.waiting + maxBatch >= limit)
    const job = inserted?.job ?? (mustWait ? await inOwnTransaction(context, tx => insertLocked(tx, orgId, checked, queueLimit)) : null)
    if (job) {
      await context.db.afterCommit(() => context.services.notifier.notify(jobChannel))
      return { job, isNew: true }
    }
    const [existing] = await context.db.query(openJobOf, [orgId, target.hostApp, target.kind, target.id, recipe.name])
    if (existing) return { job: existing, isNew: false }
  }
}

/** Cancels an open job. Its findings are dropped and nothing is charged. Canceling again changes nothing. Throws CONFLICT for an ended job. */
export async function cancelEnrichmentJob(context: Context, id: string): Promise<Job> {
  const orgId = organizationOf(context)
  const known = await getJob(context, id)
  if (known.status === 'canceled') return known
  await context.db.transaction(async tx => {
    const inside = inTransaction(context, tx)
    const [canceled] = await tx.prisma.enrichmentJob.updateManyAndReturn({
      where: { orgId, id: known.id, status: { in: [...openStatuses] } },
      data: { status: 'canceled', claim: null, leaseUntil: null, finishedAt: context.now() },
      select: { holdId: true, contactId: true, companyId: true },
    })
    if (!canceled) {
      const { status } = await getJob(inside, id)
      throw new AppError('CONFLICT', `The job is ${status} and can no longer be canceled`, { currentStatus: status })
    }
    if (canceled.holdId !== null) await context.services.money.release(inside, canceled.holdId)
    await recordEvent(inside, { type: jobEvents.canceled, entityId: known.id, ...recordIdsOf(canceled) })
  })
  return getJob(context, id)
}

/** Queues a failed job again, which continues with its first step that failed or lacked a setting. Throws CONFLICT for a job that has not failed. */
export async function retryEnrichmentJob(context: Context, id: string): Promise<Job> {
  const orgId = organizationOf(context)
  const known = await getJob(context, id)
  if (openStatuses.includes(known.status)) return known
  try {
    await context.db.transaction(async tx => {
      const inside = inTransaction(context, tx)
      // The caller who asks for it again pays, not the caller who queued it first.
      const { payerId, findings } = await tx.prisma.enrichmentJob.findFirstOrThrow({
        where: { orgId, id: known.id },
        select: { payerId: true, findings: true },
      })
      const first = known.steps.findIndex(({ status, error }) => status === 'failed' || isUnavailable(error ?? ''))
      const steps = known.steps.slice(0, first < 0 ? known.steps.length : first)
      const kept = new Set(steps.map(({ step }) => step))
      const payer = payerId === null ? null : await context.services.money.payerOf(inside)
      const [queued] = await tx.prisma.enrichmentJob.updateManyAndReturn({
        where: { orgId, id: known.id, status: { in: ['failed', 'insufficient_credits'] } },
        data: {
          ...{ status: 'queued', attempts: 0, runAfter: context.now(), error: null, result: null, finishedAt: null },
          steps: steps as unknown as InputJsonValue,
          findings: (findings as { step: string }[]).filter(({ step }) => kept.has(step)),
          ...{ holdId: null, creditsReserved: 0, creditsCharged: 0, payerId: payer },
        },
        select: { contactId: true, companyId: true },
      })
      if (!queued) throw new AppError('CONFLICT', `The job is ${known.status}; only one that failed can be tried again`)
      await recordEvent(inside, { type: jobEvents.retried, entityId: known.id, ...recordIdsOf(queued) })
    })
  } catch (error) {
    if (sqlState(error) !== '23505') throw error
    throw new AppError('CONFLICT', 'Another job for this target and recipe is open already')
  }
  await context.db.afterCommit(() => context.services.notifier.notify(jobChannel))
  return getJob(context, id)
}

// 16 kB: enough for facts, too little for documents.
const maxOptions = 16_384
// Larger than the number of database connections, so that concurrent inserts that do not see each other stay below the limit.
const margin = 250
// The maximum size of a batch: see database/batcher.ts.
const maxBatch = 64

/** The maximum cost of a run, in micro-credits. */
export const maxCost = (recipe: Recipe): bigint => recipe.steps.reduce((sum, { price }) => sum + microOf(price), 0n)

async function insert(
  context: Context,
  orgId: string,
  { target, recipe, options }: CheckedJob,
  limit: number,
  ask: typeof alone,
  payerId: string | null = null,
): Promise<{ job: Job | null; waiting: number }> {
  const job: Job = {
    ...{ id: newId(), orgId, target, ...noRecordIds, recipe: recipe.name, recipeVersion: recipe.version, options },
    ...{ status: 'queued', result: null, steps: [], error: null, suggestionCount: 0, attempts: 0 },
    ...{ creditsReservedMicro: 0, creditsChargedMicro: 0, createdBy: actorOf(context.principal) },
    ...{ createdAt: context.now().toISOString(), startedAt: null, finishedAt: null },
  }
  const details = { target, recipe: recipe.name, recipeVersion: recipe.version }
  const event = eventRow(context, { type: jobEvents.queued, entityId: job.id, changes: details, orgId })
  const { isNew, contactId, companyId, waiting } = await ask(context, insertJobs, { job, payerId, limit, event })
  if (!isNew) return { job: null, waiting }
  await announce(context)
  return { job: { ...job, contactId, companyId }, waiting }
}

// 24 h: jobs wait for hours at most. When the hold has expired, the job reserves credits again at its end.
const holdMs = 24 * 3_600_000

/** Inserts the job with the queue locked, in a transaction of its own, and reserves its cost. Null when there is an open job. */
async function insertLocked(context: Context, orgId: string, checked: CheckedJob, limit: number): Promise<Job | null> {
  const { target, recipe } = checked
  const cost = maxCost(recipe)
  const payerId = cost > 0n ? await context.services.money.payerOf(context) : null
  await context.db.query(lockQueue, [orgId])
  const { job, waiting } = await insert(context, orgId, checked, limit, alone, payerId)
  if (!job) {
    if (waiting < limit) return null
    const [existing] = await context.db.query(openJobOf, [orgId, target.hostApp, target.kind, target.id, recipe.name])
    if (existing) return null
    throw new AppError('RATE_LIMITED', `${limit} enrichment jobs of the organization are waiting already`, { retryAfter: 30 })
  }
  if (payerId === null) return job
  const expiresAt = new Date(context.now().getTime() + holdMs)
  const reference = `enrichment_job:${job.id}`
  const hold = await context.services.money.reserve(context, { userId: payerId, amountMicro: cost, reference, expiresAt })
  if (!hold) return job
  const reserved = { holdId: hold.holdId, creditsReserved: cost }
  await context.db.prisma.enrichmentJob.update({ where: { id: job.id }, data: reserved, select: { id: true } })
  return { ...job, creditsReservedMicro: Number(cost) }
}

const listNames = (names: readonly string[]) =>
  names.length < 2
    ? `'${names[0] ?? ''}'`
    : `${names
        .slice(0, -1)
        .map(name => `'${name}'`)
        .join(', ')} or '${names.at(-1)}'`

function unknownRecipe(input: string, known: readonly string[]): Problem {
  const expected = listNames(known.toSorted())
  return problem('recipe', 'enum', input, { expected })
}

function wrongKind(recipe: Recipe, kind: string): Problem {
  return valueError('recipe', `the recipe ${recipe.name} is for targets of kind ${listNames(recipe.kinds ?? [])}`, kind)
}

function tooLarge(size: number): Problem {
  return valueError('options', `options must have at most ${maxOptions} bytes as JSON, not ${size}`, null)
}
