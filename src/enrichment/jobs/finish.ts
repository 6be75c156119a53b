// The end of jobs: suggestions, charges, ends and events in one transaction. Jobs that end at the same time share it.

import { alone, inOneTransaction, type RuleOfMany, together } from '../../kernel/batching/together.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { shorten } from '../../kernel/input/cut.ts'
import { creditsOf, microOf } from '../../kernel/money.ts'
import { isUnavailable } from '../providers/provider.ts'
import type { Recipe } from '../recipes/recipe.ts'
import { chargeable, writeSuggestions } from '../suggestions/write.ts'
import { idsOf } from '../targets/record.ts'
import { recordsOfTargets } from '../targets/target.ts'
import { type ClaimedJob, ClaimLost, type Ending, endAll, lockClaims, type Progress } from './claim.ts'
import type { StepRecord } from './job.sql.ts'
import { maxCost } from './job.ts'

/** A job whose steps are all done. */
interface Done {
  job: ClaimedJob
  recipe: Recipe
  progress: Progress
}

/** Writes suggestions, charge and end of the job in one transaction, while the claim is locked. Throws ClaimLost. */
export async function finish(context: Context, done: Done): Promise<void> {
  // One batch at a time. It fills while the one before is written, so more jobs share a statement than with three batches at a time.
  const isEnded = await (isJoined(done) ? together(context, finishAll, done, { per: 'process' }) : alone(context, finishAll, done))
  if (!isEnded) throw new ClaimLost()
}

// Charging locks accounts, and applying suggestions locks records. A batch would wait for these locks while it holds the locks of other jobs.
const isJoined = ({ job, recipe }: Done) => job.holdId === null && maxCost(recipe) === 0n && !recipe.autoApply

/**
 * Ends jobs. Resolves with false for a job whose claim is lost; nothing is written for it. A batch waits only for the locks of short
 * transactions. When one is held for longer than a statement may take, the attempts of the batch fail and are repeated.
 */
const finishAll: RuleOfMany<Done, boolean> = asked =>
  inOneTransaction(asked, async (all, { db }) => {
    const locked = await lockClaims(
      db,
      all.map(({ input: { job } }) => job),
    )
    const held = all.flatMap(({ context, input }) => (locked.has(input.job.id) ? [{ context, ...input }] : []))
    const records = await recordsOfTargets(
      db,
      held.map(({ job }) => job),
    )
    const costs: Cost[] = []
    for (const one of held) costs.push(await costOf(one))
    const suggested = await writeSuggestions(
      held.map(({ context, job: { orgId, target, id: jobId }, recipe, progress }, index) => {
        const record = records[index] ?? null
        return { context, orgId, target, jobId, callId: null, record, findings: progress.findings, rules: recipe }
      }),
    )
    const endings: Ending[] = []
    for (const [index, one] of held.entries()) {
      const { context, job, progress } = one
      const { steps, micro } = costs[index] ?? { steps: progress.steps, micro: 0n }
      const { isShort, chargedMicro } = await pay(one, micro)
      endings.push({
        ...{ job, context, chargedMicro },
        ...outcomeOf(progress),
        ...(isShort && { status: 'insufficient_credits', error: 'The credits did not suffice for the result' }),
        ...idsOf(records[index] ?? null),
        suggestionCount: suggested[index] ?? 0,
        progress: { steps, findings: progress.findings },
      })
    }
    await endAll(endings)
    return all.map(({ input: { job } }) => locked.has(job.id))
  })

/** A job whose claim is locked. */
interface Held extends Done {
  context: Context
}

interface Cost {
  steps: StepRecord[]
  micro: bigint
}

/** The cost of each step: its price, if the step found a value that was not charged before: see `chargeable`. */
async function costOf({ context, job, recipe, progress: { steps, findings } }: Held): Promise<Cost> {
  if (maxCost(recipe) === 0n) return { steps, micro: 0n }
  const fresh = await chargeable(context, job, findings)
  let micro = 0n
  const priced = steps.map(record => {
    const price = microOf(recipe.steps.find(({ id }) => id === record.step)?.price ?? 0)
    if (price === 0n || !fresh.has(record.step)) return record
    micro += price
    return { ...record, credits: creditsOf(price) }
  })
  return { steps: priced, micro }
}

async function pay({ context, job: { id, holdId, payerId } }: Held, costMicro: bigint) {
  const { money } = context.services
  if (holdId !== null) {
    const { chargedMicro } = await money.settle(context, holdId, costMicro)
    return { chargedMicro, isShort: chargedMicro < costMicro }
  }
  if (costMicro === 0n) return { chargedMicro: 0n, isShort: false }
  // A job that was retried by hand has no hold, because its first hold has been released.
  try {
    const userId = payerId ?? (await money.payerOf(context))
    const expiresAt = new Date(context.now().getTime() + 60_000)
    const hold = await money.reserve(context, { userId, amountMicro: costMicro, reference: `enrichment_job:${id}`, expiresAt })
    if (!hold) return { chargedMicro: 0n, isShort: false }
    const { chargedMicro } = await money.settle(context, hold.holdId, costMicro)
    return { chargedMicro, isShort: false }
  } catch (error) {
    if (error instanceof AppError && error.code === 'INSUFFICIENT_CREDITS') return { chargedMicro: 0n, isShort: true }
    throw error
  }
}

/** The end of a job whose steps are all done. A job with a step that could not be asked never says that there is no data. */
function outcomeOf({ steps, findings }: Progress): Pick<Ending, 'status' | 'result' | 'error'> {
  const unasked = steps.filter(
    ({ status, error }) => status === 'failed' || (error !== null && (status === 'found' || isUnavailable(error))),
  )
  if (findings.length > 0) return { status: 'completed', result: unasked.length > 0 ? 'partial' : 'found', error: null }
  if (unasked.length === 0) return { status: 'completed', result: 'no_data', error: null }
  return {
    status: 'failed',
    result: null,
    error: shorten(unasked.map(({ step, error }) => `${step}: ${error}`).join('; '), 1000),
  }
}
