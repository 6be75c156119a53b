// Enrichment jobs: queued for a target and a recipe, one at a time for both; looked at, canceled, and tried again by hand.

import { v7 as uuid } from 'uuid'
import { isId } from '../contacts/page.ts'
import { type Context, inTransaction, organizationOf } from '../context.ts'
import { sqlState, statement } from '../database/client.ts'
import { AppError, invalid, notFound, type Problem } from '../errors.ts'
import { eventValues, recordEvent } from '../events.ts'
import { actorOf } from '../identity/principal.ts'
import { type Batch, inOrder } from '../load.ts'
import { microOf } from '../money.ts'
import { cancelJob, type Job, jobById, jobsById, openJobOf, openStatuses, requeueJob, setJobHold } from './job.sql.ts'
import { alone, counted, type Insert, type Inserted, insertAlone, insertTogether } from './job-insert.ts'
import { requireRecipe } from './paid-step.ts'
import { defaultRecipe, type Recipe, recipesOf } from './recipe.ts'
import { normal, problemsOf, type Target } from './target.ts'

export interface NewJob {
  target: Target
  /** Default: the kind's own. */
  recipe?: string | null
  /** What else is known of the target, by the names of fields. */
  options?: Record<string, unknown> | null
}

export const jobChannel = 'rolocom_enrichment'

/** A job of the organization. */
export async function getJob(context: Context, id: string): Promise<Job> {
  const [job] = isId(id) ? await context.db.query(jobById, [organizationOf(context), id]) : []
  if (!job) throw notFound('enrichment job', id)
  return job
}

export const loadJobs: Batch<string, Job | null> = async (context, ids) =>
  inOrder(ids, await context.db.query(jobsById, [organizationOf(context), ids]), job => job.id)

/** What an input asks for, or everything wrong with it. */
export function checkedJob({ services }: Context, { target, recipe: wanted, options }: NewJob): CheckedJob | Problem[] {
  const problems = problemsOf(target, ['target'])
  const recipes = recipesOf(services)
  const name = wanted ?? defaultRecipe(target.kind.trim())
  const recipe = recipes.get(name)
  if (!recipe) problems.push(unknownRecipe(name, [...recipes.keys()]))
  else if (recipe.kinds && !recipe.kinds.includes(target.kind.trim())) problems.push(wrongKind(recipe, target.kind))
  const size = Buffer.byteLength(JSON.stringify(options ?? {}))
  if (size > mostOptions) problems.push(tooLarge(size))
  return problems.length > 0 || !recipe ? problems : { target: normal(target), recipe, options: options ?? {} }
}

export interface CheckedJob {
  target: Target
  recipe: Recipe
  options: Record<string, unknown>
}

/**
 * Queues a job, and keeps what it may cost. An open one for the same target and recipe is returned instead. Throws INVALID,
 * INSUFFICIENT_CREDITS, FORBIDDEN for a recipe that the operator pays for and has not allowed, and RATE_LIMITED where the organization has too many waiting.
 */
export async function enqueueJob(context: Context, input: NewJob): Promise<Job> {
  organizationOf(context)
  const checked = checkedJob(context, input)
  if (Array.isArray(checked)) throw invalid(checked)
  return (await enqueueChecked(context, checked)).job
}

export function enqueueChecked(context: Context, checked: CheckedJob): Promise<{ job: Job; isNew: boolean }> {
  return counted(context, () => enqueueOrFind(context, organizationOf(context), checked))
}

async function enqueueOrFind(context: Context, orgId: string, checked: CheckedJob): Promise<{ job: Job; isNew: boolean }> {
  const { target, recipe } = checked
  await requireRecipe(context, recipe)
  const most = context.services.config.ENRICHMENT_QUEUE_LIMIT
  const isFree = mostCost(recipe) === 0n
  for (;;) {
    // Far from the limit the count may be a little late. Close to it everybody counts one after the other.
    const limit = most - margin
    const inserted = isFree && limit > 0 ? await insert(context, orgId, checked, limit, insertTogether) : null
    const mustWait = !inserted || (!inserted.job && inserted.waiting + mostTogether >= limit)
    const job = inserted?.job ?? (mustWait ? await alone(context, inside => insertCarefully(inside, orgId, checked, most)) : null)
    if (job) {
      await context.db.afterCommit(() => context.services.bell.ring(jobChannel))
      return { job, isNew: true }
    }
    const [existing] = await context.db.query(openJobOf, [orgId, target.hostApp, target.kind, target.id, recipe.name])
    if (existing) return { job: existing, isNew: false }
  }
}

/** Ends an open job. What it has found so far is dropped, and nothing is charged. One that is canceled already stays so. */
export async function cancelEnrichmentJob(context: Context, id: string): Promise<Job> {
  const orgId = organizationOf(context)
  const known = await getJob(context, id)
  if (known.status === 'canceled') return known
  await context.db.transaction(async tx => {
    const inside = inTransaction(context, tx)
    const [canceled] = await tx.query(cancelJob, [orgId, known.id, context.now().toISOString()])
    if (!canceled) {
      const { status } = await getJob(inside, id)
      throw new AppError('CONFLICT', `The job is ${status} and can no longer be canceled`, { status })
    }
    if (canceled.holdId !== null) await context.services.money.release(inside, canceled.holdId)
    await recordEvent(inside, { type: 'enrichment_job.canceled', entityId: known.id, contactId: canceled.contactId })
  })
  return getJob(context, id)
}

/** Queues a job that failed for good once more; steps that were done are not done again. */
export async function retryEnrichmentJob(context: Context, id: string): Promise<Job> {
  const orgId = organizationOf(context)
  const known = await getJob(context, id)
  if (openStatuses.includes(known.status)) return known
  try {
    await context.db.transaction(async tx => {
      const inside = inTransaction(context, tx)
      const [queued] = await tx.query(requeueJob, [orgId, known.id, context.now().toISOString()])
      if (!queued) throw new AppError('CONFLICT', `The job is ${known.status}; only one that failed can be tried again`)
      await recordEvent(inside, { type: 'enrichment_job.retried', entityId: known.id, contactId: queued.contactId })
    })
  } catch (error) {
    if (sqlState(error) !== '23505') throw error
    throw new AppError('CONFLICT', 'Another job for this target and recipe is open already')
  }
  await context.db.afterCommit(() => context.services.bell.ring(jobChannel))
  return getJob(context, id)
}

// ---- single steps

// 16 kB: facts, not documents.
const mostOptions = 16_384
// More than connections to the database: whoever counted before others had committed stays below the limit all the same.
const margin = 250
// Of one statement, see convoy.ts.
const mostTogether = 64

/** The most that a run may cost, in micro-credits. */
export const mostCost = (recipe: Recipe): bigint => recipe.steps.reduce((sum, { price }) => sum + microOf(price), 0n)

async function insert(
  context: Context,
  orgId: string,
  { target, recipe, options }: CheckedJob,
  limit: number,
  write: (context: Context, insert: Insert) => Promise<Inserted>,
  payerId: string | null = null,
): Promise<{ job: Job | null; waiting: number }> {
  const job: Job = {
    ...{ id: uuid(), orgId, target, contactId: null, recipe: recipe.name, recipeVersion: recipe.version, options },
    ...{ status: 'queued', result: null, steps: [], error: null, suggestionCount: 0, attempts: 0 },
    ...{ creditsReservedMicro: 0, creditsChargedMicro: 0, createdBy: actorOf(context.principal) },
    ...{ createdAt: context.now().toISOString(), startedAt: null, finishedAt: null },
  }
  const details = { target, recipe: recipe.name, recipeVersion: recipe.version }
  const event = eventValues(context, { type: 'enrichment_job.queued', entityId: job.id, changes: details, orgId })
  const { isNew, contactId, waiting } = await write(context, { job, payerId, limit, event })
  if (!isNew) return { job: null, waiting }
  context.services.outbox.announce()
  return { job: { ...job, contactId }, waiting }
}

const lockQueue = statement<never>('job_queue_lock', 'select pg_advisory_xact_lock(hashtextextended($1, 20261120))')
// A job waits for hours at the worst; after a day its reservation lapses, and it asks for another when its turn comes.
const holdMs = 24 * 3_600_000

/** Inside a transaction of its own: one after the other, and with the money. Null where an open job stands in the way. */
async function insertCarefully(context: Context, orgId: string, checked: CheckedJob, limit: number): Promise<Job | null> {
  const { target, recipe } = checked
  const cost = mostCost(recipe)
  const payerId = cost > 0n ? await context.services.money.payerOf(context) : null
  await context.db.query(lockQueue, [orgId])
  const { job, waiting } = await insert(context, orgId, checked, limit, insertAlone, payerId)
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
  await context.db.query(setJobHold, [job.id, hold.holdId, cost])
  return { ...job, creditsReservedMicro: Number(cost) }
}

const listed = (names: readonly string[]) =>
  names.length < 2
    ? `'${names[0] ?? ''}'`
    : `${names
        .slice(0, -1)
        .map(name => `'${name}'`)
        .join(', ')} or '${names.at(-1)}'`

function unknownRecipe(input: string, known: readonly string[]): Problem {
  const expected = listed(known.toSorted())
  return { path: ['recipe'], type: 'enum', message: `Input should be ${expected}`, input, context: { expected } }
}

function wrongKind(recipe: Recipe, kind: string): Problem {
  const error = `the recipe ${recipe.name} is for targets of kind ${listed(recipe.kinds ?? [])}`
  return { path: ['recipe'], type: 'value_error', message: `Value error, ${error}`, input: kind, context: { error } }
}

function tooLarge(size: number): Problem {
  const error = `options must have at most ${mostOptions} bytes as JSON, not ${size}`
  return { path: ['options'], type: 'value_error', message: `Value error, ${error}`, input: null, context: { error } }
}
