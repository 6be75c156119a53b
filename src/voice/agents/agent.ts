// Voice agents: the script, number and provider of calls. Each change makes a new version.

import { listCustomFields } from '../../contacts/custom-fields/field.ts'
import { holdCredential } from '../../identity/authentication/held-credential.ts'
import { countryOf } from '../../identity/organizations/country-and-currency.ts'
import { type Context, organizationOf } from '../../kernel/context.ts'
import { type Batch, inOrder } from '../../kernel/dataloaders.ts'
import { AppError, invalid, notFound } from '../../kernel/errors.ts'
import { inTwoSteps } from '../../kernel/idempotency/idempotency.ts'
import { isId, newId } from '../../kernel/ids.ts'
import { lockNoun, type Maximum, requireRoom } from '../../kernel/limits/maxima.ts'
import { actorOf } from '../../kernel/principal.ts'
import { requireProvider } from '../providers/paid.ts'
import { type AgentFields, agentAt, agents, agentsById, lockedAgent, type VoiceAgent } from './agent.sql.ts'
import { type AgentInput, readAgent } from './input.ts'
import { languageOfCountry } from './language.ts'
import { placeholdersIn, warningsAbout } from './placeholders.ts'
import { provisionLater, provisionSoon } from './provisioning.ts'
import { overlapMs, secretsOf } from './secret.ts'
import { addAgent, agentEvents, changeAgent } from './write.ts'

// 200: each is made at its provider too, where it may cost something.
export const maxAgents: Maximum = { noun: 'voiceAgents', most: 200, of: 'An organization', nouns: 'agents', remedy: 'archive one first' }

export interface NewAgent extends AgentInput {
  name: string
  /** Keeps the new agent a draft: `provisionAgain` sends it to its provider later. */
  draft?: boolean | null
}

/** An agent, archived or not. */
export async function getAgent(context: Context, id: string): Promise<VoiceAgent> {
  const orgId = organizationOf(context)
  const agent = isId(id) ? await agentAt(context, orgId, id) : undefined
  if (!agent) throw notFound('voice agent', id)
  return agent
}

/** Problems of the agent's texts that somebody should look at, each as a sentence. */
export async function warningsOf(
  context: Context,
  agent: Pick<VoiceAgent, 'instructions' | 'firstMessage' | 'extraction'>,
): Promise<string[]> {
  const placeholders = placeholdersIn(agent.instructions, agent.firstMessage)
  const targets = Object.values(agent.extraction).flatMap(({ field }) =>
    field?.startsWith('custom.') ? [field.slice('custom.'.length)] : [],
  )
  if (placeholders.length === 0 && targets.length === 0) return []
  const keys = (await listCustomFields(context)).map(({ key }) => key)
  const missing = targets.filter(key => !keys.includes(key)).map(key => `There is no custom field ${key}, so its value stays in the call`)
  return [...warningsAbout(placeholders, keys), ...missing]
}

export const loadAgents: Batch<string, VoiceAgent | null> = async (context, ids) =>
  inOrder(ids, await context.db.query(agentsById(agents.all), [organizationOf(context), ids]), agent => agent.id)

/** Adds an agent and provisions it, unless it is a draft. Throws ALREADY_EXISTS if the number is taken, and CONFLICT for too many. */
export async function createAgent(context: Context, { draft, ...input }: NewAgent): Promise<VoiceAgent> {
  const orgId = organizationOf(context)
  const country = input.language === undefined ? await countryOf(context, orgId) : null
  const fields = checkAgent(context, { ...input, language: input.language ?? languageOfCountry(country) }, null)
  await requireProvider(context, fields.provider)
  const now = context.now().toISOString()
  const agent: VoiceAgent = {
    ...fields,
    id: newId(),
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
  return writeAndProvision(context, async inside => {
    await lockNoun(inside.db, maxAgents, orgId)
    requireRoom(maxAgents, await inside.db.prisma.voiceAgent.count({ where: { orgId, status: { not: 'archived' } } }))
    return addAgent(inside, agent)
  })
}

/** Changes the given fields. Throws PRECONDITION_FAILED unless the version is `ifVersion`, and CONFLICT for an archived agent. */
export function updateAgent(context: Context, id: string, input: AgentInput, ifVersion?: number | null): Promise<VoiceAgent> {
  return changing(context, id, async (inside, agent) => {
    if (agent.status === 'archived') throw new AppError('CONFLICT', 'An archived agent cannot be changed')
    if (ifVersion != null && ifVersion !== agent.version)
      throw new AppError('PRECONDITION_FAILED', `The agent has version ${agent.version}, not ${ifVersion}`, { version: agent.version })
    const fields = checkAgent(context, input, agent)
    if (fields.provider !== agent.provider) await requireProvider(inside, fields.provider)
    const names = Object.keys(fields) as (keyof AgentFields)[]
    const differs = (name: keyof AgentFields) => JSON.stringify(fields[name]) !== JSON.stringify(agent[name])
    if (!names.some(differs)) return agent
    const isMoved = routing.some(differs)
    const status = agent.status === 'failed' || (agent.status === 'active' && isMoved) ? 'provisioning' : agent.status
    // The new provider does not know the ids of the former one.
    const known = fields.provider === agent.provider ? {} : { providerAssistantId: null, providerPhoneId: null }
    return changeAgent(inside, agent, { ...fields, ...known, status, statusReason: null, version: agent.version + 1 })
  })
}

const routing = ['provider', 'phoneNumber', 'dispatchUrl'] as const

/** Provisions a draft, or an agent whose provisioning failed. */
export function provisionAgain(context: Context, id: string): Promise<VoiceAgent> {
  return changing(context, id, (inside, agent) => {
    if (agent.status !== 'draft' && agent.status !== 'failed') throw unfit(agent, 'only a draft or a failed agent can be provisioned')
    return changeAgent(inside, agent, { status: 'provisioning', statusReason: null })
  })
}

/** Stops an agent from placing calls until it is resumed. Its waiting calls stay in the queue. */
export function pauseAgent(context: Context, id: string): Promise<VoiceAgent> {
  return changing(context, id, (inside, agent) => {
    if (agent.status === 'paused') return Promise.resolve(agent)
    if (agent.status !== 'active') throw unfit(agent, 'only an active agent can be paused')
    return changeAgent(inside, agent, { status: 'paused' }, agentEvents.paused)
  })
}

/** The secrets that sign the agent's messages, the current one first. */
export async function signingSecrets(context: Context, id: string): Promise<{ agent: VoiceAgent; secrets: string[] }> {
  const agent = await getAgent(context, id)
  // Checked after reading the agent: a revocation that stops the agent changes its secret too.
  await holdCredential(context)
  return { agent, secrets: secretsOf(context.services.config, agent, context.now()) }
}

/** Gives the agent a new secret. The previous one stays valid for a day, during which this throws CONFLICT. */
export async function rotateSigningSecret(context: Context, id: string): Promise<{ agent: VoiceAgent; secrets: string[] }> {
  const agent = await changing(context, id, (inside, current) => {
    const { secretRotatedAt, secretVersion } = current
    if (secretRotatedAt !== null && context.now().getTime() - Date.parse(secretRotatedAt) < overlapMs)
      throw new AppError('CONFLICT', 'The secret was rotated less than a day ago, and the one before still counts')
    const change = { secretVersion: secretVersion + 1, secretRotatedAt: context.now().toISOString() }
    return changeAgent(inside, current, change, agentEvents.secret_rotated)
  })
  return { agent, secrets: secretsOf(context.services.config, agent, context.now()) }
}

/** Changes a locked agent and provisions it again if necessary. */
export async function changing(
  context: Context,
  id: string,
  change: (inside: Context, agent: VoiceAgent) => Promise<VoiceAgent>,
): Promise<VoiceAgent> {
  const orgId = organizationOf(context)
  return writeAndProvision(context, async inside => {
    const [agent] = isId(id) ? await inside.db.query(lockedAgent, [orgId, id]) : []
    if (!agent) throw notFound('voice agent', id)
    return change(inside, agent)
  })
}

export const unfit = ({ status }: VoiceAgent, why: string) => new AppError('CONFLICT', `The agent is ${status}; ${why}`)

function writeAndProvision(context: Context, write: (inside: Context) => Promise<VoiceAgent>): Promise<VoiceAgent> {
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

function checkAgent(context: Context, input: AgentInput, current: VoiceAgent | null): AgentFields {
  const { telephony, config } = context.services
  const before = current && {
    name: current.name,
    hostAppId: current.hostAppId,
    instructions: current.instructions,
    firstMessage: current.firstMessage,
    extraction: current.extraction,
    phoneNumber: current.phoneNumber,
    language: current.language,
    voice: current.voice,
    model: current.model,
    transferTo: current.transferTo,
    provider: current.provider,
    dispatchUrl: current.dispatchUrl,
  }
  const { agent, problems } = readAgent(input, before, { telephony, defaultProvider: config.VOICE_PROVIDER, models: config.gateway.models })
  if (problems.length > 0) throw invalid(problems)
  return agent
}
