// An organization whose every noun holds words that stand nowhere else, and the scopes that may see each of them.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Scope } from '../../../src/kernel/principal.ts'
import { signatureHeaders } from '../../../src/voice/providers/signed-message.ts'
import type { Answer, Asked, Json } from '../../support/app.ts'
import { createNouns, type NounId } from '../../support/nouns.ts'

/** What a server must offer for this: its REST door, a key that may do everything, and its service token. */
export interface Seeding {
  rest(method: string, path: string, asked?: Asked): Promise<Pick<Answer, 'status' | 'headers' | 'body'>>
  key: string
  userId: string
  serviceToken: string
}

export interface Seeded {
  ids: Readonly<
    Record<
      | NounId
      | 'operation'
      | 'contact'
      | 'import'
      | 'endpoint'
      | 'delivery'
      | 'call'
      | 'laterCall'
      | 'agent'
      | 'job'
      | 'suggestion'
      | 'pendingSuggestion'
      | 'staleSuggestion',
      string
    >
  >
  /** The marks of each kind, as they stand in the text of an answer. */
  marks: Readonly<Record<Kind, readonly string[]>>
}

/**
 * Who may see what. A noun's fields belong to its scopes, all of them: a call names the number it rang and what it cost, a suggestion
 * what it would replace and the words it was taken from. A write answers with the row it wrote.
 */
export const mayBeSeenWith = {
  contact: ['contacts:read', 'contacts:write'],
  contactPhone: ['contacts:read', 'contacts:write', 'calls:read', 'calls:write'],
  contactCurrent: ['contacts:read', 'contacts:write', 'enrich:read', 'enrich:write'],
  call: ['calls:read', 'calls:write'],
  // Of calls that are over; the one that a write here answers with is not.
  callCost: ['calls:read', 'credits:read'],
  said: ['calls:read', 'enrich:read', 'enrich:write'],
  agent: ['agents:read', 'agents:write'],
  agentSecret: ['agents:write'],
  enrichment: ['enrich:read', 'enrich:write'],
  credits: ['credits:read'],
  webhook: ['webhooks:manage'],
} as const satisfies Record<string, readonly Scope[]>
export type Kind = keyof typeof mayBeSeenWith
export const kinds = Object.keys(mayBeSeenWith) as Kind[]

/** What the minute costs that the call lasts, in credits; the server is started with it as VOICE_PRICE_PER_MINUTE. */
export const pricePerMinute = 27.654321

export async function seedMarked({ rest, key, userId, serviceToken }: Seeding): Promise<Seeded> {
  const ask = async (method: string, path: string, asked: Asked): Promise<Json> => {
    const { status, body } = await rest(method, path, asked)
    if (status >= 300) throw new Error(`${method} ${path} was answered ${status}: ${JSON.stringify(body)}`)
    return body
  }
  const post = (path: string, body: Json) => ask('POST', path, { key, body })
  const service = { 'x-svc-services-token': serviceToken }
  const reference = 'marked-credits-reference'
  await ask('POST', '/api/credits/grant', { headers: service, body: { user_id: userId, amount: 1234.567891, reference } })

  const contact = await post('/api/crm/v1/contacts', {
    ...{ email: 'marked-contact-email@example.com', first_name: 'marked-contact-name', tags: ['marked-contact-tag'] },
    ...{ phone: '+442079460123', job_title: 'marked-current-title' },
  })
  const csv = { body: 'email,city\nmarked-contact-import@example.com,marked-contact-city\n', headers: { 'content-type': 'text/csv' } }
  const contactImport = await ask('POST', '/api/crm/v1/imports', { key, ...csv })
  const usual = await createNouns(post, contact.id, ({ id }) => `marked-contact-${id}`)

  // It is sent the note, whose body the log then has.
  const { endpoint } = await post('/api/webhooks/v1/endpoints', { url: 'https://marked-webhook.invalid' })
  await post(`/api/crm/v1/contacts/${contact.id}/notes`, { text: 'marked-contact-sent' })
  const delivery = await eventually(async () => {
    const { data } = await ask('GET', `/api/webhooks/v1/deliveries?entity_id=${contact.id}`, { key })
    return data.find(({ attempt_count: count }: Json) => count > 0) ?? null
  })

  // Without a first message the simulator greets with the agent's name, and what is said in a call belongs to the call.
  const agent = await post('/api/voice/v1/agents', {
    ...{
      name: 'marked-agent-name',
      instructions: 'marked-agent-instructions',
      phone_number: '+15550109876',
      first_message: 'Good morning.',
    },
  })
  const { secrets } = await post(`/api/voice/v1/agents/${agent.id}/signing-secret`, {})
  const call = await post('/api/voice/v1/calls', {
    ...{ agent_id: agent.id, to_number: '+442079460123', contact_id: contact.id, from_number: '+15550101111' },
    ...{ variables: { a: 'marked-call-variable' }, metadata: { a: 'marked-call-metadata' } },
  })
  const started = Date.now() - 60_000
  const transcript = [
    { role: 'agent', text: 'marked-call-greeting', start_ms: 0 },
    { role: 'user', text: 'I am the marked-said-title now, in marked-said-city.', start_ms: 1000 },
  ]
  const extracted = { job_title: 'marked-said-title', city: 'marked-said-city', company_name: 'marked-said-company' }
  const report = JSON.stringify({
    ...{ call_id: call.id, status: 'completed', outcome: 'goal_met', answered_by: 'human' },
    ...{ answered_at: new Date(started).toISOString(), ended_at: new Date(started + 60_000).toISOString() },
    ...{ ended_reason: 'marked-call-reason', recording_url: 'https://marked-call-recording.example/1.mp3' },
    ...{ summary: 'marked-call-summary', transcript, extracted },
  })
  const headers = signatureHeaders(secrets, 'marked', report, new Date())
  await ask('POST', '/api/voice/v1/providers/simulator/events', { body: report, headers })
  const laterCall = await post('/api/voice/v1/calls', {
    ...{ agent_id: agent.id, to_number: '+442079460123', contact_id: contact.id, metadata: { a: 'marked-call-later' } },
    schedule: { earliest_at: new Date(Date.now() + 86_400_000).toISOString() },
  })

  const job = await post('/api/enrich/v1/jobs', {
    target: { host_app: 'rolocom', id: contact.id, kind: 'contact' },
    recipe: 'generic',
    options: { note: 'marked-enrichment-option' },
  })
  const suggestions = await eventually(async () => {
    const { data } = await ask('GET', `/api/enrich/v1/suggestions?call_id=${call.id}`, { key })
    return data.length === 3 ? data : null
  })
  const idOf = (field: string) => suggestions.find((one: Json) => one.field === field).id
  await post(`/api/enrich/v1/suggestions/${idOf('job_title')}/reject`, { reason: 'marked-enrichment-reason' })
  const change = { key, body: { company_name: 'marked-contact-change' } }
  const changed = await rest('PATCH', `/api/crm/v1/contacts/${contact.id}`, change)
  await eventually(async () => {
    const { status } = await ask('GET', `/api/enrich/v1/jobs/${job.job_id}`, { key })
    return status === 'queued' || status === 'running' ? null : status
  })
  const balance = await ask('GET', '/api/credits/balance', { headers: { ...service, 'x-user-id': userId } })

  return {
    ids: {
      ...usual,
      ...{ contact: contact.id, call: call.id, laterCall: laterCall.id, agent: agent.id, job: job.job_id },
      ...{ import: contactImport.id, endpoint: endpoint.id, delivery: delivery.id },
      ...{ operation: changed.headers.get('x-operation-id') ?? '' },
      ...{ suggestion: idOf('job_title'), pendingSuggestion: idOf('city'), staleSuggestion: idOf('company_name') },
    },
    marks: {
      contact: ['marked-contact-'],
      contactPhone: ['+442079460123'],
      contactCurrent: ['marked-current-'],
      call: ['marked-call-'],
      callCost: [String(pricePerMinute)],
      said: ['marked-said-'],
      agent: ['marked-agent-'],
      agentSecret: secrets,
      enrichment: ['marked-enrichment-'],
      webhook: ['marked-webhook'],
      credits: ['marked-credits-', '1234.567891', String(balance.available)],
    },
  }
}

/** The kinds of marks that stand in a text. */
export const seenIn = (text: string, { marks }: Seeded): Kind[] => kinds.filter(kind => marks[kind].some(mark => text.includes(mark)))

async function eventually<Found>(look: () => Promise<Found | null>): Promise<Found> {
  for (let tries = 0; tries < 600; tries++) {
    const found = await look()
    if (found !== null) return found
    await sleep(50)
  }
  throw new Error('what was waited for has not come about within 30 s')
}
