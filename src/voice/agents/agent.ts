// Voice agents: who speaks in a call, from which number, through which provider. Every change of what they say is a new version.

import { v7 as uuid } from 'uuid'
import { isId, isTime, Page, type PageArgs, pageOf } from '../contacts/page.ts'
import { type Context, organizationOf } from '../context.ts'
import { statement } from '../database/client.ts'
import { AppError, invalid, notFound } from '../errors.ts'
import { filterValue } from '../filter-values.ts'
import { holdCredential } from '../identity/held-credential.ts'
import { actorOf } from '../identity/principal.ts'
import { type Batch, inOrder } from '../load.ts'
import { inTwoSteps } from '../once.ts'
import {
  type AgentFields,
  type AgentStatus,
  agentAt,
  agentColumns,
  agentRow,
  agentsById,
  lockedAgent,
  type VoiceAgent,
} from './agent.sql.ts'
import { type AgentInput, readAgent } from './agent-input.ts'
import { overlapMs, secretsOf } from './agent-secret.ts'
import { addAgent, changeAgent } from './agent-write.ts'
import { requireProvider } from './paid-provider.ts'
import { provisionLater, provisionSoon } from './provisioning.ts'
import type { ProviderName } from './telephony.ts'

export interface NewAgent extends AgentInput {
  name: string
  /** Leaves it a draft: nobody is told of it before `provisionAgent`. */
  draft?: boolean | null
}

export interface AgentList extends PageArgs {
  filter?: {
    status?: AgentStatus | null
    statusIn?: readonly AgentStatus[] | null
    provider?: ProviderName | null
    providerIn?: readonly ProviderName[] | null
  } | null
}

/** An agent, archived or not. */
export async function getAgent(context: Context, id: string): Promise<VoiceAgent> {
  const orgId = organizationOf(context)
  const agent = isId(id) ? await agentAt(context, orgId, id) : undefined
  if (!agent) throw notFound('voice agent', id)
  return agent
}

export const loadAgents: Batch<string, VoiceAgent | null> = async (context, ids) =>
  inOrder(ids, await context.db.query(agentsById, [organizationOf(context), ids]), agent => agent.id)

const list = (name: string, after: string) =>
  statement<VoiceAgent>(
    name,
    `select ${agentColumns} from voice_agents where org_id = $1 and ($2::text[] is null or status = any($2)) and ($3::text[] is null or provider = any($3))${after}
     order by created_at desc, id desc limit $4`,
    agentRow,
  )
const listFirst = list('voice_agents', '')
const listAfter = list('voice_agents_after', ' and (created_at, id) < ($5::timestamptz, $6::uuid)')

/** One page of the organization's agents, newest first. */
export async function listAgents(context: Context, { filter, ...args }: AgentList): Promise<Page<VoiceAgent>> {
  const status = eachOf('statusIn', filter?.status, filter?.statusIn)
  const provider = eachOf('providerIn', filter?.provider, filter?.providerIn)
  const name = `agents ${status} ${provider}`
  const page = pageOf(args, name, isTime)
  const values = [organizationOf(context), status, provider, page.size + 1]
  const agents = page.start
    ? await context.db.query(listAfter, [...values, page.start.key, page.start.id])
    : await context.db.query(listFirst, values)
  return new Page(
    agents.map(row => ({ row, key: row.createdAt })),
    page,
    name,
  )
}

// What an agent's column may hold: the one value, of the several those that are the one.
function eachOf(field: string, one: string | null | undefined, several: readonly string[] | null | undefined): readonly string[] | null {
  if (several == null) return one == null ? null : [one]
  const values = [filterValue(field, several)].flat()
  return one == null ? values : values.filter(value => value === one)
}

/** Adds an agent and, unless it is a draft, makes it known to its provider. Throws ALREADY_EXISTS for a number that is taken. */
export async function createAgent(context: Context, { draft, ...input }: NewAgent): Promise<VoiceAgent> {
  const orgId = organizationOf(context)
  const fields = checked(context, input, null)
  await requireProvider(context, fields.provider)
  const now = context.now().toISOString()
  const agent: VoiceAgent = {
    ...fields,
    id: uuid(),
    orgId,
    providerAssistantId: null,
    providerPhoneId: null,
    status: draft ? 'draft' : 'provisioning',
    statusReason: null,
    version: 1,
    provisionedVersion: null,
    secretVersion: 1,
    secretRotatedAt: null,
    createdBy: actorOf(context.principal),
    createdAt: now,
    updatedAt: now,
  }
  return provisioned(context, inside => addAgent(inside, agent))
}

/** Changes what the input names. Throws PRECONDITION_FAILED for another version than `ifVersion`, CONFLICT for an archived agent. */
export function updateAgent(context: Context, id: string, input: AgentInput, ifVersion?: number | null): Promise<VoiceAgent> {
  return changing(context, id, async (inside, agent) => {
    if (agent.status === 'archived') throw new AppError('CONFLICT', 'An archived agent cannot be changed')
    if (ifVersion != null && ifVersion !== agent.version)
      throw new AppError('PRECONDITION_FAILED', `The agent has version ${agent.version}, not ${ifVersion}`, { version: agent.version })
    const fields = checked(context, input, agent)
    if (fields.provider !== agent.provider) await requireProvider(inside, fields.provider)
    const names = Object.keys(fields) as (keyof AgentFields)[]
    const differs = (name: keyof AgentFields) => JSON.stringify(fields[name]) !== JSON.stringify(agent[name])
    if (!names.some(differs)) return agent
    const isMoved = routing.some(differs)
    const status = agent.status === 'failed' || (agent.status === 'active' && isMoved) ? 'provisioning' : agent.status
    // Another provider, or another account's number, knows nothing of the ids of the one before.
    const known = fields.provider === agent.provider ? {} : { providerAssistantId: null, providerPhoneId: null }
    return changeAgent(inside, agent, { ...fields, ...known, status, statusReason: null, version: agent.version + 1 })
  })
}

const routing = ['provider', 'phoneNumber', 'dispatchUrl'] as const

/** Makes a draft known to its provider, or tries again what failed. */
export function provisionAgain(context: Context, id: string): Promise<VoiceAgent> {
  return changing(context, id, (inside, agent) => {
    if (agent.status !== 'draft' && agent.status !== 'failed') throw unfit(agent, 'only a draft or a failed agent can be provisioned')
    return changeAgent(inside, agent, { status: 'provisioning', statusReason: null })
  })
}

/** Lets an agent place no calls until it is resumed; calls that wait keep waiting. */
export function pauseAgent(context: Context, id: string): Promise<VoiceAgent> {
  return changing(context, id, (inside, agent) => {
    if (agent.status === 'paused') return Promise.resolve(agent)
    if (agent.status !== 'active') throw unfit(agent, 'only an active agent can be paused')
    return changeAgent(inside, agent, { status: 'paused' }, 'agent.paused')
  })
}

/** The secrets that the agent's own messages are signed with, the one in use first. */
export async function signingSecrets(context: Context, id: string): Promise<{ agent: VoiceAgent; secrets: string[] }> {
  const agent = await getAgent(context, id)
  // After reading: a revocation that stops the agent changes its secret with it.
  await holdCredential(context)
  return { agent, secrets: secretsOf(context.services.config, agent, context.now()) }
}

/** Gives the agent a new secret; the one before counts for another day. Throws CONFLICT while that day lasts. */
export async function rotateSigningSecret(context: Context, id: string): Promise<{ agent: VoiceAgent; secrets: string[] }> {
  const agent = await changing(context, id, (inside, current) => {
    const { secretRotatedAt, secretVersion } = current
    if (secretRotatedAt !== null && context.now().getTime() - Date.parse(secretRotatedAt) < overlapMs)
      throw new AppError('CONFLICT', 'The secret was rotated less than a day ago, and the one before still counts')
    const change = { secretVersion: secretVersion + 1, secretRotatedAt: context.now().toISOString() }
    return changeAgent(inside, current, change, 'agent.secret_rotated')
  })
  return { agent, secrets: secretsOf(context.services.config, agent, context.now()) }
}

/** Changes a locked agent, and tells its provider where that is necessary. */
export async function changing(
  context: Context,
  id: string,
  change: (inside: Context, agent: VoiceAgent) => Promise<VoiceAgent>,
): Promise<VoiceAgent> {
  const orgId = organizationOf(context)
  return provisioned(context, async inside => {
    const [agent] = isId(id) ? await inside.db.query(lockedAgent, [orgId, id]) : []
    if (!agent) throw notFound('voice agent', id)
    return change(inside, agent)
  })
}

export const unfit = ({ status }: VoiceAgent, why: string) => new AppError('CONFLICT', `The agent is ${status}; ${why}`)

function provisioned(context: Context, write: (inside: Context) => Promise<VoiceAgent>): Promise<VoiceAgent> {
  const { VOICE_DISPATCH_WAIT_MS } = context.services.config
  const waits = ({ status, version, provisionedVersion }: VoiceAgent) =>
    status === 'provisioning' || (status === 'active' && version !== provisionedVersion)
  return inTwoSteps(
    context,
    async inside => {
      await holdCredential(inside)
      const agent = await write(inside)
      if (waits(agent)) await provisionLater(inside, agent)
      return agent
    },
    async (outside, agent) => (waits(agent) ? provisionSoon(outside, agent, VOICE_DISPATCH_WAIT_MS) : agent),
    VOICE_DISPATCH_WAIT_MS,
  )
}

function checked(context: Context, input: AgentInput, current: VoiceAgent | null): AgentFields {
  const { telephony, config } = context.services
  const before = current && {
    name: current.name,
    hostAppId: current.hostAppId,
    instructions: current.instructions,
    firstMessage: current.firstMessage,
    extraction: current.extraction,
    phoneNumber: current.phoneNumber,
    provider: current.provider,
    dispatchUrl: current.dispatchUrl,
  }
  const { agent, problems } = readAgent(input, before, { telephony, defaultProvider: config.VOICE_PROVIDER })
  if (problems.length > 0) throw invalid(problems)
  return agent
}
