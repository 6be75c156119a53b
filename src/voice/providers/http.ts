// The provider `http`: calls are posted to the agent's own server, which places them and reports their progress.

import { maxMessageBytes } from '../../kernel/input/body.ts'
import { shorten } from '../../kernel/input/cut.ts'
import { type OutgoingAnswer, OutgoingError } from '../../kernel/outgoing/answer.ts'
import type { Outgoing } from '../../kernel/outgoing/http.ts'
import { emptyAccount, retryAfterSeconds } from '../../kernel/outgoing/refusal.ts'
import { newsFrom, readOwn, signatureHeaders, toldNews, verifyOwn } from './signed-message.ts'
import { type AgentSetup, type Dialled, type DialOrder, type Found, longest, type Provider, ProvisioningError } from './telephony.ts'

export interface HttpOptions {
  outgoing: Outgoing
  now: () => Date
  /** The URL for reports. */
  eventsUrl: () => string
}

export function createHttpProvider({ outgoing, now, eventsUrl }: HttpOptions): Provider {
  const post = (agent: AgentSetup, id: string, content: object): Promise<OutgoingAnswer> => {
    const body = JSON.stringify(content)
    return outgoing.send(addressOf(agent), {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', 'idempotency-key': id, ...signatureHeaders(agent.secrets, id, body, now()) },
    })
  }
  return {
    // The request has an Idempotency-Key, but the server may ignore it.
    dialsOnce: false,
    handlesVoicemail: true,

    async provision(agent) {
      try {
        await outgoing.check(addressOf(agent))
        return { providerAssistantId: agent.id }
      } catch (error) {
        if (!(error instanceof OutgoingError)) throw error
        throw new ProvisioningError(`dispatch_url: ${error.message}`, { isFinal: error.failure === 'refused', cause: error })
      }
    },

    async dial(order) {
      try {
        return dialledOf(await post(order.agent, order.callId, orderOnWire(order, eventsUrl())))
      } catch (error) {
        return dialFailure(error)
      }
    },

    async lookup({ agent, callId }) {
      try {
        const url = new URL(addressOf(agent))
        url.searchParams.set('call_id', callId)
        const answer = await outgoing.send(url.href, {
          maxBytes: maxMessageBytes,
          headers: signatureHeaders(agent.secrets, `lookup_${callId}`, '', now()),
        })
        return foundOf(answer)
      } catch (error) {
        return { kind: 'unknown', reason: reasonOf(error) }
      }
    },

    async hangUp({ agent, callId, providerCallId }) {
      try {
        const content = { type: 'call.hang_up', call_id: callId, provider_call_id: providerCallId }
        const { status } = await post(agent, `hang_up_${callId}`, content)
        return isSuccess(status) || status === 404 || status === 410
      } catch {
        return false
      }
    },

    proofOf: () => 'signature',
    verify: verifyOwn,
    read: readOwn,
  }
}

const isSuccess = (status: number) => status >= 200 && status < 300
const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

function addressOf({ dispatchUrl }: Pick<AgentSetup, 'dispatchUrl'>): string {
  if (dispatchUrl === null) throw new ProvisioningError('the agent has no dispatch_url', { isFinal: true })
  return dispatchUrl
}

function orderOnWire({ agent, voicemail, ...order }: DialOrder, eventsUrl: string) {
  return {
    type: 'call.dispatch',
    call_id: order.callId,
    to_number: order.toNumber,
    from_number: order.fromNumber,
    contact_id: order.contactId,
    variables: order.variables,
    metadata: order.metadata,
    max_duration_seconds: order.maxDurationSeconds,
    ring_timeout_seconds: order.ringTimeoutSeconds,
    record: order.record,
    voicemail,
    agent: {
      id: agent.id,
      version: agent.version,
      name: agent.name,
      instructions: agent.instructions,
      first_message: agent.firstMessage,
      extraction: agent.extraction,
      language: agent.language,
      voice: agent.voice,
    },
    events_url: eventsUrl,
  }
}

function dialledOf(answer: OutgoingAnswer): Dialled {
  const { status, headers } = answer
  if (isSuccess(status)) {
    return acceptance(idIn(answer)) ?? { kind: 'unknown', reason: `the answer ${status} holds no provider_call_id` }
  }
  if (status === 429) return { kind: 'unsent', reason: 'it has too many calls', ...retryAfter(headers.get('retry-after')) }
  // Redirects are not followed, because a request for one URL must not reach another.
  if (status === 402) return { kind: 'rejected', reason: emptyAccount('the server of dispatch_url') }
  if (status < 500 && status !== 408) return { kind: 'rejected', reason: `it answered ${status}: ${shorten(answer.text(), 500)}` }
  return { kind: 'unknown', reason: `it answered ${status}` }
}

/** The result of a dial that the provider has accepted under an id. Null for an invalid id: a longer one could not be stored. */
export const acceptance = (id: unknown): Dialled | null =>
  typeof id === 'string' && id.length > 0 && id.length <= longest.id ? { kind: 'accepted', providerCallId: id } : null

/** Why an agent cannot be provisioned, by the status of the provider's answer. */
export function provisioningError(name: string, status: number, message: string): ProvisioningError {
  const reason = status === 402 ? emptyAccount(name) : `${name} answered ${status}`
  return new ProvisioningError(`${reason}: ${message}`, { isFinal: status < 500 && status !== 429 && status !== 408 })
}

export function retryAfter(header: string | null): { retryAfterSeconds?: number } {
  const seconds = retryAfterSeconds(header)
  return seconds !== undefined && seconds > 0 ? { retryAfterSeconds: seconds } : {}
}

function idIn(answer: OutgoingAnswer): unknown {
  try {
    return (answer.json() as { provider_call_id?: unknown }).provider_call_id
  } catch {
    return null
  }
}

/** The result of a dial without an answer. Only a request that certainly did not arrive may be repeated. */
export function dialFailure(error: unknown): Dialled {
  const reason = reasonOf(error)
  if (error instanceof ProvisioningError) return { kind: 'rejected', reason }
  if (!(error instanceof OutgoingError) || error.mayHaveArrived) return { kind: 'unknown', reason }
  return error.failure === 'refused' ? { kind: 'rejected', reason } : { kind: 'unsent', reason }
}

function foundOf(answer: OutgoingAnswer): Found {
  if (answer.status === 404) return { kind: 'absent' }
  if (!isSuccess(answer.status)) return { kind: 'unknown', reason: `it answered ${answer.status}` }
  const parsed = toldNews.safeParse(answer.json())
  const news = parsed.success ? newsFrom(parsed.data) : undefined
  if (!news?.providerCallId || !news.status) return { kind: 'unknown', reason: 'it answered without provider_call_id and status' }
  return { kind: 'found', news: { ...news, providerCallId: news.providerCallId, status: news.status } }
}
