// One attempt at a job: runs its steps in order and records them, then writes suggestions, charge and end in one transaction.

import type { Contact } from '../../contacts/contact/row.ts'
import { type Context, inTransaction, type Services } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { camelCase } from '../../kernel/input/case.ts'
import { creditsOf, microOf } from '../../kernel/money.ts'
import { providers } from '../providers/all.ts'
import { StepError } from '../providers/outgoing.ts'
import { type Facts, type Finding, notConfigured, type Reading, type StepResult } from '../providers/provider.ts'
import { refusedStep } from '../recipes/paid-step.ts'
import { type Recipe, recipeOfVersion, type Step } from '../recipes/recipe.ts'
import { chargeable, writeSuggestions } from '../suggestions/write.ts'
import { contactFieldTypes, wireName } from '../targets/field.ts'
import { contactOfTarget } from '../targets/target.ts'
import { asWorker, type ClaimedJob, ClaimLost, end, lockClaim, type Progress, storeProgress } from './claim.ts'
import type { JobResult, StepFinding, StepRecord } from './job.sql.ts'
import { maxCost } from './job.ts'
import { workerLost } from './queue.sql.ts'

/** Runs the job to its end. Throws ClaimLost when another worker has the job or it was canceled; any other error makes the attempt fail. */
export async function runJob(services: Services, job: ClaimedJob, claimed: AbortSignal): Promise<void> {
  const context = asWorker(services, job)
  const recipe = await recipeOfVersion(services, job.recipe, job.recipeVersion)
  const timeUp = AbortSignal.timeout(recipe.timeoutSeconds * 1000)
  const signal = AbortSignal.any([claimed, timeUp])
  if (job.isTakenOver) await recordEvent(context, { type: 'enrichment_job.retried', entityId: job.id, changes: { reason: workerLost } })
  else if (job.steps.length === 0)
    await recordEvent(context, { type: 'enrichment_job.running', entityId: job.id, changes: { attempt: job.attempts } })

  const work = (async () => {
    const contact = await contactOfTarget(context, job.orgId, job.target)
    const done = await runSteps(context, job, recipe, contact, signal)
    signal.throwIfAborted()
    await finish(context, job, recipe, done)
  })()
  // A provider that ignores its signal must not block the job. Its late result is discarded.
  const cut = Promise.withResolvers<never>()
  const onAbort = () =>
    cut.reject(timeUp.aborted && !claimed.aborted ? new Error(`It took longer than ${recipe.timeoutSeconds} s`) : new ClaimLost())
  signal.addEventListener('abort', onAbort, { once: true })
  work.catch(() => {})
  await Promise.race([work, cut.promise]).finally(() => signal.removeEventListener('abort', onAbort))
}

async function runSteps(
  context: Context,
  job: ClaimedJob,
  recipe: Recipe,
  contact: Contact | null,
  signal: AbortSignal,
): Promise<Progress> {
  const steps = [...job.steps]
  const findings = [...job.findings]
  const readings = [...job.readings]
  const known = factsOf(job, contact)
  for (const step of recipe.steps.slice(steps.length)) {
    signal.throwIfAborted()
    const facts = withFindings(known, steps, findings)
    const wanted = new Set(
      step.fields.filter(field => !isAnswered(field, step, findings) && (step.when === 'any' || isEmpty(known[field]))),
    )
    const started = performance.now()
    const result = await runStep(context, job, step, { facts, wanted, readings, contactId: contact?.id ?? null, signal })
    if (signal.aborted) throw signal.reason
    const found = result.findings.filter(finding => wanted.has(finding.field) && !isEmpty(finding.value)).map(bounded)
    if (result.readings) readings.push(...result.readings)
    const observedAt = context.now().toISOString()
    findings.push(...found.map(finding => ({ ...finding, step: step.id, provider: step.provider, observedAt })))
    steps.push({
      step: step.id,
      provider: step.provider,
      status: found.length > 0 ? 'found' : result.skipped ? 'skipped' : result.error ? 'failed' : 'no_data',
      credits: 0,
      durationMs: Math.round(performance.now() - started),
      error: result.skipped ?? result.error ?? null,
      detail: result.detail ? spelled(result.detail) : null,
    })
    await storeProgress(context, job, { steps, findings, readings })
  }
  return { steps, findings, readings }
}

type StepSituation = {
  facts: Facts
  wanted: ReadonlySet<string>
  readings: readonly Reading[]
  contactId: string | null
  signal: AbortSignal
}

/** Runs a step. A failed step is a result with `error`; it does not fail the job. */
async function runStep(context: Context, job: ClaimedJob, step: Step, situation: StepSituation): Promise<StepResult> {
  const { facts, wanted } = situation
  const skipped = (reason: string): StepResult => ({ findings: [], skipped: reason })
  if (wanted.size === 0) return skipped('nothing_missing')
  if (step.needs.some(field => isEmpty(facts[field]))) return skipped('nothing_to_go_by')
  if (!Object.entries(step.if).every(([field, expected]) => holds(facts[field], expected))) return skipped('condition_not_met')
  const provider = providers[step.provider]
  if (!provider) return { findings: [], error: `There is no provider ${step.provider} any more` }

  const timeUp = AbortSignal.timeout(step.timeoutSeconds * 1000)
  const signal = AbortSignal.any([situation.signal, timeUp])
  const cut = Promise.withResolvers<never>()
  const onAbort = () => cut.reject(new StepError(`No answer within ${step.timeoutSeconds} s`))
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    const options = provider.options.parse(step.options)
    const missing = notConfigured(provider, options, context.services) ?? (await refusedStep(context, step, job.orgId))
    if (missing) return skipped(missing)
    const work = provider.run({ ...situation, target: job.target, options, context, signal })
    work.catch(() => {})
    return await Promise.race([work, cut.promise])
  } catch (error) {
    if (error instanceof StepError) return { findings: [], error: error.message }
    // The database is unavailable, so the attempt fails and is repeated.
    if (error instanceof AppError) throw error
    context.services.log.warn({ err: error, job: job.id, step: step.id }, 'a step of an enrichment job failed unexpectedly')
    return { findings: [], error: 'It failed unexpectedly' }
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/** The facts before the first step. In order of precedence: the contact's fields, the request's options, the target's id. */
function factsOf(job: ClaimedJob, contact: Contact | null): Record<string, unknown> {
  const facts: Record<string, unknown> = {}
  const learn = (field: string, value: unknown) => {
    if (isEmpty(facts[field]) && !isEmpty(value)) facts[field] = value
  }
  if (contact) {
    for (const field of Object.keys(contactFieldTypes) as (keyof typeof contactFieldTypes)[]) learn(field, contact[field])
    for (const [key, value] of Object.entries(contact.custom)) learn(`custom.${key}`, value)
  }
  for (const [name, value] of Object.entries(job.options)) learn(camelCase(name), value)
  const { kind, id } = job.target
  if (kind === 'company' && domainForm.test(id)) learn('companyDomain', id.toLowerCase())
  if (!contact && kind !== 'company' && mailForm.test(id)) learn('email', id)
  return facts
}

const domainForm = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/i
const mailForm = /^[^\s@]+@([a-z0-9-]+\.)+[a-z]{2,63}$/i

/** The facts together with those of the steps so far: the best finding for each unknown field, and the steps' details. */
function withFindings(known: Facts, steps: readonly StepRecord[], findings: readonly StepFinding[]): Facts {
  const facts: Record<string, unknown> = { ...known }
  for (const { field, value } of bestOf(findings)) if (isEmpty(facts[field])) facts[field] = value
  for (const { detail } of steps)
    for (const [name, value] of Object.entries(detail ?? {}))
      if (facts[camelCase(name)] === undefined && (typeof value === 'string' || typeof value === 'boolean')) facts[camelCase(name)] = value
  return facts
}

/** The details with keys in snake_case. */
const spelled = (detail: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(detail).map(([name, value]) => [wireName(name), value]))

const isEmpty = (value: unknown) => value === undefined || value === null || value === ''
const holds = (fact: unknown, expected: boolean | string) =>
  typeof expected === 'string' ? String(fact ?? '') === expected : expected === !(isEmpty(fact) || fact === false)

const isAnswered = (field: string, { stopOn }: Step, findings: readonly StepFinding[]) =>
  findings.some(finding => finding.field === field && finding.confidence >= stopOn)

const bounded = (finding: Finding): Finding => ({ ...finding, confidence: Math.min(1, Math.max(0, finding.confidence)) })

/** The finding with the highest confidence for each field; the first of equal ones. */
function bestOf(findings: readonly StepFinding[]): StepFinding[] {
  const best = new Map<string, StepFinding>()
  for (const finding of findings) if (finding.confidence > (best.get(finding.field)?.confidence ?? -1)) best.set(finding.field, finding)
  return [...best.values()]
}

/** Writes suggestions, charge and end of the job in one transaction, while the claim is locked. */
async function finish(context: Context, job: ClaimedJob, recipe: Recipe, { steps, findings }: Progress): Promise<void> {
  const { money, database } = context.services
  await database.transaction(async tx => {
    const inside = inTransaction(context, tx)
    await lockClaim(inside, job)
    const contact = await contactOfTarget(inside, job.orgId, job.target)
    const { priced, costMicro } = await pricedSteps(inside, job, recipe, steps, findings)
    const about = { orgId: job.orgId, target: job.target, jobId: job.id, callId: null, contact }
    const written = await writeSuggestions(inside, about, bestOf(findings), recipe)
    const payment = await pay(inside, job, recipe, costMicro)
    await end(inside, job, {
      status: payment.isShort ? 'insufficient_credits' : 'completed',
      result: resultOf(steps, findings),
      error: payment.isShort ? 'The credits did not suffice for what was found' : null,
      contactId: contact?.id ?? null,
      suggestionCount: written,
      chargedMicro: payment.chargedMicro,
      steps: priced,
    })
  })

  async function pay(inside: Context, { holdId, payerId }: ClaimedJob, { steps: all }: Recipe, costMicro: bigint) {
    if (holdId !== null) {
      const { chargedMicro } = await money.settle(inside, holdId, costMicro)
      return { chargedMicro, isShort: chargedMicro < costMicro }
    }
    if (costMicro === 0n || all.length === 0) return { chargedMicro: 0n, isShort: false }
    // A job that was retried by hand has no hold, because its first hold has been released.
    try {
      const userId = payerId ?? (await money.payerOf(inside))
      const expiresAt = new Date(context.now().getTime() + 60_000)
      const hold = await money.reserve(inside, { userId, amountMicro: costMicro, reference: `enrichment_job:${job.id}`, expiresAt })
      if (!hold) return { chargedMicro: 0n, isShort: false }
      const { chargedMicro } = await money.settle(inside, hold.holdId, costMicro)
      return { chargedMicro, isShort: false }
    } catch (error) {
      if (error instanceof AppError && error.code === 'INSUFFICIENT_CREDITS') return { chargedMicro: 0n, isShort: true }
      throw error
    }
  }
}

/** The cost of each step: its price, if the step found a value that was not charged before: see `chargeable`. */
async function pricedSteps(
  context: Context,
  job: ClaimedJob,
  recipe: Recipe,
  steps: readonly StepRecord[],
  findings: readonly StepFinding[],
) {
  if (maxCost(recipe) === 0n) return { priced: steps, costMicro: 0n }
  const fresh = await chargeable(context, job, findings)
  let costMicro = 0n
  const priced = steps.map(record => {
    const price = microOf(recipe.steps.find(({ id }) => id === record.step)?.price ?? 0)
    if (price === 0n || !fresh.has(record.step)) return record
    costMicro += price
    return { ...record, credits: creditsOf(price) }
  })
  return { priced, costMicro }
}

function resultOf(steps: readonly StepRecord[], findings: readonly StepFinding[]): JobResult {
  if (findings.length === 0) return 'no_data'
  return steps.some(({ status, error }) => status === 'failed' || (status === 'found' && error !== null)) ? 'partial' : 'found'
}
