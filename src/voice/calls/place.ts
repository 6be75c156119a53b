// Placing a call: checks the order, stores the call, and dials.

import type { Queries } from '../../database/queries.ts'
import { allDone } from '../../kernel/batching/all-done.ts'
import { batcherPerKey } from '../../kernel/batching/batcher-per-key.ts'
import { type Context, inTransaction, organizationOf, type Policy, type Services } from '../../kernel/context.ts'
import { inOrder } from '../../kernel/dataloaders.ts'
import { AppError, invalid } from '../../kernel/errors.ts'
import { inTwoSteps } from '../../kernel/idempotency/idempotency.ts'
import { isId } from '../../kernel/ids.ts'
import { type Problem, valueError } from '../../kernel/input/problem.ts'
import { perObject } from '../../kernel/per-object.ts'
import { sharedAgent, type VoiceAgent } from '../agents/agent.sql.ts'
import { dispatchCall } from '../dispatch/dispatch.ts'
import { policyFacts, type Verdict, verdictOn } from '../policy/policy.ts'
import { requireProvider } from '../providers/paid.ts'
import { endsWithin } from '../time-limit.ts'
import { contactsByPhone, liveContact, lockNumbers } from './call.sql.ts'
import { type CallOrder, type NewCall, readCall } from './input.ts'
import { insert } from './insert.ts'
import type { Call, CallRecord } from './row.ts'

/**
 * Places a call: stores it, then dials at once. Resolves with the call after the provider's answer, or as it was stored if it has to wait,
 * the provider is slow or another process dials it. Throws INVALID, AGENT_NOT_ACTIVE, INSUFFICIENT_CREDITS; then nothing is dialled.
 */
export async function createCall(context: Context, input: NewCall): Promise<Call> {
  const orgId = organizationOf(context)
  const { services } = context
  const order: Ordered = { context, orgId, input, read: readCall(input, context.now()) }
  const dialled = (outside: Context, call: CallRecord) =>
    call.dispatchState === 'pending' ? dialledSoon(outside, call) : Promise.resolve(call)
  // A write with an Idempotency-Key has a transaction of its own. Reserving credits locks the payer's account, which must not wait for that of
  // another call.
  if (context.steps || context.db.inTransaction || services.config.VOICE_PRICE_PER_MINUTE > 0)
    return inTwoSteps(context, inside => writeCall({ ...order, context: inside }), dialled, services.config.VOICE_DISPATCH_WAIT_MS)
  const placed = await placersOf(services).send(orgId, order)
  if (placed instanceof AppError) throw placed
  return dialled(context, placed)
}

interface Ordered {
  context: Context
  orgId: string
  input: NewCall
  read: ReturnType<typeof readCall>
}
// Calls that are requested together are stored in one transaction, those to one number after each other. One organization's alone, so that
// what fails or waits delays no other.
const placersOf = perObject((services: Services) =>
  batcherPerKey<string, Ordered, CallRecord | AppError>((_orgId, orders) => placeAll(services.database, orders), { concurrency: 1 }),
)

function placeAll(database: Queries, orders: readonly Ordered[]): Promise<(CallRecord | AppError)[]> {
  return database.transaction(
    async tx => {
      const placed = new Map<Ordered, CallRecord | AppError>()
      const placeInOrder = async (all: readonly Ordered[]) => {
        for (const order of all) placed.set(order, await placeUnlessRefused({ ...order, context: inTransaction(order.context, tx) }))
      }
      await allDone([...Map.groupBy(orders, ({ read }) => read.order.toNumber).values()].map(placeInOrder))
      return orders.flatMap(order => placed.get(order) ?? [])
    },
    { isShared: orders.length > 1, isRepeatable: orders.length === 1 },
  )
}

// A refusal is returned, not thrown, because the other calls of the transaction would be repeated.
async function placeUnlessRefused(order: Ordered): Promise<CallRecord | AppError> {
  let checked: Checked
  try {
    checked = await check(order)
  } catch (error) {
    if (error instanceof AppError && error.code !== 'UNAVAILABLE') return error
    throw error
  }
  return place(order, checked)
}

async function dialledSoon(context: Context, call: CallRecord): Promise<CallRecord> {
  const { services } = context
  const dialled = dispatchCall(services, call)
  // The provider is slow: the caller gets a `pending` call, and the dial continues in the background.
  if (!(await endsWithin(services.config.VOICE_DISPATCH_WAIT_MS, dialled))) return call
  const current = await dialled
  return current && current.dispatchState !== 'dispatching' ? current : call
}

const writeCall = async (order: Ordered): Promise<CallRecord> => place(order, await check(order))

interface Checked {
  agent: VoiceAgent
  provider: VoiceAgent['provider']
  contactId: string | null
}

/** Writes nothing. */
async function check({ context, orgId, input, read: { order, problems: known } }: Ordered): Promise<Checked> {
  const problems = [...known]
  const agent = isId(input.voiceAgentId) ? await sharedAgents(context.db).send(orgId, input.voiceAgentId.toLowerCase()) : null
  if (!agent) problems.push(valueError('voiceAgentId', 'there is no voice agent with this id', input.voiceAgentId))
  else if (problems.length === 0) problems.push(...(await foreignNumber(context, agent, order)))
  const given = input.contactId == null ? null : await contactById(context, orgId, input.contactId)
  if (input.contactId != null && !given) problems.push(valueError('contactId', 'there is no contact with this id', input.contactId))
  if (problems.length > 0 || !agent) throw invalid(problems)
  if (agent.status !== 'active')
    throw new AppError('AGENT_NOT_ACTIVE', `The voice agent is ${agent.status}; only an active one places calls`, {
      currentStatus: agent.status,
    })
  // A trial tests the agent's words, not its provider.
  const provider = input.isTrial ? 'simulator' : agent.provider
  await requireProvider(context, provider)
  return { agent, provider, contactId: given }
}

async function place({ context, orgId, read: { order } }: Ordered, { agent, provider, contactId: given }: Checked): Promise<CallRecord> {
  const now = context.now()
  const contactId = given ?? (await contactWithPhone(context, orgId, order.toNumber))
  const facts = await policyFacts(context, orgId, order.toNumber, contactId)
  const start = order.earliestAt !== null && order.earliestAt > now ? order.earliestAt : now
  const verdict = verdictOn(facts, order.latestAt, start)
  if (context.dryRun) context.dryRun.policy = policyOf(verdict, start)
  return insert(context, { orgId, agent, provider, order, verdict, start, contactId })
}

const policyOf = (verdict: Verdict, start: Date): Policy => ({
  isAllowed: verdict.kind !== 'never',
  at: verdict.kind === 'never' ? null : (verdict.kind === 'later' ? verdict.at : start).toISOString(),
  reason: verdict.kind === 'never' ? verdict.reason : verdict.kind === 'later' ? 'calling_hours' : null,
})

// The rows that calls of one transaction read at the same time. One batcher each per open transaction.
const sharedAgents = perObject((db: Queries) =>
  batcherPerKey(async (orgId: string, ids: readonly string[]) =>
    inOrder(ids, await db.query(sharedAgent, [orgId, [...new Set(ids)]]), ({ id }) => id),
  ),
)
const contactsOf = perObject((db: Queries) =>
  batcherPerKey(async (orgId: string, phones: readonly string[]) =>
    inOrder(phones, await db.query(contactsByPhone, [orgId, phones]), ({ phone }) => phone),
  ),
)
const numbersOf = perObject((db: Queries) =>
  batcherPerKey(async (orgId: string, phones: readonly string[]) => {
    await db.query(lockNumbers, [orgId, phones])
    return phones.map(() => undefined)
  }),
)

async function contactById(context: Context, orgId: string, id: string): Promise<string | null> {
  const [contact] = isId(id) ? await context.db.query(liveContact, [orgId, id]) : []
  return contact?.id ?? null
}

async function contactWithPhone(context: Context, orgId: string, phone: string): Promise<string | null> {
  const known = await contactsOf(context.db).send(orgId, phone)
  if (known) return known.id
  await numbersOf(context.db).send(orgId, phone)
  return (await contactsOf(context.db).send(orgId, phone))?.id ?? null
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
