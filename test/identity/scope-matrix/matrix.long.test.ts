// What each scope shows: every answer is searched for words that occur in the data of one noun only.

import pMap from 'p-map'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Scope, scopes } from '../../../src/kernel/principal.ts'
import { createAgentTools } from '../../../src/tools/catalogue.ts'
import { type Json, serviceToken, startApp, type TestApp } from '../../support/app.ts'
import { fakeProvider } from '../../voice/fake-provider.ts'
import { allowedWith, answersTo } from './answers.ts'
import { type Kind, kinds, pricePerMinute, type Seeded, seedMarked, seenIn } from './marked.ts'
import { subscriptionQuestions } from './questions.ts'

let app: TestApp
let owner: { key: string; orgId: string; userId: string }
let seeded: Seeded
const keys = new Map<Scope, string>()

beforeAll(async () => {
  app = await startApp({
    env: { ROLES: 'web,api,session,worker', VOICE_PRICE_PER_MINUTE: String(pricePerMinute) },
    telephony: { simulator: fakeProvider() },
  })
  owner = await app.given.apiKey()
  seeded = await seedMarked({ rest: app.rest, serviceToken, ...owner })
  for (const scope of scopes) keys.set(scope, (await app.given.apiKey({ orgId: owner.orgId, scopes: [scope] })).key)
}, 60_000)
afterAll(() => app.close())

const bearer = (key: string) => ({ 'content-type': 'application/json', authorization: `Bearer ${key}` })

describe('a key with one scope', () => {
  for (const scope of scopes)
    test(`${scope} sees ${allowedWith(scope).join(', ') || 'nothing'} in all answers, and nothing else in any`, async () => {
      const answers = await answersTo(app.url, keys.get(scope) ?? '', allowedWith(scope), seeded)

      expect(answers).toEqual({ leaks: [], seen: allowedWith(scope) })
    }, 120_000)
})

test("a viewer's session and key see what may be read, no secret, and change nothing", async () => {
  const { session, userId } = await app.given.member({ orgId: owner.orgId, role: 'viewer' })
  const { key } = await app.given.apiKey({ orgId: owner.orgId, userId })
  const { prisma } = app.services.database
  const changes = () => prisma.event.count({ where: { orgId: owner.orgId, actorId: { in: [userId] } } })
  const before = await changes()
  const readable = kinds.filter(kind => kind !== 'agentSecret' && kind !== 'webhook')

  expect(await answersTo(app.url, key, readable, seeded)).toEqual({ leaks: [], seen: readable })
  expect((await answersTo(app.url, session, readable, seeded)).leaks).toEqual([])
  expect(await changes()).toBe(before)
}, 240_000)

/** Everything a stream has told so far. */
interface Stream {
  text(): string
  /** Resolves once an event has come, or the refusal. */
  told: Promise<unknown>
  leave(): void
}

async function follow(key: string, query: string): Promise<Stream> {
  const leaving = new AbortController()
  const headers = { ...bearer(key), accept: 'text/event-stream' }
  const response = await fetch(`${app.url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }), signal: leaving.signal })
  const { promise: told, resolve } = Promise.withResolvers<void>()
  let text = ''
  const read = async () => {
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk
      if (text.includes('data: ')) resolve()
    }
  }
  read()
    .catch(() => {})
    .finally(resolve)
  return { text: () => text, told, leave: () => leaving.abort() }
}

/** Something happens to each noun. */
async function stirUp() {
  const { key } = owner
  const { ids } = seeded
  const ask = async (method: string, path: string, body: Json) => {
    const answer = await app.rest(method, path, { key, body })
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
    return answer.body
  }
  await ask('PATCH', `/api/crm/v1/contacts/${ids.contact}`, { last_name: 'marked-contact-live' })
  const placed = { agent_id: ids.agent, to_number: '+442079460123', contact_id: ids.contact, metadata: { a: 'marked-call-live' } }
  const call = await ask('POST', '/api/voice/v1/calls', placed)
  await ask('POST', `/api/voice/v1/calls/${call.id}/cancel`, {})
  const target = { host_app: 'rolocom', id: ids.contact, kind: 'contact' }
  const job = await ask('POST', '/api/enrich/v1/jobs', { target, recipe: 'generic', options: { note: 'marked-enrichment-live' } })
  await ask('POST', `/api/enrich/v1/jobs/${job.job_id}/cancel`, {}).catch(() => {})
  await ask('POST', `/api/enrich/v1/suggestions/${ids.pendingSuggestion}/reject`, { reason: 'marked-enrichment-live' })
}

test('live updates show a key with one scope no more than answers do', async () => {
  const streams: { scope: Scope; query: string; stream: Stream }[] = []
  // A credential may have 100 subscriptions open.
  const questions = subscriptionQuestions()
  for (const scope of scopes)
    for (let start = 0; start < questions.length; start += 100) {
      const { key } = await app.given.apiKey({ orgId: owner.orgId, scopes: [scope] })
      const some = questions.slice(start, start + 100)
      await pMap(some, async query => void streams.push({ scope, query, stream: await follow(key, query) }), { concurrency: 8 })
    }

  await stirUp()
  await Promise.all(streams.map(({ stream }) => stream.told))

  const leaks = streams.flatMap(({ scope, query, stream }) => {
    const foreign = seenIn(stream.text(), seeded).filter(kind => !allowedWith(scope).includes(kind))
    return foreign.length > 0 ? [`${scope}: ${foreign} in ${query}`] : []
  })
  const seen = (scope: Scope) => seenIn(streams.flatMap(one => (one.scope === scope ? [one.stream.text()] : [])).join(), seeded)
  for (const { stream } of streams) stream.leave()
  expect(streams.filter(({ stream }) => stream.text().includes('RATE_LIMITED'))).toEqual([])
  expect({ leaks, contacts: seen('contacts:read'), calls: seen('calls:read'), enrich: seen('enrich:read') }).toEqual({
    leaks: [],
    contacts: ['contact', 'contactPhone', 'contactCurrent'],
    calls: ['contactPhone', 'call'],
    enrich: ['said', 'enrichment'],
  })
}, 60_000)

test('a timeline lists and counts calls only with calls:read, and suggestions only with enrich:read', async () => {
  const timeline = async (...given: Scope[]) => {
    const { key } = await app.given.apiKey({ orgId: owner.orgId, scopes: given })
    const query = `{ contact(id: "${seeded.ids.contact}") { timeline(first: 200) { nodes { type } totalCount } } }`
    const { nodes, totalCount } = (await app.graphql(query, {}, { key })).body.data.contact.timeline
    expect(nodes).toHaveLength(totalCount)
    return [...new Set(nodes.map(({ type }: Json) => type.replace(/_[A-Z]+$/, '')))].toSorted()
  }

  expect(await timeline('contacts:read')).toEqual(['CONTACT', 'CONTACT_TASK'])
  expect(await timeline('contacts:read', 'calls:read')).toEqual(['CALL', 'CONTACT', 'CONTACT_TASK'])
  expect(await timeline('contacts:read', 'enrich:read')).toEqual(['CONTACT', 'CONTACT_TASK', 'ENRICHMENT_JOB', 'SUGGESTION'])
})

test("an agent's tools show what the scopes of its run allow", async () => {
  const tools = createAgentTools(app.services)
  const { ids } = seeded
  const inputs: Record<string, Json> = { get_contact: { id: ids.contact }, get_call: { id: ids.call } }
  const leaks: string[] = []
  let kindsOfContacts: Kind[] = []

  for (const scope of scopes) {
    const run = { runId: ids.job, orgId: owner.orgId, name: 'test', scopes: [scope], creditCeiling: 0 }
    for (const { name } of tools.listFor([scope])) {
      const text = JSON.stringify(await tools.call({ id: name, name, input: inputs[name] ?? {} }, run, `${scope} ${name}`))
      const foreign = seenIn(text, seeded).filter(kind => !allowedWith(scope).includes(kind))
      if (foreign.length > 0) leaks.push(`${scope}: ${foreign} in ${name}`)
      if (name === 'get_contact') kindsOfContacts = seenIn(text, seeded)
    }
  }

  expect({ leaks, kindsOfContacts }).toEqual({ leaks: [], kindsOfContacts: ['contact', 'contactPhone', 'contactCurrent'] })
})

test('a key that may only write gets the row it names, and nothing connected with it', async () => {
  const { ids } = seeded
  const ask = async (scope: Scope, mutation: string) =>
    (await app.graphql(`mutation { ${mutation} }`, {}, { key: keys.get(scope) ?? '' })).body
  const reject = `rejectSuggestion(input: { id: "${ids.suggestion}" })`
  const cancel = `cancelCall(input: { id: "${ids.laterCall}" })`

  expect((await ask('enrich:write', `${reject} { id }`)).data.rejectSuggestion).toEqual({ id: ids.suggestion })
  expect((await ask('calls:write', `${cancel} { id }`)).data.cancelCall).toEqual({ id: ids.laterCall })
  for (const [scope, mutation] of [
    ['enrich:write', `${reject} { job { id } }`],
    ['enrich:write', 'enqueueEnrichment(input: { target: { hostApp: "a", id: "1", kind: "contact" } }) { suggestions { id } }'],
    ['calls:write', `${cancel} { providerEvents { id } }`],
    ['calls:write', `${cancel} { contact { id } }`],
    ['contacts:write', `logNote(input: { contactId: "${ids.contact}", text: "marked-contact-note" }) { calls { nodes { id } } }`],
  ] as const)
    expect((await ask(scope, mutation)).errors[0].extensions.code).toBe('FORBIDDEN')
})
