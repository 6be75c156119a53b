// Applies what a provider reports to its call.

import type { Queries } from '../../database/queries.ts'
import { batcherPerKey } from '../../kernel/batching/batcher-per-key.ts'
import type { Context, Services } from '../../kernel/context.ts'
import { storableJson, storableText } from '../../kernel/input/storable.ts'
import { perObject } from '../../kernel/per-object.ts'
import type { CallRecord } from '../calls/row.ts'
import { changeCall } from '../dispatch/dispatch.ts'
import { controlLater } from '../dispatch/queue.ts'
import { fitting } from '../fields.ts'
import type { CallNews, ProviderEvent, ProviderName } from '../providers/telephony.ts'
import { systemContext } from '../system-context.ts'
import { type Advance, advance, isOver } from '../transitions/state.ts'
import type { Transition } from '../transitions/transition.ts'
import { selectExtraction } from './event.sql.ts'
import type { FoundCall } from './find-call.ts'

/** The result of receiving a message. */
export type Reception = 'applied' | 'ignored' | 'duplicate' | 'failed'

export type Writer = Pick<Services['database'], 'query'>
type Settled = Exclude<Reception, 'duplicate'>
/** Stores an event with its state. False if a repeated event was settled before. */
export type Settle = (db: Writer, state: Settled, note: string | null) => Promise<boolean>

/**
 * Stores an event and applies it to its call, in one transaction with the call locked: its unique key decides which of two equal events is
 * applied. Where it cannot be applied now, stores it as `failed`.
 */
export async function apply(
  services: Services,
  provider: ProviderName,
  event: ProviderEvent,
  found: FoundCall | null,
  settle: Settle,
): Promise<Reception> {
  const store = async (db: Writer, state: Settled, note: string | null): Promise<Reception> =>
    (await settle(db, state, note)) ? state : 'duplicate'
  if (!found || event.news === null) return store(services.database, 'ignored', 'no call of ours')
  try {
    const context = systemContext(services, found.orgId, 'recordProviderEvent')
    let reception: Reception | undefined
    await changeCall(context, found.orgId, found.id, async (call, inside) => {
      const step = await stepAfter(inside, call, { providerCallId: event.providerCallId ?? undefined, ...event.news })
      reception = step ? await store(inside.db, 'applied', null) : await store(inside.db, 'ignored', 'nothing new')
      return step && reception === 'applied' ? transitionOf(inside, call, step) : null
    })
    // The call has been deleted meanwhile.
    return reception ?? (await store(services.database, 'ignored', 'no call of ours'))
  } catch (error) {
    // A dry run tells of the error itself.
    if (services.database.inTransaction) throw error
    services.log.error({ err: error, provider, key: event.key }, 'a provider event could not be applied; it will be tried again')
    return store(services.database, 'failed', noteOf(error))
  }
}

/** Why an event could not be applied, for its row. */
export const noteOf = (error: unknown): string => storableText(error instanceof Error ? error.message : String(error), { maxLength: 1000 })

/** The transition of a locked call after news; null if the news changes nothing. */
export async function transitionAfter(context: Context, call: CallRecord, news: CallNews): Promise<Transition | null> {
  const step = await stepAfter(context, call, news)
  return step && transitionOf(context, call, step)
}

async function stepAfter(context: Context, call: CallRecord, told: CallNews): Promise<Advance | null> {
  // Whatever a provider tells comes through here: a message, an answer to a look-up, and one of a provider that repairs nothing.
  const news = storableJson(told) as CallNews
  const extracted = news.extracted && fitting(await extractionOf(context, call), news.extracted)
  return advance(call, { ...news, extracted }, context.now())
}

async function transitionOf(context: Context, call: CallRecord, { state, transcript, mustHangUp }: Advance): Promise<Transition> {
  if (mustHangUp) await controlLater(context, { ...call, ...state }, 'hang_up')
  const isMachine = state.answeredBy === 'machine' && call.answeredBy !== 'machine'
  if (
    isMachine &&
    !isOver(state.status) &&
    call.voicemail.action !== 'continue' &&
    !context.services.telephony[call.provider]?.handlesVoicemail
  )
    await controlLater(context, call, call.voicemail.action)
  return { change: state, transcript }
}

async function extractionOf(context: Context, { agentId, agentVersion }: CallRecord) {
  return extractionsOf(context.db).send(`${agentId} ${agentVersion}`, { agentId, agentVersion })
}

// Calls that end together are usually of one agent, whose version they read once.
const extractionsOf = perObject((db: Queries) =>
  batcherPerKey(async (_key: string, calls: readonly Pick<CallRecord, 'agentId' | 'agentVersion'>[]) => {
    const [found] = await db.query(selectExtraction, [calls[0]?.agentId, calls[0]?.agentVersion])
    return calls.map(() => found?.extraction ?? {})
  }),
)
