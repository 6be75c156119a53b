// Inserts placed calls with their events, contacts for numbers that have none, and reservations of credits.

import { writeContacts } from '../../contacts/contact/write.ts'
import { allDone } from '../../kernel/batching/all-done.ts'
import { unlessRefused } from '../../kernel/batching/together.ts'
import type { Context } from '../../kernel/context.ts'
import { inOrder } from '../../kernel/dataloaders.ts'
import { type EventRow, eventRecord } from '../../kernel/events/event.sql.ts'
import { announce, enterTimelines, eventRow } from '../../kernel/events/events.ts'
import { newId } from '../../kernel/ids.ts'
import { storedJson } from '../../kernel/input/storable.ts'
import { creditsOf } from '../../kernel/money.ts'
import { actorOf } from '../../kernel/principal.ts'
import type { VoiceAgent } from '../agents/agent.sql.ts'
import { deadlineOf } from '../dispatch/claim.ts'
import { dispatchLater } from '../dispatch/queue.ts'
import type { Verdict } from '../policy/policy.ts'
import { costOf } from '../transitions/transition.ts'
import { insertCalls, inserted } from './call.sql.ts'
import type { CallOrder } from './input.ts'
import { type CallRecord, callEvents } from './row.ts'

/** A checked order with the decision of the call policy. */
export interface Placing {
  context: Context
  agent: VoiceAgent
  provider: VoiceAgent['provider']
  order: CallOrder
  verdict: Verdict
  start: Date
  contactId: string | null
  dealId: string | null
}

/** Inserts calls in the states that the policy gives them. A number without a contact gets one, unless the call is a trial. */
export async function insert(tx: Context, placings: readonly Placing[]): Promise<(CallRecord | null)[]> {
  if (placings.length === 0) return []
  const contactByNumber = await newContacts(placings)
  const ids: string[] = []
  const rows: object[] = []
  const events: EventRow[] = []
  for (const placing of placings) {
    const { context, agent, order, verdict, dealId } = placing
    const isNever = verdict.kind === 'never'
    const contactId = placing.contactId ?? (isNever || order.isTrial ? null : (contactByNumber.get(order.toNumber) ?? null))
    const id = newId()
    const hold = isNever || order.isTrial ? null : await reserve(context, id, order)
    const row = rowOf(placing, { id, contactId, hold })
    ids.push(id)
    rows.push(inserted.record(row))
    const { dispatchState, endedReason } = row
    const changes = { agentId: agent.id, toNumber: order.toNumber, dispatchState, ...(isNever && { endedReason }) }
    events.push(eventRow(context, { type: callEvents.created, entityId: id, contactId, dealId, changes }))
  }
  const calls = await tx.db.query(insertCalls, [storedJson(rows), storedJson(events.map(eventRecord))])
  await enterTimelines(tx, events)
  await announce(tx)
  // The request dials at once, or `overdue.ts` if this process dies before that.
  const scheduled = calls.filter(({ dispatchState }) => dispatchState === 'scheduled')
  await allDone(scheduled.map(call => dispatchLater(tx, call, new Date(call.dispatchAfter))))
  return inOrder(ids, calls, call => call.id)
}

async function newContacts(placings: readonly Placing[]): Promise<Map<string, string>> {
  const missing = placings.filter(({ contactId, verdict, order }) => contactId === null && verdict.kind !== 'never' && !order.isTrial)
  const firsts = [...new Map(missing.toReversed().map(({ context, order }) => [order.toNumber, context]))]
  const written = await writeContacts(
    firsts.map(([phone, context]) => ({ context, input: { contact: { phone, source: 'voice' }, onConflict: null } })),
  )
  const ids = await allDone(
    written.map(async (outcome, index): Promise<[string, string]> => {
      const { contact } = await unlessRefused(outcome)
      return [firsts[index]?.[0] ?? '', contact.id]
    }),
  )
  return new Map(ids)
}

interface Linked {
  id: string
  contactId: string | null
  hold: { holdId: string; amountMicro: bigint } | null
}
function rowOf({ context, agent, provider, order, verdict, start, dealId }: Placing, { id, contactId, hold }: Linked) {
  const now = context.now()
  const isNever = verdict.kind === 'never'
  const dispatchAfter = verdict.kind === 'later' ? verdict.at : start
  return {
    id,
    orgId: agent.orgId,
    agentId: agent.id,
    agentVersion: agent.version,
    contactId,
    dealId,
    provider,
    isTrial: order.isTrial,
    dispatchState: isNever ? 'blocked' : dispatchAfter > now ? 'scheduled' : 'pending',
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
  } satisfies Parameters<typeof inserted.of>[0]
}

async function reserve(context: Context, id: string, order: CallOrder) {
  const { money } = context.services
  const amountMicro = costOf(context, order.maxDurationSeconds)
  if (amountMicro === 0n) return null
  const latest = deadlineOf({
    schedule: { earliestAt: order.earliestAt?.toISOString() ?? null, latestAt: order.latestAt?.toISOString() ?? null },
    createdAt: context.now().toISOString(),
  })
  // An hour after the latest possible end, so that the reaper closes the call before its reservation expires.
  const expiresAt = new Date(latest.getTime() + order.maxDurationSeconds * 1000 + 3_600_000)
  const hold = await money.reserve(context, { userId: await money.payerOf(context), amountMicro, reference: `call:${id}`, expiresAt })
  return hold && { ...hold, amountMicro }
}
