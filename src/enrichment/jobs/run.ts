// One attempt at a job: runs its steps in order and records them, then ends the job.

import type { Context, Services } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { camelCase, wireName } from '../../kernel/input/case.ts'
import { OutgoingError } from '../../kernel/outgoing/answer.ts'
import { providers } from '../providers/all.ts'
import { StepError } from '../providers/outgoing.ts'
import { type Facts, type Finding, notConfigured, type Reading, type StepResult } from '../providers/provider.ts'
import { refusalOfStep } from '../recipes/paid-step.ts'
import { type Recipe, recipeOfVersion, type Step } from '../recipes/recipe.ts'
import { bestOf } from '../suggestions/write.ts'
import { fieldTypes, valueIn } from '../targets/field.ts'
import type { TargetRecord } from '../targets/record.ts'
import { domainOf, recordOfTarget } from '../targets/target.ts'
import { asWorker, type ClaimedJob, ClaimLost, type Progress, storeProgress } from './claim.ts'
import { finish } from './finish.ts'
import type { StepFinding, StepRecord } from './job.sql.ts'

/**
 * Runs the job to its end. `onEnding`: called when all steps are done. Throws ClaimLost when another worker has the job or it was canceled; any
 * other error makes the attempt fail.
 */
export async function runJob(services: Services, job: ClaimedJob, claimed: AbortSignal, onEnding: () => void): Promise<void> {
  const context = asWorker(services, job)
  const recipe = await recipeOfVersion(services, job.recipe, job.recipeVersion)
  const timeUp = AbortSignal.timeout(recipe.timeoutSeconds * 1000)
  const signal = AbortSignal.any([claimed, timeUp])
  const progress = createProgress(context, job)
  const work = (async () => {
    const record = await recordOfTarget(context, job.orgId, job.target)
    await runSteps(context, job, recipe, record, progress, signal)
    signal.throwIfAborted()
    onEnding()
    await finish(context, { job, recipe, progress })
  })()
  // A provider that ignores its signal must not block the job. Its late result is discarded.
  const cut = Promise.withResolvers<never>()
  const onAbort = () =>
    cut.reject(timeUp.aborted && !claimed.aborted ? new Error(`It took longer than ${recipe.timeoutSeconds} s`) : new ClaimLost())
  signal.addEventListener('abort', onAbort, { once: true })
  work.catch(() => {})
  try {
    await Promise.race([work, cut.promise])
  } catch (error) {
    // The next attempt continues after these steps, and a job that fails shows them.
    if (!(error instanceof ClaimLost) && !claimed.aborted) await progress.store()
    throw error
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

interface Recorded extends Progress {
  /** Stores the steps that are not stored yet. Throws ClaimLost. */
  store(): Promise<void>
}

function createProgress(context: Context, job: ClaimedJob): Recorded {
  let stored = job.steps.length
  return {
    steps: [...job.steps],
    findings: [...job.findings],
    readings: [...job.readings],
    async store() {
      const count = this.steps.length
      if (count === stored) return
      await storeProgress(context, job, this)
      stored = count
    },
  }
}

async function runSteps(
  context: Context,
  job: ClaimedJob,
  recipe: Recipe,
  record: TargetRecord | null,
  progress: Recorded,
  signal: AbortSignal,
): Promise<void> {
  const { steps, findings, readings } = progress
  const known = factsOf(job, record)
  const contactId = record?.noun === 'contact' ? record.row.id : null
  for (const step of recipe.steps.slice(steps.length)) {
    signal.throwIfAborted()
    const facts = withFindings(known, steps, findings)
    const wanted = new Set(
      step.fields.filter(field => !isAnswered(field, step, findings) && (step.when === 'any' || isEmpty(known[field]))),
    )
    const started = performance.now()
    let isOutside = false
    const goOutside = () => {
      isOutside = true
      return progress.store()
    }
    const situation = { facts, wanted, readings, contactId, signal, goOutside }
    const result = await runStep(context, job, step, situation)
    if (signal.aborted) throw signal.reason
    const found = result.findings.filter(finding => wanted.has(finding.field) && !isEmpty(finding.value)).map(boundConfidence)
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
      detail: result.detail ? spellDetail(result.detail) : null,
    })
    // Stored at once, so that the next worker does not repeat it. Local steps are repeated quickly: they are stored with the next outside
    // step, or when the job ends.
    if (isOutside) await progress.store()
  }
}

type StepSituation = {
  facts: Facts
  wanted: ReadonlySet<string>
  readings: readonly Reading[]
  contactId: string | null
  signal: AbortSignal
  /** Called before a step that may take long or cost something. Stores the steps before it, so that they are shown meanwhile. */
  goOutside(): Promise<void>
}

/** Runs a step. A failed step is a result with `error`; it does not fail the job. */
async function runStep(context: Context, job: ClaimedJob, step: Step, { goOutside, ...situation }: StepSituation): Promise<StepResult> {
  const { facts, wanted } = situation
  const skip = (reason: string): StepResult => ({ findings: [], skipped: reason })
  if (wanted.size === 0) return skip('nothing_missing')
  if (step.needs.some(field => isEmpty(facts[field]))) return skip('nothing_to_go_by')
  if (!Object.entries(step.if).every(([field, expected]) => holds(facts[field], expected))) return skip('condition_not_met')
  const provider = providers[step.provider]
  if (!provider) return { findings: [], error: `There is no provider ${step.provider} any more` }

  try {
    const options = provider.options.parse(step.options)
    const missing = notConfigured(provider, options, context.services) ?? (await refusalOfStep(context, step, job.orgId))
    if (missing) return skip(missing)
    const input = { ...situation, target: job.target, options, context }
    if (provider.isLocal) return await provider.run(input)
    await goOutside()
    return await withinTime(step, situation.signal, signal => provider.run({ ...input, signal }))
  } catch (error) {
    if (error instanceof StepError || error instanceof OutgoingError) return { findings: [], error: error.message }
    // The database is unavailable, so the attempt fails and is repeated; or another worker has the job.
    if (error instanceof AppError || error instanceof ClaimLost) throw error
    context.services.log.warn({ err: error, job: job.id, step: step.id }, 'a step of an enrichment job failed unexpectedly')
    return { findings: [], error: 'It failed unexpectedly' }
  }
}

/** Rejects at the step's timeout, also when the provider ignores its signal. */
async function withinTime<Result>({ timeoutSeconds }: Step, claimed: AbortSignal, run: (signal: AbortSignal) => Promise<Result>) {
  const signal = AbortSignal.any([claimed, AbortSignal.timeout(timeoutSeconds * 1000)])
  const cut = Promise.withResolvers<never>()
  const onAbort = () => cut.reject(new StepError(`No answer within ${timeoutSeconds} s`))
  signal.addEventListener('abort', onAbort, { once: true })
  const work = run(signal)
  work.catch(() => {})
  return Promise.race([work, cut.promise]).finally(() => signal.removeEventListener('abort', onAbort))
}

/** The facts before the first step. In order of precedence: the record's fields, the request's options, the target's id. */
function factsOf(job: ClaimedJob, record: TargetRecord | null): Record<string, unknown> {
  const facts: Record<string, unknown> = {}
  const learn = (field: string, value: unknown) => {
    if (isEmpty(facts[field]) && !isEmpty(value)) facts[field] = value
  }
  if (record) {
    for (const field of fieldTypes[record.noun].keys()) learn(field, valueIn(record, field))
    for (const [key, value] of Object.entries(record.row.custom)) learn(`custom.${key}`, value)
  }
  // Recipes call them the same for a contact and for a company.
  if (record?.noun === 'company') {
    learn('companyName', record.row.name)
    learn('companyDomain', record.row.domain)
  }
  for (const [name, value] of Object.entries(job.options)) learn(camelCase(name), value)
  const { kind, id } = job.target
  learn('companyDomain', domainOf(job.target))
  if (!record && kind !== 'company' && mailForm.test(id)) learn('email', id)
  return facts
}

const mailForm = /^[^\s@]+@([a-z0-9-]+\.)+[a-z]{2,63}$/i

/** The facts together with the facts of the steps so far: the best finding for each unknown field, and the steps' details. */
function withFindings(known: Facts, steps: readonly StepRecord[], findings: readonly StepFinding[]): Facts {
  const facts: Record<string, unknown> = { ...known }
  for (const { field, value } of bestOf(findings)) if (isEmpty(facts[field])) facts[field] = value
  for (const { detail } of steps)
    for (const [name, value] of Object.entries(detail ?? {}))
      if (facts[camelCase(name)] === undefined && (typeof value === 'string' || typeof value === 'boolean')) facts[camelCase(name)] = value
  return facts
}

/** The details with keys in snake_case. */
const spellDetail = (detail: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(detail).map(([name, value]) => [wireName(name), value]))

const isEmpty = (value: unknown) => value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
const holds = (fact: unknown, expected: boolean | string) =>
  typeof expected === 'string' ? String(fact ?? '') === expected : expected === !(isEmpty(fact) || fact === false)

const isAnswered = (field: string, { stopOn }: Step, findings: readonly StepFinding[]) =>
  findings.some(finding => finding.field === field && finding.confidence >= stopOn)

const boundConfidence = (finding: Finding): Finding => ({ ...finding, confidence: Math.min(1, Math.max(0, finding.confidence)) })
