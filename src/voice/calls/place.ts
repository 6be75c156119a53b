// Placing a call: checks the order, stores the call, and dials.

import { alone, inOneTransaction, orRefused, type RuleCall, type RuleOfMany, together } from '../../kernel/batching/together.ts'
import { type Context, organizationOf } from '../../kernel/context.ts'
import { AppError, invalid } from '../../kernel/errors.ts'
import { inTwoSteps } from '../../kernel/idempotency/idempotency.ts'
import { isId } from '../../kernel/ids.ts'
import { type Problem, valueError } from '../../kernel/input/problem.ts'
import { sharedAgent, type VoiceAgent } from '../agents/agent.sql.ts'
import { dispatchCall } from '../dispatch/dispatch.ts'
import { type Policy, policyFacts, type Verdict, verdictOn, verdictOnTrial, zoneOf } from '../policy/policy.ts'
import { requireProvider } from '../providers/paid.ts'
import { endsWithin } from '../time-limit.ts'
import { contactsByPhone, liveContacts, liveDeals, lockNumbers } from './call.sql.ts'
import { type CallOrder, type NewCall, readCall } from './input.ts'
import { insert, type Placing } from './insert.ts'
import type { Call, CallRecord } from './row.ts'
import { trialVariables } from './trial-values.ts'

/**
 * Places a call: stores it, then dials at once. Resolves with the call after the provider's answer, or as it was stored if it has to wait,
 * the provider is slow or another process dials it. Throws INVALID, AGENT_NOT_ACTIVE, INSUFFICIENT_CREDITS; then nothing is dialled.
 */
export async function createCall(context: Context, input: NewCall): Promise<Call> {
  const orgId = organizationOf(context)
  const { config } = context.services
  const dialIfPending = (outside: Context, call: CallRecord) =>
    call.dispatchState === 'pending' ? dialSoon(outside, call) : Promise.resolve(call)
  // A write with an Idempotency-Key has a transaction of its own. Reserving credits locks the payer's account, which must not wait for
  // another call.
  if (context.steps || context.db.inTransaction || config.VOICE_PRICE_PER_MINUTE > 0)
    return inTwoSteps(context, inside => alone(inside, placeCalls, input), dialIfPending, config.VOICE_DISPATCH_WAIT_MS)
  return dialIfPending(context, await together(context, placeCalls, input, { per: orgId }))
}

/** Checks and stores calls of one organization, in one transaction for all that are requested together. */
const placeCalls: RuleOfMany<NewCall, CallRecord> = asked =>
  inOneTransaction(asked, async (all, tx) => {
    const checked = await checkAll(tx, all)
    const accepted = checked.flatMap(one => (one instanceof AppError ? [] : [one]))
    const calls = await insert(tx, await decideAll(tx, accepted))
    const callOf = new Map(accepted.map((one, index) => [one, calls[index]]))
    return checked.map(one => (one instanceof AppError ? one : requireStored(callOf.get(one))))
  })

function requireStored(call: CallRecord | null | undefined): CallRecord {
  if (!call) throw new Error('A call was inserted and not returned')
  return call
}

async function dialSoon(context: Context, call: CallRecord): Promise<CallRecord> {
  const { services } = context
  const dialled = dispatchCall(services, call)
  // The provider is slow: the caller gets a `pending` call, and the dial continues in the background.
  if (!(await endsWithin(services.config.VOICE_DISPATCH_WAIT_MS, dialled))) return call
  const current = await dialled
  return current && current.dispatchState !== 'dispatching' ? current : call
}

interface Checked {
  context: Context
  order: CallOrder
  agent: VoiceAgent
  provider: VoiceAgent['provider']
  contactId: string | null
  dealId: string | null
}

/** Writes nothing. */
async function checkAll(tx: Context, all: readonly RuleCall<NewCall>[]): Promise<(Checked | AppError)[]> {
  const orgId = organizationOf(tx)
  const agentIds = new Set(all.flatMap(({ input: { voiceAgentId } }) => idOf(voiceAgentId) ?? []))
  const contactIds = new Set(all.flatMap(({ input: { contactId } }) => idOf(contactId) ?? []))
  const dealIds = new Set(all.flatMap(({ input: { dealId } }) => idOf(dealId) ?? []))
  const agents = agentIds.size > 0 ? await tx.db.query(sharedAgent, [orgId, [...agentIds]]) : []
  const contacts = contactIds.size > 0 ? await tx.db.query(liveContacts, [orgId, [...contactIds]]) : []
  const deals = dealIds.size > 0 ? await tx.db.query(liveDeals, [orgId, [...dealIds]]) : []
  const agentById = new Map(agents.map(agent => [agent.id, agent]))
  const live = new Set([...contacts, ...deals].map(({ id }) => id))
  const found = (id: string | null | undefined) => {
    const read = idOf(id)
    return read !== null && live.has(read) ? read : null
  }
  const checked: (Checked | AppError)[] = []
  for (const { context, input } of all) {
    const agent = agentById.get(idOf(input.voiceAgentId) ?? '')
    const records = { contactId: found(input.contactId), dealId: found(input.dealId) }
    checked.push(await orRefused(() => check(context, input, agent, records)))
  }
  return checked
}

const idOf = (text: string | null | undefined): string | null => (text != null && isId(text) ? text.toLowerCase() : null)

async function check(
  context: Context,
  input: NewCall,
  agent: VoiceAgent | undefined,
  { contactId, dealId }: Pick<Checked, 'contactId' | 'dealId'>,
): Promise<Checked> {
  const { order, problems } = readCall(input, context.now())
  if (!agent) problems.push(valueError('voiceAgentId', 'there is no voice agent with this id', input.voiceAgentId))
  else if (problems.length === 0) problems.push(...(await foreignNumber(context, agent, order)))
  if (input.contactId != null && contactId === null)
    problems.push(valueError('contactId', 'there is no contact with this id', input.contactId))
  if (input.dealId != null && dealId === null) problems.push(valueError('dealId', 'there is no deal with this id', input.dealId))
  if (problems.length > 0 || !agent) throw invalid(problems)
  if (agent.status !== 'active')
    throw new AppError('AGENT_NOT_ACTIVE', `The voice agent is ${agent.status}; only an active one places calls`, {
      currentStatus: agent.status,
    })
  // A trial tests the agent's words, not its provider.
  const provider = order.isTrial ? 'simulator' : agent.provider
  await requireProvider(context, provider)
  if (order.isTrial) order.variables = await trialVariables(context, agent, order, contactId)
  return { context, order, agent, provider, contactId, dealId }
}

/** Finds the contacts of the numbers, and decides by the call policy. */
async function decideAll(tx: Context, all: readonly Checked[]): Promise<Placing[]> {
  if (all.length === 0) return []
  const orgId = organizationOf(tx)
  const numbers = new Set(all.flatMap(({ contactId, order }) => (contactId === null && !order.isTrial ? [order.toNumber] : [])))
  const known = await contactsOf(tx, orgId, [...numbers])
  // A trial belongs to no contact and no deal, so that it leaves no trace on one.
  const linked = all.map(one => ({
    ...one,
    contactId: one.order.isTrial ? null : (one.contactId ?? known.get(one.order.toNumber) ?? null),
    dealId: one.order.isTrial ? null : one.dealId,
  }))
  const facts = await policyFacts(
    tx,
    orgId,
    linked.map(({ order, contactId }) => ({ phone: order.toNumber, contactId })),
  )
  return linked.flatMap((one, index): Placing[] => {
    const { context, order } = one
    const about = facts[index]
    if (!about) return []
    const now = context.now()
    const start = order.earliestAt !== null && order.earliestAt > now ? order.earliestAt : now
    const verdict = order.isTrial ? verdictOnTrial(order.latestAt, start) : verdictOn(about, order.latestAt, start)
    if (context.dryRun) context.dryRun.policy = policyOf(verdict, start, zoneOf(about))
    return [{ ...one, verdict, start }]
  })
}

const policyOf = (verdict: Verdict, start: Date, timezone: string): Policy => ({
  isAllowed: verdict.kind !== 'never',
  at: verdict.kind === 'never' ? null : (verdict.kind === 'later' ? verdict.at : start).toISOString(),
  reason: verdict.kind === 'never' ? verdict.reason : verdict.kind === 'later' ? 'calling_hours' : null,
  timezone,
})

/** The oldest contact with each of the numbers. Numbers without one are locked. */
async function contactsOf({ db }: Context, orgId: string, numbers: readonly string[]): Promise<Map<string, string>> {
  const known = new Map<string, string>()
  const read = async (some: readonly string[]) => {
    for (const { phone, id } of await db.query(contactsByPhone, [orgId, some])) known.set(phone, id)
    return some.filter(phone => !known.has(phone))
  }
  const unknown = numbers.length > 0 ? await read(numbers) : []
  if (unknown.length === 0) return known
  await db.query(lockNumbers, [orgId, unknown])
  await read(unknown)
  return known
}

// The operator's account at a provider contains the numbers of all organizations, but each organization may call only from its own.
async function foreignNumber(context: Context, agent: VoiceAgent, { fromNumber }: CallOrder): Promise<Problem[]> {
  if (fromNumber === null || fromNumber === agent.phoneNumber || (agent.provider !== 'twilio' && agent.provider !== 'vapi')) return []
  const own = await context.db.prisma.voiceAgent.findFirst({
    where: { orgId: agent.orgId, provider: agent.provider, phoneNumber: fromNumber, status: { not: 'archived' } },
    select: { id: true },
  })
  return own ? [] : [valueError('fromNumber', 'it is not the number of an agent of this organization', fromNumber)]
}
