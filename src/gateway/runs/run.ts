// Runs: work that a hook or a user asks an agent for, each in the session of its key.

import { randomUUID } from 'node:crypto'
import { type ChannelChoice, mainSessionKey, maxSeconds, type ThinkingLevel, type WakeMode } from '../../config/gateway/enums.ts'
import { modelNamed, offlineModel } from '../../config/gateway/models.ts'
import { type Context, inTransaction, organizationOf } from '../../kernel/context.ts'
import { inOrder, load } from '../../kernel/dataloaders.ts'
import { AppError, invalid, notFound } from '../../kernel/errors.ts'
import { announce, eventValues, recordEvent } from '../../kernel/events/events.ts'
import { isId, newId } from '../../kernel/ids.ts'
import type { Problem } from '../../kernel/input/problem.ts'
import { roundToMicro } from '../../kernel/money.ts'
import { areWithin, scopes } from '../../kernel/principal.ts'
import { workChannel } from '../heartbeat/request.ts'
import { gatewayOf } from '../organization.ts'
import { findRuns, type Run, runEvents } from './row.ts'
import { insertRun, newRun, reopenRun } from './run.sql.ts'

export interface RunAgent {
  message: string
  /** The run's name in summaries. */
  name?: string | null
  agentId?: string | null
  /** Default: a new one, `hook:<uuid>`. A key used before continues its conversation. */
  sessionKey?: string | null
  wakeMode?: WakeMode | null
  deliver?: boolean | null
  channel?: ChannelChoice | null
  to?: string | null
  model?: string | null
  thinking?: ThinkingLevel | null
  timeoutSeconds?: number | null
}

export interface Accepted {
  runId: string
  sessionKey: string
  status: 'accepted'
}

const readingScopes = scopes.filter(scope => scope.endsWith(':read'))

/** Accepts a run. Throws INVALID for a model, agent or session key that the configuration does not allow. */
export async function runAgent(context: Context, input: RunAgent): Promise<Accepted> {
  const orgId = await gatewayOf(context)
  const { services, principal, db } = context
  const { gateway } = services.config
  const agentId = input.agentId ?? gateway.agents.default
  const agent = Object.hasOwn(gateway.agents.list, agentId) ? gateway.agents.list[agentId] : undefined
  const named = modelNamed(gateway.models, input.model ?? agent?.model ?? gateway.models.default ?? offlineModel)
  const problems = problemsOf(context, input, agentId, named.problem)
  if (problems.length > 0 || named.model === undefined) throw invalid(problems)

  const id = newId()
  const sessionKey = input.sessionKey ?? `hook:${randomUUID()}`
  // A run that a user asked for may read everything, since the user may.
  const granted =
    principal.kind === 'hook' ? principal : { ...gateway.hooks, scopes: [...new Set([...readingScopes, ...gateway.hooks.scopes])] }
  const isHook = principal.kind === 'hook'
  const now = context.now().toISOString()
  const inserted = await db.query(insertRun, [
    newId(),
    orgId,
    sessionKey,
    isHook ? 'hook' : 'user',
    now,
    ...newRun.of({
      id,
      orgId,
      kind: 'hook',
      agentId,
      name: input.name ?? null,
      origin: isHook ? `hook ${input.name ?? principal.name}` : null,
      askedById: askerIn(context),
      message: input.message,
      wakeMode: input.wakeMode ?? 'now',
      deliver: input.deliver ?? true,
      channel: input.channel ?? 'last',
      recipient: input.to ?? null,
      model: named.model,
      thinking: input.thinking ?? agent?.thinking ?? null,
      timeoutSeconds: input.timeoutSeconds ?? gateway.agents.timeoutSeconds,
      scopes: [...granted.scopes],
      creditCeiling: roundToMicro(granted.creditCeiling),
      status: 'accepted',
      createdAt: now,
    }),
    ...eventValues(context, { type: runEvents.accepted, entityId: id, changes: { sessionKey, name: input.name ?? null } }),
  ])
  if (inserted.length === 0)
    throw invalid({
      path: ['sessionKey'],
      type: 'value_error',
      message: 'belongs to a conversation that a person began; send another key, or none for a new conversation',
      input: sessionKey,
    })
  await announce(context)
  await db.afterCommit(() => services.notifier.notify(workChannel))
  return { runId: id, sessionKey, status: 'accepted' }
}

// Whether the run continues depends on its asker: see asker.ts.
const askerIn = ({ principal }: Context) => (principal.kind === 'session' ? principal.userId : null)

function problemsOf({ services, principal }: Context, input: RunAgent, agentId: string, modelProblem: string | undefined): Problem[] {
  const { agents, hooks } = services.config.gateway
  const problems: Problem[] = []
  const problem = (field: keyof RunAgent, message: string) =>
    problems.push({ path: [field], type: 'value_error', message, input: input[field] ?? null })

  if (input.message.trim() === '') problem('message', 'must not be blank')
  if (agentId !== 'main' && !Object.hasOwn(agents.list, agentId))
    problem('agentId', `must be one of ${[...new Set(['main', ...Object.keys(agents.list)])].join(', ')}`)
  if (modelProblem) problem('model', modelProblem)
  const { sessionKey, timeoutSeconds } = input
  const prefixes = hooks.allowedSessionKeyPrefixes
  if (sessionKey != null) {
    if (sessionKey.trim() === '' || sessionKey.length > 255 || /\p{Cc}/u.test(sessionKey))
      problem('sessionKey', 'must have 1 to 255 characters, none of them control characters')
    else if (principal.kind === 'hook' && prefixes && !prefixes.some(prefix => sessionKey.startsWith(prefix)))
      problem('sessionKey', `must start with one of ${prefixes.join(', ')}`)
    // Text from outside never enters the main session itself, only its summary does.
    else if (principal.kind === 'hook' && sessionKey === mainSessionKey)
      problem('sessionKey', `must not be ${mainSessionKey}, the key of the main session`)
  }
  if (timeoutSeconds != null && !(timeoutSeconds >= 1 && timeoutSeconds <= maxSeconds))
    problem('timeoutSeconds', `must be a number from 1 to ${maxSeconds}`)
  return problems
}

/** The run. Throws NOT_FOUND, also to a hook for a run that no hook asked for. */
export async function getRun(context: Context, id: string): Promise<Run> {
  const { principal } = context
  const run = isId(id) ? await load(context, loadRuns, id.toLowerCase()) : null
  if (!run || (principal.kind === 'hook' && run.origin === null)) throw notFound('run', id)
  // A mapping with a token or signature of its own may have wider scopes. The hook token does not get the texts of its runs.
  return principal.kind !== 'hook' || areWithin(run.scopes, principal.scopes) ? run : { ...run, reply: null, ...withoutWords(run) }
}

const withoutWords = ({ summary, error }: Run): Pick<Run, 'summary' | 'error'> => {
  const leftOut = '(left out: the run has scopes that runs of the hook token do not have)'
  return { summary: summary && leftOut, error: error && leftOut }
}

export async function loadRuns(context: Context, ids: readonly string[]): Promise<(Run | null)[]> {
  return inOrder(ids, await findRuns(context.db, { where: { orgId: organizationOf(context), id: { in: [...ids] } } }), run => run.id)
}

/** Queues a failed run again. Throws CONFLICT if the run has not failed. */
export async function retryRun(context: Context, id: string): Promise<Run> {
  const orgId = await gatewayOf(context)
  await getRun(context, id)
  return context.db.transaction(async db => {
    const tx = inTransaction(context, db)
    const [reopened] = await db.query(reopenRun, [orgId, id, tx.now().toISOString(), askerIn(context)])
    if (!reopened) throw new AppError('CONFLICT', `Run ${id} has not failed; only a failed run of a hook can be retried`)
    await recordEvent(tx, { type: runEvents.accepted, entityId: id, changes: { retried: true } })
    await db.afterCommit(() => context.services.notifier.notify(workChannel))
    return getRun(tx, id)
  })
}
