// What providers tell: verified, kept, and applied once, however often and in whatever order it comes.

import { v7 as uuid } from 'uuid'
import { isId } from '../contacts/page.ts'
import { type Context, organizationOf, type Services } from '../context.ts'
import { statement } from '../database/client.ts'
import { AppError, invalid, notFound } from '../errors.ts'
import { onBehalfOf } from './acting.ts'
import { agentAt } from './agent.sql.ts'
import { secretsOf } from './agent-secret.ts'
import { callByProviderId } from './call.sql.ts'
import { moving } from './call-dispatch.ts'
import type { Move } from './call-move.ts'
import type { CallRecord } from './call-row.ts'
import { advance, isOver } from './call-state.ts'
import { actSoon } from './call-tasks.ts'
import { fitting } from './input.ts'
import {
  type CallNews,
  type Delivery,
  ForgedDelivery,
  type Message,
  type Provider,
  type ProviderEvent,
  type ProviderName,
  providerNames,
  UnreadableDelivery,
} from './telephony.ts'

/** What became of a message. */
export type Reception = 'applied' | 'ignored' | 'duplicate' | 'failed'

/** A message about one call, as it is kept. */
export interface KeptEvent {
  id: string
  provider: ProviderName
  eventKey: string
  callId: string | null
  state: 'received' | 'applied' | 'ignored' | 'failed'
  note: string | null
  receivedAt: string
  appliedAt: string | null
}

/** A request of a provider's, as it came in. */
export interface IncomingEvent {
  provider: string
  /** With its query. */
  path: string
  headers: Record<string, unknown>
  body: string
}

/** Takes a request of a provider's. Throws like `recordProviderEvent`. */
export function receiveEvent(context: Context, { provider, path, headers, body }: IncomingEvent): Promise<Reception> {
  const text = (name: string) => {
    const value = headers[name]
    return typeof value === 'string' ? value : undefined
  }
  // Svix's names are synonyms of those of Standard Webhooks; an id counts only with the signature that it came with.
  const prefix = text('webhook-signature') === undefined && text('svix-signature') !== undefined ? 'svix' : 'webhook'
  return recordProviderEvent(context, provider, {
    // The address as the provider knows it: what stands in Host is whatever a proxy made of it.
    url: `${context.services.config.PUBLIC_URL ?? ''}${path}`,
    contentType: text('content-type') ?? '',
    messageId: text(`${prefix}-id`) ?? null,
    headers: {
      ...Object.fromEntries(Object.keys(headers).map(name => [name, text(name)])),
      ...Object.fromEntries(['id', 'timestamp', 'signature'].map(part => [`webhook-${part}`, text(`${prefix}-${part}`)])),
    },
    body,
  })
}

/**
 * Takes a message of a provider's. Throws UNAUTHENTICATED for one that is not from it, INVALID for one that cannot be read. What cannot be
 * applied now is kept, and applied by the watch.
 */
export async function recordProviderEvent(context: Context, name: string, delivery: Delivery): Promise<Reception> {
  const { services } = context
  const known = providerNames.find(one => one === name)
  const provider = known && services.telephony[known]
  if (!known || !provider) throw new AppError('UNAUTHENTICATED', 'Nobody can speak for this provider here')
  try {
    await provider.verify(delivery, callId => secretsOfCall(services, known, callId))
  } catch (error) {
    if (error instanceof ForgedDelivery) throw new AppError('UNAUTHENTICATED', 'The signature is not valid', { cause: error })
    throw error
  }
  return hear(services, known, delivery)
}

/** Takes a message that is known to be the provider's. */
export async function hear(services: Services, name: ProviderName, message: Message): Promise<Reception> {
  const provider = services.telephony[name]
  if (!provider) throw notFound('telephone provider', name)
  return take(services, name, readable(provider, message), message)
}

/** Applies a kept event once more, as the provider had sent it. Applying what was applied changes nothing. */
export async function replayProviderEvent(context: Context, id: string): Promise<KeptEvent> {
  const orgId = organizationOf(context)
  const [kept] = isId(id) ? await context.db.query(selectForReplay, [id]) : []
  if (!kept || kept.orgId !== orgId) throw notFound('provider event', id)
  await replay(context.services, kept)
  const [after] = await context.db.query(selectOne, [id])
  if (!after) throw notFound('provider event', id)
  return after
}

/** Applies what was kept and could not be applied. */
export async function replayUnapplied(services: Services): Promise<void> {
  const before = new Date(services.now().getTime() - unappliedAfterMs).toISOString()
  for (const kept of await services.database.query(selectUnapplied, [before])) await replay(services, kept)
}

// 30 s: whoever received it has had the time to apply it.
const unappliedAfterMs = 30_000

const columns =
  'id, provider, event_key as "eventKey", call_id as "callId", state, note, received_at as "receivedAt", applied_at as "appliedAt"'
const keptMessage = 'id, provider, org_id as "orgId", path as url, content_type as "contentType", body'
type KeptMessage = Message & { id: string; provider: ProviderName; orgId: string | null }

const selectOne = statement<KeptEvent>('provider_event', `select ${columns} from provider_events where id = $1`)
const selectOfCall = statement<KeptEvent>(
  'provider_events_of_call',
  `select ${columns} from provider_events where org_id = $1 and call_id = $2 order by received_at, id limit 200`,
)
const selectForReplay = statement<KeptMessage>(
  'provider_event_for_replay',
  `select ${keptMessage}, null as "messageId" from provider_events where id = $1`,
)
const selectUnapplied = statement<KeptMessage>(
  'provider_events_unapplied',
  `select ${keptMessage}, null as "messageId" from provider_events where state in ('received', 'failed') and received_at < $1::timestamptz
     and received_at > $1::timestamptz - interval '1 day' order by received_at limit 100`,
)
// One row per event. A repetition finds what became of the first.
const keep = statement<{ id: string; state: KeptEvent['state']; isNew: boolean }>(
  'provider_event_keep',
  `insert into provider_events as e (id, provider, event_key, call_id, org_id, body, path, content_type, state, received_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, 'received', $9)
   on conflict (provider, event_key) do update set state = e.state returning id, state, id = $1::uuid as "isNew"`,
)
const setState = statement<never>(
  'provider_event_state',
  'update provider_events set state = $2, note = $3, applied_at = $4, call_id = coalesce(call_id, $5), org_id = coalesce(org_id, $6) where id = $1',
)

/** What the provider has told of a call. */
export const eventsOfCall = (context: Context, callId: string): Promise<KeptEvent[]> =>
  context.db.query(selectOfCall, [organizationOf(context), callId])

function readable(provider: Provider, message: Message): ProviderEvent {
  try {
    return provider.read(message)
  } catch (error) {
    if (!(error instanceof UnreadableDelivery)) throw error
    throw invalid(error.problems)
  }
}

async function take(services: Services, provider: ProviderName, event: ProviderEvent, message: Message): Promise<Reception> {
  // What says nothing is not kept either: companies send many kinds of messages.
  if (event.news === null) return 'ignored'
  const found = await findCall(services, provider, event)
  const values = [uuid(), provider, event.key, found?.id ?? null, found?.orgId ?? null, message.body, message.url, message.contentType]
  const [kept] = await services.database.query(keep, [...values, services.now().toISOString()])
  if (!kept) throw new Error('An event was kept and not returned')
  if (!kept.isNew && (kept.state === 'applied' || kept.state === 'ignored')) return 'duplicate'
  return apply(services, provider, kept.id, event, found)
}

async function replay(services: Services, kept: KeptMessage): Promise<void> {
  const provider = services.telephony[kept.provider]
  if (!provider) return
  const event = readable(provider, kept)
  await apply(services, kept.provider, kept.id, event, await findCall(services, kept.provider, event))
}

interface FoundCall {
  id: string
  orgId: string
}
const callByOwnId = statement<FoundCall>('call_of_provider', 'select id, org_id as "orgId" from calls where id = $1 and provider = $2')

async function findCall(services: Services, provider: ProviderName, { callId, providerCallId }: ProviderEvent): Promise<FoundCall | null> {
  const [own] = callId !== null && isId(callId) ? await services.database.query(callByOwnId, [callId, provider]) : []
  if (own) return own
  const [theirs] = providerCallId === null ? [] : await services.database.query(callByProviderId, [provider, providerCallId])
  return theirs ?? null
}

async function apply(
  services: Services,
  provider: ProviderName,
  id: string,
  event: ProviderEvent,
  found: FoundCall | null,
): Promise<Reception> {
  const finish = (db: Pick<Services['database'], 'query'>, state: Reception, note: string | null) =>
    db.query(setState, [id, state, note, services.now().toISOString(), found?.id ?? null, found?.orgId ?? null])
  if (!found || event.news === null) {
    await finish(services.database, 'ignored', 'no call of ours')
    return 'ignored'
  }
  try {
    const context = onBehalfOf(services, found.orgId, 'recordProviderEvent')
    let reception: Reception = 'ignored'
    await moving(context, found.orgId, found.id, async (call, inside) => {
      const move = await heard(inside, call, { providerCallId: event.providerCallId ?? undefined, ...event.news })
      reception = move ? 'applied' : 'ignored'
      await finish(inside.db, reception, move ? null : 'nothing new')
      return move
    })
    return reception
  } catch (error) {
    services.log.error({ err: error, provider, eventId: id }, 'a provider event could not be applied; it will be tried again')
    await finish(services.database, 'failed', error instanceof Error ? error.message : String(error))
    return 'failed'
  }
}

/** What news make of a locked call. */
export async function heard(context: Context, call: CallRecord, news: CallNews): Promise<Move | null> {
  const extracted = news.extracted && fitting(await extractionOf(context, call), news.extracted)
  const step = advance(call, { ...news, extracted }, context.now())
  if (!step) return null
  const { state, transcript, mustHangUp } = step
  if (mustHangUp) await actSoon(context, { ...call, ...state }, 'hang_up')
  const isMachine = state.answeredBy === 'machine' && call.answeredBy !== 'machine'
  if (
    isMachine &&
    !isOver(state.status) &&
    call.voicemail.action !== 'continue' &&
    !context.services.telephony[call.provider]?.handlesVoicemail
  )
    await actSoon(context, call, call.voicemail.action)
  return { change: state, transcript }
}

const selectExtraction = statement<{ extraction: Record<string, never> }>(
  'voice_agent_extraction',
  `select coalesce(setup -> 'extraction', '{}') as extraction from voice_agent_versions where agent_id = $1 and version = $2`,
)

async function extractionOf(context: Context, { agentId, agentVersion }: CallRecord) {
  const [found] = await context.db.query(selectExtraction, [agentId, agentVersion])
  return found?.extraction ?? {}
}

const selectAgentOf = statement<{ agentId: string; orgId: string }>(
  'agent_of_call',
  'select agent_id as "agentId", org_id as "orgId" from calls where id = $1 and provider = $2',
)

async function secretsOfCall(services: Services, provider: ProviderName, callId: string): Promise<readonly string[]> {
  const [call] = isId(callId) ? await services.database.query(selectAgentOf, [callId, provider]) : []
  const agent = call ? await agentAt({ db: services.database }, call.orgId, call.agentId) : undefined
  return agent ? secretsOf(services.config, agent, services.now()) : []
}
