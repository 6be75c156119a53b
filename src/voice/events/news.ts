// News of calls: what messages of providers change, and how the messages are stored. Several at once, with one statement for each step.

import type { Context } from '../../kernel/context.ts'
import { storableJson, storedJson } from '../../kernel/input/storable.ts'
import type { CallRecord } from '../calls/row.ts'
import { controlLater } from '../dispatch/queue.ts'
import { fitting } from '../fields.ts'
import type { CallNews } from '../providers/telephony.ts'
import { type Advance, advance, isOver } from '../transitions/state.ts'
import type { Transition } from '../transitions/transition.ts'
import { selectExtractions, setState, storedRecord, storeEvents } from './event.sql.ts'

/** The result of receiving a message. */
export type Reception = 'applied' | 'ignored' | 'duplicate' | 'failed'

/** A message of a provider: one to be stored, or the id of a stored one with the call that it is about. */
export type StoredMessage = { row: NewRow } | { id: string; callId: string | null; orgId: string | null }
type NewRow = Omit<Parameters<typeof storedRecord>[0], 'state' | 'note' | 'appliedAt'>

export interface Settled {
  message: StoredMessage
  state: Exclude<Reception, 'duplicate'>
  note: string | null
}

/** Stores messages with their states. Resolves with `duplicate` for a repeated message that was settled before. */
export async function storeMessages(db: Pick<Context['db'], 'query'>, now: Date, all: readonly Settled[]): Promise<Reception[]> {
  const appliedAt = now.toISOString()
  const added = all.flatMap(({ message, state, note }) => ('row' in message ? [{ ...message.row, state, note, appliedAt }] : []))
  const stored = added.length > 0 ? await db.query(storeEvents, [storedJson(added.map(storedRecord))]) : []
  const keys = new Set(stored.map(({ provider, eventKey }) => `${provider} ${eventKey}`))
  for (const { message, state, note } of all)
    if ('id' in message) await db.query(setState, [message.id, state, note, appliedAt, message.callId, message.orgId])
  return all.map(({ message, state }) =>
    'id' in message || keys.has(`${message.row.provider} ${message.row.eventKey}`) ? state : 'duplicate',
  )
}

interface Told {
  call: CallRecord
  news: CallNews
}

/** The next states of locked calls after news; null for news that change nothing. */
export async function statesAfter({ db, now }: Pick<Context, 'db' | 'now'>, all: readonly Told[]): Promise<(Advance | null)[]> {
  // News of messages and of answers to look-ups both come through here, so their texts are made storable here.
  const told = all.map(({ call, news }) => ({ call, news: storableJson(news) as CallNews }))
  const pinned = told.flatMap(({ call, news }) => (news.extracted ? [call] : []))
  const found =
    pinned.length > 0
      ? await db.query(selectExtractions, [pinned.map(({ agentId }) => agentId), pinned.map(({ agentVersion }) => agentVersion)])
      : []
  const fieldsOf = ({ agentId, agentVersion }: CallRecord) =>
    found.find(row => row.agentId === agentId && row.version === agentVersion)?.extraction ?? {}
  return told.map(({ call, news }) =>
    advance(call, { ...news, extracted: news.extracted && fitting(fieldsOf(call), news.extracted) }, now()),
  )
}

/** The transition to a state that follows from news. Queues the requests to the provider that the state needs. */
export async function transitionTo(context: Context, call: CallRecord, { state, transcript, mustHangUp }: Advance): Promise<Transition> {
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

/** The transition of a locked call after news; null if the news changes nothing. */
export async function transitionAfter(context: Context, call: CallRecord, news: CallNews): Promise<Transition | null> {
  const [next] = await statesAfter(context, [{ call, news }])
  return next ? transitionTo(context, call, next) : null
}
