// Runs: turns of an agent that a hook or a user asked for, each in the conversation of its session key.

import { randomUUID } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import { type Context, inTransaction, organizationOf } from '../context.ts'
import { AppError, invalid, notFound, type Problem } from '../errors.ts'
import { eventValues, recordEvent } from '../events.ts'
import { scopes } from '../identity/principal.ts'
import { inOrder, load } from '../load.ts'
import { workChannel } from './heartbeat-bell.ts'
import { namedModel, offlineModel } from './models.ts'
import { gatewayOf } from './organization.ts'
import { insertRun, type Run, reopenRun, selectRuns } from './run.sql.ts'
import { type ChannelChoice, longestSeconds, mainSessionKey, type ThinkingLevel, type WakeMode } from './words.ts'

export interface RunAgent {
  message: string
  /** What summaries call it. */
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

/** Credits to micro-credits. */
const micro = (credits: number) => Math.round(credits * 1_000_000)

/** Accepts a run. Throws INVALID for a model, agent or session key that the configuration does not allow. */
export async function runAgent(context: Context, input: RunAgent): Promise<Accepted> {
  const orgId = await gatewayOf(context)
  const { services, principal, db } = context
  const { gateway } = services.config
  const agentId = input.agentId ?? gateway.agents.default
  const agent = Object.hasOwn(gateway.agents.list, agentId) ? gateway.agents.list[agentId] : undefined
  const named = namedModel(gateway.models, input.model ?? agent?.model ?? gateway.models.default ?? offlineModel)
  const problems = problemsOf(context, input, agentId, named.problem)
  if (problems.length > 0) throw invalid(problems)

  const id = uuid()
  const sessionKey = input.sessionKey ?? `hook:${randomUUID()}`
  // A person may read what the agent reads for them.
  const granted =
    principal.kind === 'hook' ? principal : { ...gateway.hooks, scopes: [...new Set([...readingScopes, ...gateway.hooks.scopes])] }
  const inserted = await db.query(insertRun, [
    uuid(),
    orgId,
    sessionKey,
    context.now().toISOString(),
    id,
    agentId,
    input.name ?? null,
    principal.kind === 'hook' ? `hook ${input.name ?? principal.name}` : null,
    input.message,
    input.wakeMode ?? 'now',
    input.deliver ?? true,
    input.channel ?? 'last',
    input.to ?? null,
    named.model,
    input.thinking ?? agent?.thinking ?? null,
    input.timeoutSeconds ?? gateway.agents.timeoutSeconds,
    granted.scopes,
    micro(granted.creditCeiling),
    ...eventValues(context, { type: 'agent_run.accepted', entityId: id, changes: { sessionKey, name: input.name ?? null } }),
  ])
  if (inserted.length === 0)
    throw invalid({
      path: ['sessionKey'],
      type: 'value_error',
      message: 'belongs to a conversation that a person began; send another key, or none for a new conversation',
      input: sessionKey,
    })
  services.outbox.announce()
  await db.afterCommit(() => services.bell.ring(workChannel))
  return { runId: id, sessionKey, status: 'accepted' }
}

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
    // What comes from outside has a conversation of its own; the main session hears of it by its summary.
    else if (principal.kind === 'hook' && sessionKey === mainSessionKey)
      problem('sessionKey', `must not be ${mainSessionKey}, the key of the main session`)
  }
  if (timeoutSeconds != null && !(timeoutSeconds >= 1 && timeoutSeconds <= longestSeconds))
    problem('timeoutSeconds', `must be a number from 1 to ${longestSeconds}`)
  return problems
}

/** The run. Throws NOT_FOUND. */
export async function getRun(context: Context, id: string): Promise<Run> {
  const run = isUuid(id) ? await load(context, loadRuns, id.toLowerCase()) : null
  if (!run) throw notFound('run', id)
  return run
}

const isUuid = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

export async function loadRuns(context: Context, ids: readonly string[]): Promise<(Run | null)[]> {
  return inOrder(ids, await context.db.query(selectRuns, [organizationOf(context), ids]), run => run.id)
}

/** Queues a failed run again. Throws CONFLICT for one that has not failed. */
export async function retryRun(context: Context, id: string): Promise<Run> {
  const orgId = await gatewayOf(context)
  await getRun(context, id)
  return context.db.transaction(async db => {
    const tx = inTransaction(context, db)
    const [reopened] = await db.query(reopenRun, [orgId, id, tx.now().toISOString()])
    if (!reopened) throw new AppError('CONFLICT', `Run ${id} has not failed; only a failed run of a hook can be retried`)
    await recordEvent(tx, { type: 'agent_run.accepted', entityId: id, changes: { retried: true } })
    await db.afterCommit(() => context.services.bell.ring(workChannel))
    return getRun(tx, id)
  })
}
