// The bodies of webhooks: each type of event is delivered, in full and thin, as openapi.json describes it.

import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { recordEvents } from '../../src/kernel/events/events.ts'
import type { EventType } from '../../src/kernel/nouns/events.ts'
import { openapi } from '../../src/rest/openapi/openapi.ts'
import { pricePerMinute, seedMarked } from '../identity/scope-matrix/marked.ts'
import { broken, escaped } from '../rest/conforming.ts'
import { type Json, serviceToken, startApp, type TestApp } from '../support/app.ts'
import { type Receiver, startReceiver } from './receiver.ts'

const documented = Object.keys((openapi() as Json).webhooks) as EventType[]

let app: TestApp
const receivers: Record<'full' | 'thin', Receiver> = {} as never
beforeAll(async () => {
  app = await startApp({
    env: {
      ROLES: 'web,api,session,gateway,worker',
      HOOKS_ENABLED: '1',
      OUTGOING_ALLOW_PRIVATE: '127.0.0.1',
      SIMULATOR_SPEED: '0',
      VOICE_PRICE_PER_MINUTE: String(pricePerMinute),
    },
  })
  const { key, userId, orgId } = await app.given.apiKey()
  // Of a user's session, since no API key receives all types.
  const { session } = await app.given.session({ userId })
  const since = app.services.now()
  for (const payload of ['full', 'thin'] as const) {
    receivers[payload] = await startReceiver()
    const body = { url: receivers[payload].url, payload, event_types: documented }
    const { body: made } = await app.rest('POST', '/api/webhooks/v1/endpoints', { session, body })
    await app.rest('POST', `/api/webhooks/v1/endpoints/${made.endpoint.id}/test`, { session })
  }
  await actOnEachNoun({ key, session, userId })
  await recordTheRest(orgId, userId, since)
}, 60_000)
afterAll(async () => {
  await app.close()
  await Promise.all(Object.values(receivers).map(receiver => receiver.close()))
})

/** Writes of the public doors, at least one for each noun that payloads show as an object. */
async function actOnEachNoun({ key, session, userId }: Record<'key' | 'session' | 'userId', string>) {
  const { ids } = await seedMarked({ rest: app.rest, key, userId, serviceToken })
  for (const mutation of [
    `updateNote(input: { id: "${ids.note}", pinned: true })`,
    'createCustomField(input: { key: "plan", label: "Plan", type: TEXT })',
    'inviteMember(input: { email: "invited@example.com", role: MEMBER })',
    'createPipeline(input: { name: "Partners" })',
    `startConversation(input: { voiceAgentId: "${ids.agent}" })`,
    'renameOrganization(input: { name: "Renamed" })',
    'updateProfile(input: { name: "Renamed" })',
    'startAgentRun(input: { message: "Hello" })',
    'wake(input: { text: "Hello", mode: NEXT_HEARTBEAT })',
  ]) {
    const { body } = await app.graphql(`mutation { ${mutation} { __typename } }`, undefined, { session })
    expect(body.errors).toBeUndefined()
  }
}

/** Events of the types that have not happened since, about the objects of those that have. */
async function recordTheRest(orgId: string, userId: string, since: Date) {
  const { rows } = await app.services.database.execute(
    'select type, entity, entity_id, contact_id, created_at >= $2 as is_new from events where org_id = $1 order by sequence',
    [orgId, since],
  )
  const happened = rows as { type: string; entity: string; entity_id: string; contact_id: string | null; is_new: boolean }[]
  const types = new Set(happened.flatMap(one => (one.is_new ? [one.type] : [])))
  const context = app.asSystem(orgId)
  await recordEvents(
    context,
    documented
      .filter(type => !types.has(type))
      .map(type => {
        const about = happened.find(({ entity }) => entity === type.slice(0, type.indexOf('.')))
        // Of these, full payloads show the first, and of updates alone. The others say whom some events are told.
        const changes = { name: ['before', 'after'], runId: uuid(), privateTo: userId }
        return { type, entityId: about?.entity_id ?? uuid(), contactId: about?.contact_id ?? null, changes }
      }),
  )
}

const bodiesOf = (receiver: Receiver, type: string) => receiver.sent.flatMap(({ body }) => (body.type === type ? [body] : []))

test.each(['full', 'thin'] as const)('each documented type is delivered, with a %s payload that fits its schema', async payload => {
  const receiver = receivers[payload]
  const missing = () => documented.filter(type => bodiesOf(receiver, type).length === 0)
  await vi.waitFor(() => expect(missing()).toEqual([]), { timeout: 20_000 })

  const schemaOf = (type: string) => `#/webhooks/${escaped(type)}/post/requestBody/content/application~1json/schema`
  const wrong = receiver.sent.flatMap(({ body }) => {
    const data = `${schemaOf(body.type)}/properties/data/anyOf/${payload === 'full' ? 0 : 1}`
    const complaint = broken(schemaOf(body.type), body) ?? broken(data, body.data)
    return complaint === null ? [] : [`${body.type}: ${complaint}`]
  })
  expect(wrong).toEqual([])
})

test('each noun that has a representation was delivered with it', () => {
  const { webhooks, components } = openapi() as Json
  const shown = documented.filter(type => {
    const [{ $ref: data }] = webhooks[type].post.requestBody.content['application/json'].schema.properties.data.anyOf
    return components.schemas[data.split('/').at(-1)].properties.object.type !== 'null'
  })
  const nouns = [...new Set(shown.map(type => type.slice(0, type.indexOf('.'))))]
  const bare = nouns.filter(noun => !receivers.full.sent.some(({ body }) => body.data.entity === noun && body.data.object !== null))

  expect(bare).toEqual([])
  expect(nouns.length).toBeGreaterThan(10)
})
