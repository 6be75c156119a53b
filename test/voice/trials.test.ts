// Trials of agents: played by the simulator, without a trace in contacts and statistics.

import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { conforming } from '../rest/conforming.ts'
import { type Json, startApp } from '../support/app.ts'
import { keepOpen } from '../support/open.ts'
import { agents, type CallFixture, calls, givenCallFixture, number } from './call-fixture.ts'

const env = { ROLES: 'web,api,session,worker', SIMULATOR_SPEED: '0', VOICE_PRICE_PER_MINUTE: '6', OUTGOING_ALLOW_PRIVATE: '127.0.0.1' }
const started = await startApp({ env })
const app = await keepOpen({ ...started, rest: conforming(started) })

const ended = async (fixture: CallFixture, id: string) => {
  await expect.poll(async () => (await fixture.read(id)).outcome).not.toBe('')
  return fixture.read(id)
}
const pay = (userId: string) =>
  app.rest('POST', '/api/credits/grant', {
    headers: { 'X-Svc-Services-Token': 'test-service-token-0123456789' },
    body: { user_id: userId, amount: 1000 },
  })
const ask = async (key: string, query: string, variables: Record<string, unknown> = {}): Promise<Json> =>
  (await app.graphql(query, variables, { key })).body.data

test('a trial makes no contact and no suggestion, and costs nothing', async () => {
  const fixture = await givenCallFixture(app, { extraction: { job_title: { type: 'string' } } })

  const trial = await fixture.call({ is_trial: true })

  // Without credits, the organization could not pay for another call.
  expect(trial).toMatchObject({ is_trial: true, provider: 'simulator', contact_id: '', credits_reserved: 0 })
  expect(await ended(fixture, trial.id)).toMatchObject({
    is_trial: true,
    status: 'completed',
    outcome: 'goal_met',
    contact_id: '',
    credits_charged: 0,
    extracted: { job_title: 'Head of Operations' },
  })
  const { contacts, suggestions } = await ask(fixture.key, '{ contacts(first: 1) { totalCount } suggestions(first: 1) { totalCount } }')
  expect([contacts, suggestions]).toEqual([{ totalCount: 0 }, { totalCount: 0 }])
})

test('a trial for a contact leaves nothing on it, and its number is not dialled even if the contact must not be called', async () => {
  const fixture = await givenCallFixture(app)
  const { body: contact } = await app.rest('POST', '/api/crm/v1/contacts', {
    key: fixture.key,
    body: { email: 'ada@example.com', first_name: 'Ada', phone: number, do_not_call: true },
  })

  const trial = await fixture.call({ is_trial: true, contact_id: contact.id, to_number: '+9990000013' })
  const byNumber = await fixture.call({ is_trial: true })
  await Promise.all([ended(fixture, trial.id), ended(fixture, byNumber.id)])

  const { contact: found } = await ask(
    fixture.key,
    `{ contact(id: "${contact.id}") { version lastContactedAt calls { totalCount } timeline(first: 10) { nodes { type } } } }`,
  )
  expect(found).toEqual({ version: 1, lastContactedAt: null, calls: { totalCount: 0 }, timeline: { nodes: [{ type: 'CONTACT_CREATED' }] } })
  expect((await fixture.read(trial.id)).dispatch_state).toBe('dispatched')
})

test('neither statistics nor lists, groups and searches have a trial; the filter has trials alone', async () => {
  const fixture = await givenCallFixture(app, { first_message: 'Pomegranate.' })
  await pay(fixture.userId)
  const trial = await ended(fixture, (await fixture.call({ is_trial: true })).id)
  const before = (await app.rest('GET', '/api/crm/v1/stats', { key: fixture.key })).body.calls

  const call = await ended(fixture, (await fixture.call()).id)

  const stats = (await app.rest('GET', '/api/crm/v1/stats', { key: fixture.key })).body.calls
  expect([before.total, before.answer_rate, before.avg_duration_seconds]).toEqual([0, 0, 0])
  expect([stats.total, stats.active, stats.by_status.completed, stats.series.at(-1)]).toMatchObject([1, 0, 1, { placed: 1, answered: 1 }])
  const list = async (query: string) => {
    const { data, total } = (await app.rest('GET', `${calls}?include=total${query}`, { key: fixture.key })).body
    return [data.map(({ id }: Json) => id), total]
  }
  expect(await list('')).toEqual([[call.id], 1])
  expect(await list('&is_trial=false')).toEqual([[call.id], 1])
  expect(await list('&is_trial=true')).toEqual([[trial.id], 1])
  expect(await list(`&is_trial=true&agent_id=${fixture.agent.id}`)).toEqual([[trial.id], 1])
  const { groupCalls, search } = await ask(
    fixture.key,
    '{ groupCalls(by: [{ field: STATUS }]) { groups { count } } search(query: "pomegranate", first: 9) { nodes { entityId entity { __typename } } } }',
  )
  expect(groupCalls).toEqual({ groups: [{ count: 1 }] })
  expect(search.nodes.filter((hit: Json) => hit.entity.__typename === 'Call')).toEqual([
    { entityId: call.id, entity: { __typename: 'Call' } },
  ])
})

test('calling hours do not put a trial off, and no provider but the simulator gets it', async () => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.end('{}')
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : null
  const fixture = await givenCallFixture(app, { provider: 'http', dispatch_url: `http://127.0.0.1:${port}/calls` })
  const never = { callingHours: { from: '00:00', until: '00:01', days: [((new Date().getUTCDay() + 2) % 7) + 1] } }
  await ask(fixture.key, 'mutation ($input: VoiceSettingsInput!) { updateVoiceSettings(input: $input) { concurrency } }', { input: never })

  const trial = await ended(fixture, (await fixture.call({ is_trial: true })).id)

  expect(trial).toMatchObject({ provider: 'simulator', status: 'completed', dispatch_state: 'dispatched' })
  expect(asked).toEqual([])
  expect((await app.rest('GET', `${agents}/${fixture.agent.id}`, { key: fixture.key })).body.provider).toBe('http')
  await new Promise(done => server.close(done))
})
