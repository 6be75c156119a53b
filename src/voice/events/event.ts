// Events of providers: verified, stored, and applied exactly once, however often and in whatever order they arrive.

import { hash } from 'node:crypto'
import type { ProviderEvent as StoredEvent } from '../../generated/prisma/client.ts'
import { type Context, organizationOf, type Services } from '../../kernel/context.ts'
import { AppError, invalid, notFound } from '../../kernel/errors.ts'
import { fieldChangesOf } from '../../kernel/events/field-change.ts'
import { isId, newId } from '../../kernel/ids.ts'
import { storableText } from '../../kernel/input/storable.ts'
import { isAllowed } from '../../kernel/principal.ts'
import { countingDeaths, deathReason } from '../../kernel/queue/deaths.ts'
import { agentAt } from '../agents/agent.sql.ts'
import { secretsOf } from '../agents/secret.ts'
import {
  type Delivery,
  ForgedDelivery,
  type Message,
  type Provider,
  type ProviderEvent,
  type ProviderName,
  providerNames,
  UnreadableDelivery,
} from '../providers/telephony.ts'
import { apply, noteOf } from './apply.ts'
import { type EventState, selectRecorded, selectUnapplied, setState } from './event.sql.ts'
import { findCall, ownCall } from './find-call.ts'
import type { Reception } from './news.ts'

/** A stored message about one call. */
export interface ProviderEventRow extends Omit<StoredEvent, 'body' | 'path' | 'contentType'> {
  provider: ProviderName
  state: EventState
}

/** A request of a provider. */
export interface IncomingEvent {
  provider: string
  /** Includes the query. */
  path: string
  headers: Record<string, unknown>
  body: string
}

/** Receives a request of a provider. Throws UNAUTHENTICATED if the provider did not sign it, and INVALID if it is malformed. */
export async function receiveEvent(context: Context, incoming: IncomingEvent): Promise<Reception> {
  const { name, message } = await verifiedMessage(context, incoming)
  const reception = await receiveVerified(context.services, name, message)
  await showTransition(context)
  return reception
}

function deliveryOf(context: Context, { path, headers, body }: IncomingEvent): Delivery {
  const text = (name: string) => {
    const value = headers[name]
    return typeof value === 'string' ? value : undefined
  }
  // Svix's header names are synonyms of Standard Webhooks' names. All three headers are taken from the same set, because the signature
  // covers the id.
  const prefix = text('webhook-signature') === undefined && text('svix-signature') !== undefined ? 'svix' : 'webhook'
  return {
    // The URL that the provider has signed. Not from the Host header, because a proxy may have changed it.
    url: `${context.services.config.PUBLIC_URL ?? ''}${path}`,
    contentType: text('content-type') ?? '',
    messageId: text(`${prefix}-id`) ?? null,
    headers: {
      ...Object.fromEntries(Object.keys(headers).map(name => [name, text(name)])),
      ...Object.fromEntries(['id', 'timestamp', 'signature'].map(part => [`webhook-${part}`, text(`${prefix}-${part}`)])),
    },
    body,
  }
}

/** The message in a request of a provider. Throws UNAUTHENTICATED if the provider did not sign it. */
export async function verifiedMessage(
  context: Context,
  incoming: IncomingEvent,
): Promise<{ name: ProviderName; provider: Provider; message: Delivery }> {
  const { services } = context
  const known = providerNames.find(one => one === incoming.provider)
  const provider = known && services.telephony[known]
  if (!known || !provider) throw new AppError('UNAUTHENTICATED', 'Nobody can speak for this provider here')
  const message = deliveryOf(context, incoming)
  try {
    await provider.verify(message, callId => secretsOfCall(services, known, callId))
  } catch (error) {
    if (error instanceof ForgedDelivery) throw new AppError('UNAUTHENTICATED', 'The signature is not valid', { cause: error })
    throw error
  }
  return { name: known, provider, message }
}

/** Receives a message whose signature is already verified. */
export async function receiveVerified(services: Services, name: ProviderName, message: Message): Promise<Reception> {
  const provider = services.telephony[name]
  if (!provider) throw notFound('telephone provider', name)
  return receive(services, name, readable(provider, message), message)
}

/** Applies a stored event again. If it was applied before, nothing changes. */
export async function replayProviderEvent(context: Context, id: string): Promise<ProviderEventRow> {
  const orgId = organizationOf(context)
  const events = context.db.prisma.providerEvent
  const stored = isId(id) ? await events.findFirst({ where: { id, orgId } }) : null
  if (!stored) throw notFound('provider event', id)
  await replay(context.services, {
    ...asStored(stored),
    body: stored.body,
    url: stored.path,
    contentType: stored.contentType,
    messageId: null,
  })
  await showTransition(context)
  return asStored(await events.findUniqueOrThrow({ where: { id }, omit: content }))
}

// Calls are changed by the system, so the receipt of a dry run, which has what its caller did, would not show it.
async function showTransition({ dryRun, db, principal }: Context): Promise<void> {
  if (!dryRun) return
  const events = isAllowed(principal, 'calls:read') ? await db.query(selectRecorded, []) : []
  dryRun.receipt = {
    // The charge is not for the provider that reports.
    events: events.map(event => ({ ...event, changes: fieldChangesOf(event).filter(({ field }) => field !== 'creditsCharged') })),
    eventCount: events.length,
    creditsTaken: null,
    creditsReserved: null,
  }
}

/** Applies the stored events that could not be applied before. One that fails again does not stop the others. */
export async function replayUnapplied(services: Services, signal?: AbortSignal): Promise<void> {
  const { database, log } = services
  const before = new Date(services.now().getTime() - unappliedAfterMs).toISOString()
  for (const stored of await database.query(selectUnapplied, [before])) {
    if (signal?.aborted) return
    const { id, provider } = stored
    const fail = async (note: string, error?: unknown) => {
      log.error({ err: error, provider, eventId: id, note }, 'a stored provider event could not be applied')
      await database.query(setState, [id, 'failed', note, services.now().toISOString(), null, null])
    }
    await countingDeaths(database, id, {
      work: () => replay(services, stored).catch((error: unknown) => fail(noteOf(error), error)),
      giveUp: () => fail(deathReason),
    })
  }
}

// 30 s: gives the process that received the event time to apply it.
const unappliedAfterMs = 30_000

// Not read for lists, because a body may have a megabyte.
const content = { body: true, path: true, contentType: true } as const

/** The events of a call, oldest first, at most 200. */
export async function eventsOfCall(context: Context, callId: string): Promise<ProviderEventRow[]> {
  const where = { orgId: organizationOf(context), callId }
  const orderBy = [{ receivedAt: 'asc' }, { id: 'asc' }] as const
  const events = await context.db.prisma.providerEvent.findMany({ where, orderBy: [...orderBy], take: 200, omit: content })
  return events.map(asStored)
}

// `as`: `receive` wrote the provider's name, and a constraint of the table limits the states.
const asStored = (event: Omit<StoredEvent, keyof typeof content>) => event as ProviderEventRow

type StoredMessage = Message & Pick<ProviderEventRow, 'id' | 'provider' | 'orgId'>

function readable(provider: Provider, message: Message): ProviderEvent {
  try {
    return provider.read(message)
  } catch (error) {
    if (!(error instanceof UnreadableDelivery)) throw error
    throw invalid(error.problems)
  }
}

async function receive(services: Services, provider: ProviderName, event: ProviderEvent, message: Message): Promise<Reception> {
  // Not stored: providers send many kinds of messages, and most have no news of a call.
  if (event.news === null) return 'ignored'
  const found = await findCall(services, provider, event)
  const row = {
    id: newId(),
    provider,
    eventKey: keyOf(event),
    callId: found?.id ?? null,
    orgId: found?.orgId ?? null,
    body: storableText(event.reduce && message.body.length > maxStored ? event.reduce() : message.body),
    path: storableText(message.url, { maxLength: maxPath }),
    contentType: storableText(message.contentType, { maxLength: maxPath }),
    receivedAt: services.now().toISOString(),
  }
  return apply(services, event, found, { row })
}

// The key is indexed, and PostgreSQL refuses to index a text of some thousands of characters.
const maxKey = 500
const keyOf = ({ key }: ProviderEvent) => (key.length <= maxKey ? key : hash('sha256', key, 'base64url'))
const maxPath = 2000
// 1 MiB. Vapi's report of two hours repeats the transcript in several forms; one of them is read.
const maxStored = 1_048_576

async function replay(services: Services, stored: StoredMessage): Promise<void> {
  const provider = services.telephony[stored.provider]
  if (!provider) return
  const event = readable(provider, stored)
  const found = await findCall(services, stored.provider, event)
  await apply(services, event, found, { id: stored.id, callId: found?.id ?? null, orgId: found?.orgId ?? null })
}

async function secretsOfCall(services: Services, provider: ProviderName, callId: string): Promise<readonly string[]> {
  const call = await ownCall(services, provider, callId)
  const agent = call ? await agentAt({ db: services.database }, call.orgId, call.agentId) : undefined
  return agent ? secretsOf(services.config, agent, services.now()) : []
}
