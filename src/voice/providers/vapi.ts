// The provider `vapi`: assistants and outbound calls. Its messages are read in vapi-message.ts.

import { z } from 'zod'
import { maxMessageBytes } from '../../kernel/input/body.ts'
import { cutText, shorten } from '../../kernel/input/cut.ts'
import type { OutgoingAnswer } from '../../kernel/outgoing/answer.ts'
import type { Outgoing } from '../../kernel/outgoing/http.ts'
import { emptyAccount } from '../../kernel/outgoing/refusal.ts'
import { segment } from '../../kernel/outgoing/segment.ts'
import { acceptance, dialFailure, provisioningError, retryAfter } from './http.ts'
import { type AgentSetup, type Dialled, type DialOrder, ForgedDelivery, type Found, type Provider, ProvisioningError } from './telephony.ts'
import { callIdOf, hasSecret, isGenuine, newsOf, read, vapiCall } from './vapi-message.ts'

export interface VapiOptions {
  apiKey: string
  webhookSecret: string
  apiUrl: string
  outgoing: Outgoing
  eventsUrl: () => string
}

export function createVapi({ apiKey, webhookSecret, apiUrl, outgoing, eventsUrl }: VapiOptions): Provider {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  const send = (method: string, path: string, body?: object) =>
    outgoing.send(`${apiUrl}${path}`, { method, headers, maxBytes: maxMessageBytes, ...(body && { body: JSON.stringify(body) }) })
  const request = async (method: string, path: string, body?: object): Promise<unknown> => {
    const answer = await send(method, path, body).catch((cause: unknown) => {
      throw new ProvisioningError('Vapi cannot be reached', { isFinal: false, cause })
    })
    if (answer.status >= 300) throw provisioningError('Vapi', answer.status, messageIn(answer))
    return answer.json()
  }

  /** Creating has no idempotency key, so after a lost answer the assistant is found by its metadata. */
  async function assistantOf(agent: AgentSetup): Promise<string> {
    const content = assistantFrom(agent, eventsUrl(), webhookSecret)
    const known = agent.providerAssistantId ?? (await findAssistant(agent.id))
    if (known !== null) {
      await request('PATCH', `/assistant/${known}`, content)
      return known
    }
    const { id } = (await request('POST', '/assistant', content)) as { id?: unknown }
    if (typeof id !== 'string') throw new ProvisioningError('Vapi answered without an id', { isFinal: false })
    return id
  }
  async function findAssistant(agentId: string): Promise<string | null> {
    const assistants = (await request('GET', '/assistant?limit=1000')) as { id: string; metadata?: { agent_id?: string } }[]
    return assistants.find(({ metadata }) => metadata?.agent_id === agentId)?.id ?? null
  }
  async function phoneOf({ phoneNumber }: AgentSetup): Promise<string> {
    const numbers = (await request('GET', '/phone-number?limit=1000')) as { id: string; number?: string }[]
    const found = numbers.find(({ number }) => number === phoneNumber)
    if (!found) throw new ProvisioningError(`the Vapi account has no number ${phoneNumber}`, { isFinal: true })
    return found.id
  }

  return {
    dialsOnce: false,
    handlesVoicemail: true,

    async provision(agent) {
      const providerPhoneId = await phoneOf(agent)
      return { providerAssistantId: await assistantOf(agent), providerPhoneId }
    },

    async dial(order) {
      try {
        return dialledOf(await send('POST', '/call', orderOnWire(order)))
      } catch (error) {
        return dialFailure(error)
      }
    },

    async lookup({ callId, providerCallId, agent, dialledAt }) {
      try {
        if (providerCallId !== null) return foundOf(await send('GET', `/call/${segment(providerCallId)}`))
        const since = new Date(dialledAt.getTime() - 60_000).toISOString()
        const query = new URLSearchParams({ assistantId: agent.providerAssistantId ?? '', createdAtGe: since, limit: '1000' })
        const answer = await send('GET', `/call?${query}`)
        if (answer.status !== 200) return { kind: 'unknown', reason: `Vapi answered ${answer.status}` }
        const calls = z.array(vapiCall.or(z.unknown().transform(() => null))).parse(answer.json())
        const call = calls.find(one => one !== null && callIdOf(one) === callId)
        return call ? { kind: 'found', news: newsOf(call) } : { kind: 'absent' }
      } catch (error) {
        return { kind: 'unknown', reason: error instanceof Error ? error.message : String(error) }
      }
    },

    async hangUp({ providerCallId }) {
      if (providerCallId === null) return true
      try {
        const answer = await send('GET', `/call/${segment(providerCallId)}`)
        if (answer.status === 404) return true
        const call = vapiCall.parse(answer.json())
        if (call.status === 'ended') return true
        const control = call.monitor?.controlUrl
        // A call has no control URL before it is answered; deleting it ends it.
        if (!control) return (await send('DELETE', `/call/${segment(providerCallId)}`)).status < 300
        const ended = await outgoing.send(control, { method: 'POST', headers, body: JSON.stringify({ type: 'end-call' }) })
        return ended.status < 300 || ended.status === 404
      } catch {
        return false
      }
    },

    proofOf: headers => (hasSecret(headers, webhookSecret) ? 'sender' : headers['x-vapi-signature'] === undefined ? 'none' : 'signature'),

    async verify(delivery) {
      if (!isGenuine(delivery, webhookSecret)) throw new ForgedDelivery('neither secret nor signature fits')
    },
    read,
  }
}

const assistantFrom = (agent: AgentSetup, url: string, secret: string) => ({
  // Vapi accepts at most 40 characters.
  name: cutText(agent.name, 40),
  ...speechOf(agent),
  server: { url, headers: { 'X-Vapi-Secret': secret } },
  serverMessages: ['status-update', 'end-of-call-report'],
  metadata: ownIds(agent),
})

const ownIds = ({ id, orgId, version }: AgentSetup) => ({ agent_id: id, org_id: orgId, version })

/** The agent's messages and questions. */
const speechOf = ({ name, instructions, firstMessage, extraction, language, voice }: AgentSetup) => ({
  // Vapi keeps the values of absent properties: without the mode, a removed first message would still be spoken.
  ...(firstMessage !== null && { firstMessage }),
  firstMessageMode: firstMessage === null ? 'assistant-waits-for-user' : 'assistant-speaks-first',
  model: { provider: 'openai', model: 'gpt-4o', messages: [{ role: 'system', content: instructions ?? `You are ${name}.` }] },
  // Deepgram names languages without regions.
  ...(language !== null && { transcriber: { provider: 'deepgram', model: 'nova-2', language: new Intl.Locale(language).language } }),
  ...(voice !== null && { voice: voiceOf(voice) }),
  analysisPlan: {
    summaryPlan: { enabled: true },
    successEvaluationPlan: { enabled: true, rubric: 'PassFail' },
    structuredDataPlan: { enabled: Object.keys(extraction).length > 0, schema: { type: 'object', properties: propertiesOf(extraction) } },
  },
})

/** `azure:de-DE-KatjaNeural`: the provider of the voice, then its id there. */
function voiceOf(voice: string) {
  const [provider = '', ...id] = voice.split(':')
  return { provider, voiceId: id.join(':') }
}

// Target and order are ours alone.
const propertiesOf = (extraction: AgentSetup['extraction']) =>
  Object.fromEntries(Object.entries(extraction).map(([name, { field: _field, order: _order, ...schema }]) => [name, schema]))

function orderOnWire({ agent, voicemail, ...order }: DialOrder) {
  return {
    assistantId: agent.providerAssistantId,
    phoneNumberId: agent.providerPhoneId,
    customer: { number: order.toNumber },
    // A call whose answer was lost is found by its name, which lists contain, and by its metadata, which every message contains.
    name: order.callId,
    assistantOverrides: {
      metadata: { ...ownIds(agent), call_id: order.callId },
      // The assistant has the agent's current version, but the call needs the version with which it was placed.
      ...speechOf(agent),
      variableValues: order.variables,
      maxDurationSeconds: order.maxDurationSeconds,
      artifactPlan: { recordingEnabled: order.record },
      ...(voicemail.action === 'leave_message' && { voicemailMessage: voicemail.message }),
      // Without a message, the assistant hangs up when it detects a machine. With detection off, it keeps talking.
      ...(voicemail.action === 'continue' ? { voicemailDetection: 'off' } : { voicemailDetection: { provider: 'vapi' } }),
    },
  }
}

function dialledOf(answer: OutgoingAnswer): Dialled {
  const { status } = answer
  if (status >= 200 && status < 300) {
    const { id } = answer.json() as { id?: unknown }
    return acceptance(id) ?? { kind: 'unknown', reason: 'Vapi answered without an id' }
  }
  if (status === 429) return { kind: 'unsent', reason: messageIn(answer), ...retryAfter(answer.headers.get('retry-after')) }
  if (status === 402) return { kind: 'rejected', reason: `${emptyAccount('Vapi')}: ${messageIn(answer)}` }
  if (status >= 400 && status < 500 && status !== 408) return { kind: 'rejected', reason: messageIn(answer) }
  return { kind: 'unknown', reason: `Vapi answered ${status}` }
}

function messageIn(answer: OutgoingAnswer): string {
  try {
    const { message } = answer.json() as { message?: string | string[] }
    return shorten([message].flat().filter(Boolean).join('; '), 500) || String(answer.status)
  } catch {
    return String(answer.status)
  }
}

function foundOf(answer: OutgoingAnswer): Found {
  if (answer.status === 404) return { kind: 'absent' }
  if (answer.status !== 200) return { kind: 'unknown', reason: `Vapi answered ${answer.status}` }
  return { kind: 'found', news: newsOf(vapiCall.parse(answer.json())) }
}
