// Inserts a placed call with its event, its contact if the number has none, and its reservation of credits.

import { v7 as uuid } from 'uuid'
import { createContact } from '../../contacts/contact/contact.ts'
import type { Contact } from '../../contacts/contact/row.ts'
import { batcher } from '../../database/batcher.ts'
import type { Queries } from '../../database/queries.ts'
import type { Context } from '../../kernel/context.ts'
import { inOrder } from '../../kernel/dataloaders.ts'
import { eventRecord } from '../../kernel/events/event.sql.ts'
import { eventRow, type NewEvent } from '../../kernel/events/events.ts'
import { storedJson } from '../../kernel/input/storable.ts'
import { creditsOf } from '../../kernel/money.ts'
import { perObject } from '../../kernel/per-object.ts'
import { actorOf } from '../../kernel/principal.ts'
import type { VoiceAgent } from '../agents/agent.sql.ts'
import { deadlineOf } from '../dispatch/claim.ts'
import { dispatchLater } from '../dispatch/queue.ts'
import type { Verdict } from '../policy/policy.ts'
import { costOf } from '../transitions/transition.ts'
import { insertCalls, inserted } from './call.sql.ts'
import type { CallOrder } from './input.ts'
import { type CallRecord, callEvents } from './row.ts'

export interface Placing {
  orgId: string
  agent: VoiceAgent
  provider: VoiceAgent['provider']
  order: CallOrder
  verdict: Verdict
  start: Date
  contactId: string | null
}

/** Inserts the call in the state that the policy gives it. */
export async function insert(context: Context, { orgId, agent, provider, order, verdict, start, contactId }: Placing): Promise<CallRecord> {
  const id = uuid()
  const now = context.now()
  const isNever = verdict.kind === 'never'
  const dispatchAfter = verdict.kind === 'later' ? verdict.at : start
  const dispatchState = isNever ? 'blocked' : dispatchAfter > now ? 'scheduled' : 'pending'
  const linked = contactId ?? (isNever ? null : (await newContact(context, order.toNumber)).id)
  const hold = isNever ? null : await reserve(context, id, order, now)

  const event: NewEvent = {
    type: callEvents.created,
    entityId: id,
    contactId: linked,
    changes: { agentId: agent.id, toNumber: order.toNumber, dispatchState, ...(isNever && { endedReason: verdict.reason }) },
  }
  const row: Parameters<typeof inserted.of>[0] = {
    id,
    orgId,
    agentId: agent.id,
    agentVersion: agent.version,
    contactId: linked,
    provider,
    dispatchState,
    status: isNever ? 'canceled' : 'queued',
    outcome: isNever ? (verdict.reason === 'calling_hours' || verdict.reason === 'expired' ? 'failed' : 'do_not_call') : null,
    fromNumber: order.fromNumber ?? agent.phoneNumber,
    toNumber: order.toNumber,
    endedAt: isNever ? now.toISOString() : null,
    endedReason: isNever ? verdict.reason : null,
    variables: order.variables,
    metadata: order.metadata,
    schedule: { earliestAt: order.earliestAt?.toISOString() ?? null, latestAt: order.latestAt?.toISOString() ?? null },
    maxDurationSeconds: order.maxDurationSeconds,
    ringTimeoutSeconds: order.ringTimeoutSeconds,
    record: order.record,
    voicemail: { action: order.voicemailAction, message: order.voicemailMessage },
    holdId: hold?.holdId ?? null,
    creditsReserved: hold ? creditsOf(hold.amountMicro) : 0,
    dispatchAfter: dispatchAfter.toISOString(),
    createdBy: actorOf(context.principal),
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
  }
  const call = await inserterOf(context.db)({ row: inserted.record(row), event: eventRecord(eventRow(context, event)), id })
  if (!call) throw new Error('A call was inserted and not returned')
  context.services.outbox.announce()
  // The request dials at once, or `overdue.ts` if this process dies before that.
  if (dispatchState === 'scheduled') await dispatchLater(context, call, dispatchAfter)
  return call
}

// Calls of one transaction that are inserted at the same time share a statement. One batcher per open transaction.
const inserterOf = perObject((db: Queries) =>
  batcher(async (calls: readonly { row: object; event: object; id: string }[]): Promise<(CallRecord | null)[]> => {
    const rows = await db.query(insertCalls, [storedJson(calls.map(({ row }) => row)), storedJson(calls.map(({ event }) => event))])
    return inOrder(
      calls.map(({ id }) => id),
      rows,
      ({ id }) => id,
    )
  }),
)
async function reserve(context: Context, id: string, order: CallOrder, now: Date) {
  const { money } = context.services
  const amountMicro = costOf(context, order.maxDurationSeconds)
  if (amountMicro === 0n) return null
  const latest = deadlineOf({
    schedule: { earliestAt: order.earliestAt?.toISOString() ?? null, latestAt: order.latestAt?.toISOString() ?? null },
    createdAt: now.toISOString(),
  })
  // An hour after the latest possible end, so that the reaper closes the call before its reservation expires.
  const expiresAt = new Date(latest.getTime() + order.maxDurationSeconds * 1000 + 3_600_000)
  const hold = await money.reserve(context, { userId: await money.payerOf(context), amountMicro, reference: `call:${id}`, expiresAt })
  return hold && { ...hold, amountMicro }
}

const newContact = (context: Context, phone: string): Promise<Contact> => createContact(context, { phone, source: 'voice' })
