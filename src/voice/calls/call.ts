// Calls: placed by an agent, dialled at once or when it is their turn, followed by what the provider tells.

import { v7 as uuid } from 'uuid'
import { createContact, loadContacts } from '../contacts/contact.ts'
import type { Contact } from '../contacts/contact-row.ts'
import { isId } from '../contacts/page.ts'
import { type Context, organizationOf, requireScope } from '../context.ts'
import { statement } from '../database/client.ts'
import { AppError, invalid, notFound, type Problem } from '../errors.ts'
import { eventValues } from '../events.ts'
import { actorOf } from '../identity/principal.ts'
import { type Batch, inOrder, load } from '../load.ts'
import { inTwoSteps } from '../once.ts'
import { sharedAgent, type VoiceAgent } from './agent.sql.ts'
import { loadAgents } from './agent.ts'
import { callById, callContents, insertCall } from './call.sql.ts'
import { deadlineOf } from './call-claim.ts'
import { dialOf, dispatch } from './call-dispatch.ts'
import { type CallOrder, type NewCall, readCall } from './call-input.ts'
import { costOf } from './call-move.ts'
import type { Call, CallContent } from './call-row.ts'
import { dispatchLater } from './call-tasks.ts'
import { gateFacts, type Verdict, verdictOn } from './gate.ts'
import { problem } from './input.ts'
import { requireProvider } from './paid-provider.ts'

export async function getCall(context: Context, id: string): Promise<Call> {
  const [call] = isId(id) ? await context.db.query(callById, [organizationOf(context), id]) : []
  if (!call) throw notFound('call', id)
  return call
}

const noContent = { transcript: [], extracted: {}, variables: {} }

/** What was said in a call, and what the agent was given. Calls of one page are read together. */
export const contentOf = async (context: Context, { id }: Call): Promise<Omit<CallContent, 'id'>> =>
  (await load(context, loadContents, id)) ?? noContent

/** The agent as it is now. Throws FORBIDDEN for whoever may not read agents. */
export const agentOf = (context: Context, { agentId }: Call): Promise<VoiceAgent | null> => load(context, agentsForCalls, agentId)

/** The contact, deleted or not. Throws FORBIDDEN for whoever may not read contacts. */
export const contactOf = (context: Context, { contactId }: Call): Promise<Contact | null> | null =>
  contactId === null ? null : load(context, contactsForCalls, contactId)

// Once per batch, not once per row.
const agentsForCalls: typeof loadAgents = async (context, ids) => {
  requireScope(context, 'agents:read')
  return loadAgents(context, ids)
}
const contactsForCalls: typeof loadContacts = async (context, ids) => {
  requireScope(context, 'contacts:read')
  return loadContacts(context, ids)
}

const loadContents: Batch<string, CallContent | null> = async (context, ids) =>
  inOrder(ids, await context.db.query(callContents, [organizationOf(context), ids]), content => content.id)

/**
 * Places a call: it is written down with its dial task, then dialled at once. Resolves with the call as the provider has it, or as it was
 * written down when it has to wait or the provider is slow. Throws INVALID, AGENT_NOT_ACTIVE, INSUFFICIENT_CREDITS, and then no phone rings.
 */
export function createCall(context: Context, input: NewCall): Promise<Call> {
  const orgId = organizationOf(context)
  const { services } = context
  return inTwoSteps(
    context,
    inside => writeCall(inside, orgId, input),
    (outside, call) => (call.dispatchState === 'pending' ? dialledSoon(outside, call) : Promise.resolve(call)),
    services.config.VOICE_DISPATCH_WAIT_MS,
  )
}

async function dialledSoon(context: Context, call: Call): Promise<Call> {
  const { services } = context
  const { promise: late, resolve } = Promise.withResolvers<'late'>()
  const timer = setTimeout(() => resolve('late'), services.config.VOICE_DISPATCH_WAIT_MS)
  const dialled = dispatch(services, call.orgId).then(() => dialOf(services, call.id))
  const inTime = await Promise.race([dialled, late])
  clearTimeout(timer)
  // Whoever is told `pending` knows all there is to know: the worker goes on with it.
  if (inTime === 'late') return call
  const [current] = await services.database.query(callById, [call.orgId, call.id])
  return current && current.dispatchState !== 'dispatching' ? current : call
}

async function writeCall(context: Context, orgId: string, input: NewCall): Promise<Call> {
  const now = context.now()
  const { order, problems } = readCall(input, now)
  const [agent] = isId(input.agentId) ? await context.db.query(sharedAgent, [orgId, input.agentId]) : []
  if (!agent) problems.push(problem('agentId', input.agentId, 'there is no voice agent with this id'))
  else if (problems.length === 0) problems.push(...(await foreignNumber(context, agent, order)))
  const given = input.contactId == null ? null : await contactById(context, orgId, input.contactId)
  if (input.contactId != null && !given) problems.push(problem('contactId', input.contactId, 'there is no contact with this id'))
  if (problems.length > 0 || !agent) throw invalid(problems)
  if (agent.status !== 'active')
    throw new AppError('AGENT_NOT_ACTIVE', `The voice agent is ${agent.status}; only an active one places calls`, { status: agent.status })
  await requireProvider(context, agent.provider)

  const contactId = given ?? (await contactWithPhone(context, orgId, order.toNumber))
  const facts = await gateFacts(context, orgId, order.toNumber, contactId)
  const start = order.earliestAt !== null && order.earliestAt > now ? order.earliestAt : now
  const verdict = verdictOn(facts, order.latestAt, start)
  return insert(context, { orgId, agent, order, verdict, start, contactId })
}

interface Placing {
  orgId: string
  agent: VoiceAgent
  order: CallOrder
  verdict: Verdict
  start: Date
  contactId: string | null
}

async function insert(context: Context, { orgId, agent, order, verdict, start, contactId }: Placing): Promise<Call> {
  const id = uuid()
  const now = context.now()
  const { type, id: actorId, name } = actorOf(context.principal)
  const isNever = verdict.kind === 'never'
  const dispatchAfter = verdict.kind === 'later' ? verdict.at : start
  const dispatchState = isNever ? 'blocked' : dispatchAfter > now ? 'scheduled' : 'pending'
  const linked = contactId ?? (isNever ? null : (await newContact(context, order.toNumber)).id)
  const hold = isNever ? null : await reserve(context, id, order, now)

  const event = {
    type: 'call.created',
    entityId: id,
    contactId: linked,
    changes: { agentId: agent.id, toNumber: order.toNumber, dispatchState, ...(isNever && { endedReason: verdict.reason }) },
  }
  const [call] = await context.db.query(insertCall, [
    id,
    orgId,
    agent.id,
    agent.version,
    linked,
    agent.provider,
    dispatchState,
    isNever ? 'canceled' : 'queued',
    isNever ? (verdict.reason === 'calling_hours' || verdict.reason === 'expired' ? 'failed' : 'do_not_call') : null,
    order.fromNumber ?? agent.phoneNumber,
    order.toNumber,
    isNever ? now.toISOString() : null,
    isNever ? verdict.reason : null,
    JSON.stringify(order.variables),
    JSON.stringify(order.metadata),
    order.earliestAt?.toISOString() ?? null,
    order.latestAt?.toISOString() ?? null,
    order.maxDurationSeconds,
    order.ringTimeoutSeconds,
    order.record,
    order.voicemailAction,
    order.voicemailMessage,
    hold?.holdId ?? null,
    hold?.amountMicro.toString() ?? '0',
    dispatchAfter.toISOString(),
    type,
    actorId,
    name,
    now.toISOString(),
    now.toISOString(),
    ...eventValues(context, event),
  ])
  if (!call) throw new Error('A call was inserted and not returned')
  context.services.outbox.announce()
  // The request dials at once; the task takes over from one that dies before it has.
  if (!isNever) await dispatchLater(context, call, dispatchAfter > now ? dispatchAfter : new Date(now.getTime() + safetyNetMs))
  return call
}

// 10 s: longer than the request itself takes, soon enough that nobody gives the call up.
const safetyNetMs = 10_000

async function reserve(context: Context, id: string, order: CallOrder, now: Date) {
  const { money } = context.services
  const amountMicro = costOf(context, order.maxDurationSeconds)
  if (amountMicro === 0n) return null
  const latest = deadlineOf({
    schedule: { earliestAt: order.earliestAt?.toISOString() ?? null, latestAt: order.latestAt?.toISOString() ?? null },
    createdAt: now.toISOString(),
  })
  // An hour more than the latest call that lasts longest, so that the watch has long closed it when the reservation lapses.
  const expiresAt = new Date(latest.getTime() + order.maxDurationSeconds * 1000 + 3_600_000)
  const hold = await money.reserve(context, { userId: await money.payerOf(context), amountMicro, reference: `call:${id}`, expiresAt })
  return hold && { ...hold, amountMicro }
}

const selectContact = statement<{ id: string }>(
  'call_contact_by_id',
  'select id from contacts where org_id = $1 and id = $2 and deleted_at is null',
)
// Two calls to a new number make one contact: the second waits here, and then finds it.
const lockNumber = statement<never>('call_number_lock', `select pg_advisory_xact_lock(hashtextextended('voice number ' || $1 || $2, 0))`)
const selectByPhone = statement<{ id: string }>(
  'call_contact_by_phone',
  'select id from contacts where org_id = $1 and phone = $2 and deleted_at is null order by created_at, id limit 1',
)

async function contactById(context: Context, orgId: string, id: string): Promise<string | null> {
  const [contact] = isId(id) ? await context.db.query(selectContact, [orgId, id]) : []
  return contact?.id ?? null
}

async function contactWithPhone(context: Context, orgId: string, phone: string): Promise<string | null> {
  const [known] = await context.db.query(selectByPhone, [orgId, phone])
  if (known) return known.id
  await context.db.query(lockNumber, [orgId, phone])
  const [meanwhile] = await context.db.query(selectByPhone, [orgId, phone])
  return meanwhile?.id ?? null
}

const newContact = (context: Context, phone: string): Promise<Contact> => createContact(context, { phone, source: 'voice' })

const selectOwnNumber = statement<{ id: string }>(
  'voice_agent_number',
  `select id from voice_agents where org_id = $1 and provider = $2 and phone_number = $3 and status <> 'archived'`,
)

// A company's account holds the numbers of all organizations here; each may show its own alone.
async function foreignNumber(context: Context, agent: VoiceAgent, { fromNumber }: CallOrder): Promise<Problem[]> {
  if (fromNumber === null || fromNumber === agent.phoneNumber || (agent.provider !== 'twilio' && agent.provider !== 'vapi')) return []
  const [own] = await context.db.query(selectOwnNumber, [agent.orgId, agent.provider, fromNumber])
  return own ? [] : [problem('fromNumber', fromNumber, 'it is not the number of an agent of this organization')]
}
