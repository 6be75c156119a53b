// The provider `twilio`: three endpoints of its REST API, and its signed callbacks.

import { createHmac } from 'node:crypto'
import { constantTimeMatcher } from '../../kernel/crypto/constant-time.ts'
import { hasTooManyFields, parseForm } from '../../kernel/input/body.ts'
import { shorten } from '../../kernel/input/cut.ts'
import { mediaTypeOf } from '../../kernel/input/media-type.ts'
import { storableText } from '../../kernel/input/storable.ts'
import type { OutgoingAnswer } from '../../kernel/outgoing/answer.ts'
import type { Outgoing } from '../../kernel/outgoing/http.ts'
import { emptyAccount } from '../../kernel/outgoing/refusal.ts'
import { segment } from '../../kernel/outgoing/segment.ts'
import { acceptance, dialFailure, provisioningError, retryAfter } from './http.ts'
import {
  type AnsweredBy,
  type CallNews,
  type CallOutcome,
  type CallStatus,
  type Delivery,
  type Dialled,
  type DialOrder,
  ForgedDelivery,
  type Found,
  longest,
  type Message,
  type PlacedCall,
  type Provider,
  type ProviderEvent,
  ProvisioningError,
  UnreadableDelivery,
  webAddress,
} from './telephony.ts'
import { secondsBetween, secondsOf, timeOf } from './times.ts'
import { connectRelay, hangUp, say, transfer } from './twiml.ts'

export interface TwilioOptions {
  accountSid: string
  authToken: string
  apiUrl: string
  outgoing: Outgoing
  eventsUrl: () => string
  /** Where Twilio asks how a call goes on after the socket of its conversation has closed. */
  nextUrl: () => string
}

export function createTwilio({ accountSid, authToken, apiUrl, outgoing, eventsUrl, nextUrl }: TwilioOptions): Provider {
  const account = `${apiUrl}/2010-04-01/Accounts/${accountSid}`
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`
  const get = (path: string, query: Record<string, string> = {}) =>
    outgoing.send(`${account}${path}?${new URLSearchParams(query)}`, { headers: { authorization } })
  const post = (path: string, fields: readonly (readonly [string, string])[]) =>
    outgoing.send(`${account}${path}`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields as [string, string][]).toString(),
    })
  // A tenant with a number of the account can make Twilio sign a callback to any address, so the callbacks of each call carry a token of it.
  const tokenOf = (callId: string) => createHmac('sha256', authToken).update(`callbacks of call ${callId}`).digest('base64url')
  const queryOf = (callId: string) => `?call_id=${callId}&token=${tokenOf(callId)}`
  const callback = (callId: string) => `${eventsUrl()}${queryOf(callId)}`
  const nextStep = (callId: string) => `${nextUrl()}${queryOf(callId)}`
  /** Our call id, if its callbacks have this address. Others are found by Twilio's id of the call, once that is known. */
  const ownCallId = (url: string): string | null => {
    const { searchParams } = new URL(url)
    const callId = searchParams.get('call_id')
    return callId !== null && constantTimeMatcher([tokenOf(callId)])(searchParams.get('token') ?? '') ? callId : null
  }

  return {
    // Twilio's calls take no idempotency key.
    dialsOnce: false,
    handlesVoicemail: false,

    async provision({ phoneNumber }) {
      const answer = await get('/IncomingPhoneNumbers.json', { PhoneNumber: phoneNumber ?? '' }).catch((cause: unknown) => {
        throw new ProvisioningError('Twilio cannot be reached', { isFinal: false, cause })
      })
      if (answer.status !== 200) throw provisioningError('Twilio', answer.status, messageIn(answer))
      const { incoming_phone_numbers: numbers = [] } = answer.json() as { incoming_phone_numbers?: { sid: string }[] }
      const [number] = numbers
      if (!number) throw new ProvisioningError(`the Twilio account has no number ${phoneNumber}`, { isFinal: true })
      return { providerAssistantId: number.sid, providerPhoneId: number.sid }
    },

    async dial(order) {
      try {
        return dialledOf(await post('/Calls.json', fieldsOf(order, callback(order.callId), nextStep(order.callId))))
      } catch (error) {
        return dialFailure(error)
      }
    },

    async lookup(call, belongsToAnother) {
      try {
        return call.providerCallId === null
          ? await search(call, belongsToAnother)
          : foundOf(await get(`/Calls/${segment(call.providerCallId)}.json`))
      } catch (error) {
        return { kind: 'unknown', reason: error instanceof Error ? error.message : String(error) }
      }
    },

    async hangUp({ providerCallId, answered }) {
      if (providerCallId === null) return true
      // Both end a call; `canceled` is the right status for a call that was not answered.
      const { status } = await post(`/Calls/${segment(providerCallId)}.json`, [['Status', answered ? 'completed' : 'canceled']]).catch(
        () => ({
          status: 0,
        }),
      )
      // 400: the call has ended, or was answered meanwhile; then the next attempt ends it.
      if (status === 400 && !answered) {
        const again = await post(`/Calls/${segment(providerCallId)}.json`, [['Status', 'completed']]).catch(() => ({ status: 0 }))
        return again.status === 200 || again.status === 400 || again.status === 404
      }
      return status === 200 || status === 400 || status === 404
    },

    async leaveMessage({ providerCallId, agent }, message) {
      if (providerCallId === null) return true
      const twiml = `<Response>${say(agent, message)}<Hangup/></Response>`
      const { status } = await post(`/Calls/${segment(providerCallId)}.json`, [['Twiml', twiml]]).catch(() => ({ status: 0 }))
      return status === 200 || status === 400 || status === 404
    },

    async verify(delivery) {
      if (!(await isSigned(delivery, authToken))) throw new ForgedDelivery('the signature does not fit')
    },
    read: message => read(message, ownCallId(message.url)),

    verifySocket: (url, header) => isSignedAddress(url, header('x-twilio-signature') ?? '', authToken),
    relay: {
      callIn({ url, body }) {
        const status = parseForm(body).get('CallStatus')
        return { callId: ownCallId(url), isOver: status !== null && status !== 'in-progress' }
      },
      continueWith(next) {
        switch (next.kind) {
          case 'hang_up':
            return hangUp
          case 'transfer':
            return transfer(next)
          case 'reopen':
            return connectRelay({ agent: next.agent, relayUrl: next.relayUrl, nextStep: nextStep(next.callId) })
        }
      },
    },
  }

  // Twilio cannot search by our id, so the call is found by its two numbers and the time of the dial.
  async function search(
    { toNumber, fromNumber, dialledAt }: PlacedCall,
    belongsToAnother: (id: string) => Promise<boolean>,
  ): Promise<Found> {
    const day = new Date(dialledAt.getTime() - 60_000).toISOString().slice(0, 10)
    const answer = await get('/Calls.json', { To: toNumber, ...(fromNumber && { From: fromNumber }), 'StartTime>': day, PageSize: '100' })
    if (answer.status !== 200) return { kind: 'unknown', reason: `Twilio answered ${answer.status}` }
    const { calls = [] } = answer.json() as { calls?: TwilioCall[] }
    const candidates: TwilioCall[] = []
    for (const call of calls) {
      const begun = Date.parse(call.date_created ?? call.start_time ?? '')
      const isNear = begun > dialledAt.getTime() - 5_000 && begun < dialledAt.getTime() + 60_000
      if (isNear && !(await belongsToAnother(call.sid))) candidates.push(call)
    }
    const [only, ...others] = candidates
    if (!only) return { kind: 'absent' }
    return others.length > 0 ? { kind: 'unknown', reason: `${candidates.length} calls could be it` } : { kind: 'found', news: newsOf(only) }
  }
}

interface TwilioCall {
  sid: string
  status: string
  duration?: string | null
  answered_by?: string | null
  date_created?: string | null
  start_time?: string | null
  end_time?: string | null
}

function fieldsOf(order: DialOrder, callback: string, nextStep: string): [string, string][] {
  const { agent, voicemail } = order
  const events = ['initiated', 'ringing', 'answered', 'completed'].map(event => ['StatusCallbackEvent', event] as [string, string])
  const speaks: [string, string] = agent.dispatchUrl
    ? ['Url', agent.dispatchUrl]
    : ['Twiml', connectRelay({ agent, relayUrl: order.relayUrl ?? '', nextStep })]
  return [
    ['To', order.toNumber],
    ['From', order.fromNumber ?? ''],
    speaks,
    ['StatusCallback', callback],
    ['StatusCallbackMethod', 'POST'],
    ...events,
    ['Timeout', String(order.ringTimeoutSeconds)],
    ['TimeLimit', String(order.maxDurationSeconds)],
    ...(order.record
      ? ([
          ['Record', 'true'],
          ['RecordingStatusCallback', callback],
        ] as [string, string][])
      : []),
    ...(voicemail.action === 'continue'
      ? []
      : ([
          ['MachineDetection', voicemail.action === 'leave_message' ? 'DetectMessageEnd' : 'Enable'],
          ['AsyncAmd', 'true'],
          ['AsyncAmdStatusCallback', callback],
        ] as [string, string][])),
  ]
}

function dialledOf(answer: OutgoingAnswer): Dialled {
  const { status } = answer
  if (status === 201 || status === 200) {
    const { sid } = answer.json() as { sid?: unknown }
    return acceptance(sid) ?? { kind: 'unknown', reason: 'Twilio answered without a sid' }
  }
  if (status === 429) return { kind: 'unsent', reason: messageIn(answer), ...retryAfter(answer.headers.get('retry-after')) }
  if (status === 402) return { kind: 'rejected', reason: `${emptyAccount('Twilio')}: ${messageIn(answer)}` }
  if (status >= 400 && status < 500 && status !== 408) return { kind: 'rejected', reason: messageIn(answer) }
  return { kind: 'unknown', reason: `Twilio answered ${status}` }
}

function messageIn(answer: OutgoingAnswer): string {
  try {
    const { code, message } = answer.json() as { code?: unknown; message?: unknown }
    return shorten(`${code ?? answer.status} ${message ?? ''}`.trim(), 500)
  } catch {
    return String(answer.status)
  }
}

function foundOf(answer: OutgoingAnswer): Found {
  if (answer.status === 404) return { kind: 'absent' }
  if (answer.status !== 200) return { kind: 'unknown', reason: `Twilio answered ${answer.status}` }
  return { kind: 'found', news: newsOf(answer.json() as TwilioCall) }
}

const statuses: ReadonlyMap<string, CallStatus> = new Map(
  Object.entries({
    queued: 'queued',
    initiated: 'queued',
    ringing: 'ringing',
    'in-progress': 'in_progress',
    completed: 'completed',
    busy: 'busy',
    'no-answer': 'no_answer',
    failed: 'failed',
    canceled: 'canceled',
  } as const),
)

function newsOf(call: TwilioCall): CallNews & { providerCallId: string; status: CallStatus } {
  const [from, to] = [timeOf(call.start_time), timeOf(call.end_time)]
  return {
    providerCallId: call.sid,
    status: statuses.get(call.status) ?? 'queued',
    answeredBy: answererOf(call.answered_by),
    durationSeconds: secondsOf(call.duration) ?? (from && to && from < to ? secondsBetween(from, to) : undefined),
    endedAt: to,
  }
}

function answererOf(word: string | null | undefined): AnsweredBy | undefined {
  if (!word) return undefined
  if (word.startsWith('machine')) return 'machine'
  return word === 'human' || word === 'fax' ? word : 'unknown'
}

function read({ contentType, body }: Message, callId: string | null): ProviderEvent {
  if (!isForm(contentType)) throw new UnreadableDelivery('Twilio sends forms')
  const fields = parseForm(body)
  const field = (name: string) => {
    const value = fields.get(name)
    return value === null ? undefined : storableText(value, { maxLength: longest.reason })
  }
  const sid = field('CallSid')
  if (!sid || sid.length > longest.id) throw new UnreadableDelivery('there is no CallSid')
  const about = { callId, providerCallId: sid }

  const recording = field('RecordingSid')
  if (recording) {
    const state = field('RecordingStatus') ?? 'completed'
    const recordingUrl = state === 'completed' ? webAddress(field('RecordingUrl')) : undefined
    return { ...about, key: `${sid}:recording:${recording}:${state}`, news: recordingUrl ? { recordingUrl } : null }
  }
  const status = field('CallStatus')
  const answeredBy = answererOf(field('AnsweredBy'))
  const isDetection = field('MachineDetectionDuration') !== undefined
  if (isDetection) return { ...about, key: `${sid}:answered_by:${answeredBy}`, news: { status: 'in_progress', answeredBy } }
  const ours = statuses.get(status ?? '')
  if (status === undefined || ours === undefined) return { ...about, key: `${sid}:${status}`, news: null }

  const at = timeOf(field('Timestamp'))
  const sip = field('SipResponseCode')
  const isEnd = !['queued', 'ringing', 'in_progress'].includes(ours)
  return {
    ...about,
    // One that tells another duration is no repetition.
    key: [sid, status, field('SequenceNumber') ?? '', ...(isEnd ? [field('CallDuration') ?? ''] : [])].join(':'),
    news: {
      status: ours,
      answeredBy,
      ...(ours === 'in_progress' && { answeredAt: at }),
      ...(isEnd && {
        endedAt: at,
        durationSeconds: secondsOf(field('CallDuration')),
        endedReason: status.replace('-', '_'),
        providerReason: sip && `SIP ${sip}`,
        outcome: outcomeOf(sip),
      }),
    },
  }
}

// 603: the callee declined, which Twilio reports as busy. 607 and 608: the callee or the carrier rejects unwanted calls.
const outcomeOf = (sip: string | undefined): CallOutcome | undefined =>
  sip === '603' || sip === '607' || sip === '608' ? 'declined' : undefined

const isForm = (contentType: string) => mediaTypeOf(contentType).type === 'application/x-www-form-urlencoded'

/** The same check for the address of a socket. Twilio may have signed it with another scheme, or with a slash at its end. */
async function isSignedAddress(url: string, signature: string, authToken: string): Promise<boolean> {
  const { validateRequest } = await import('twilio/lib/webhooks/webhooks.js')
  const forms = [url, url.replace(/^ws/, 'http')].flatMap(form => [form, `${form}/`])
  return forms.some(form => validateRequest(authToken, signature, form, {}))
}

/** Twilio's own check, which knows the forms of an address that Twilio may have signed: with and without the port, and older encodings. */
async function isSigned({ url, headers, body, contentType }: Delivery, authToken: string): Promise<boolean> {
  if (!URL.canParse(url)) return false
  // Each is sorted and hashed for each form of the address.
  if (hasTooManyFields(body)) return false
  const fields = parseForm(isForm(contentType) ? body : '')
  const values = Map.groupBy(fields, ([name]) => name)
  const given = Object.fromEntries([...values].map(([name, all]) => [name, all.map(([, value]) => value)]))
  const { validateRequest } = await import('twilio/lib/webhooks/webhooks.js')
  return validateRequest(authToken, headers['x-twilio-signature'] ?? '', url, given)
}
