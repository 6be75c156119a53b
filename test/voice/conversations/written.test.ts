// Conversations in writing with voice agents: by the interviewer, and by models.

import { describe, expect, test } from 'vitest'
import { conforming } from '../../rest/conforming.ts'
import { type Json, openApp } from '../../support/app.ts'
import { startGateway } from '../../support/gateway.ts'
import { keepOpen } from '../../support/open.ts'
import { startModel } from '../../support/servers/model.ts'
import { givenCallFixture } from '../call-fixture.ts'

const conversations = '/api/voice/v1/conversations'
const extraction = {
  job_title: { type: 'string', title: 'Job title', order: 1 },
  renewal: { type: 'string', format: 'date', title: 'Renewal', description: 'When does your contract end?', order: 2 },
}

type App = Awaited<ReturnType<typeof openApp>>

/** A conversation with a new agent. */
async function talkWith(app: Pick<App, 'rest' | 'given'>, fields: object = {}) {
  const fixture = await givenCallFixture(app, { first_message: 'Hello {{first_name}}, do you have a minute?', extraction, ...fields })
  const { key, agent } = fixture
  const start = (more: object = {}) => app.rest('POST', conversations, { key, body: { agent_id: agent.id, ...more } })
  const begun = await start()
  const at = `${conversations}/${begun.body.id}`
  return {
    ...fixture,
    start,
    begun,
    at,
    say: (text: string, headers = {}) => app.rest('POST', `${at}/turns`, { key, body: { text }, headers }),
    end: () => app.rest('POST', `${at}/end`, { key }),
    now: async () => (await app.rest('GET', at, { key })).body,
  }
}
const said = ({ turns }: Json) => turns.map(({ role, text }: Json) => `${role}: ${text}`)

describe('without a model', () => {
  let app: App
  test.beforeAll(async () => {
    const started = await openApp()
    app = { ...started, rest: conforming(started) }
  })

  test('an interviewer greets, asks for each field, reads back, thanks and ends', async () => {
    const talk = await talkWith(app)

    for (const text of ['Yes', 'I am Head of Sales.', 'No idea what you mean', '15 March 2027']) await talk.say(text)
    const { body } = await talk.say('That is right')

    expect(said(body)).toEqual([
      'agent: Hello Robin, do you have a minute?',
      'user: Yes',
      'agent: May I ask about this: Job title?',
      'user: I am Head of Sales.',
      'agent: When does your contract end?',
      'user: No idea what you mean',
      'agent: Let me read that back: Job title: Head of Sales. Is that right?',
      'user: 15 March 2027',
      'agent: Sorry, is that a yes or a no?',
      'user: That is right',
      'agent: Thank you, that is all I wanted to know. Goodbye!',
    ])
    expect(body).toMatchObject({
      ...{ status: 'ended', outcome: 'goal_met', ended_reason: 'agent_hung_up', is_answering: false },
      extracted: { job_title: 'Head of Sales' },
      ...{ summary: 'Job title: Head of Sales.', credits_charged: 0, input_tokens: 0 },
    })
  })

  test('it makes no contact, no call and no suggestion', async () => {
    const talk = await talkWith(app)
    for (const text of ['Yes', 'Head of Sales', '15 March 2027', 'Yes']) await talk.say(text)

    const query = '{ contacts(first: 1) { totalCount } calls(first: 1) { totalCount } suggestions(first: 1) { totalCount } }'
    const { body } = await app.graphql(query, {}, { key: talk.key })

    expect(body.data).toEqual({ contacts: { totalCount: 0 }, calls: { totalCount: 0 }, suggestions: { totalCount: 0 } })
  })

  test('somebody who does not want to be called hears no further question', async () => {
    const talk = await talkWith(app)

    const { body } = await talk.say('Please do not call me again.')

    expect(body).toMatchObject({ status: 'ended', outcome: 'do_not_call' })
    expect(said(body).at(-1)).toBe('agent: I understand. We will not call you again. Goodbye.')
  })

  test('it speaks the language of the agent', async () => {
    const talk = await talkWith(app, { language: 'de-DE', first_message: null })

    await talk.say('Ja, gern')
    const { body } = await talk.say('Meine Funktion ist Leiterin Einkauf.')

    expect(said(body).filter((line: string) => line.startsWith('agent'))).toEqual([
      'agent: Guten Tag, hier ist Appointment desk. Haben Sie einen Moment Zeit?',
      'agent: Darf ich danach fragen: Job title?',
      'agent: When does your contract end?',
    ])
  })

  test('a contact fills the placeholders, and is not changed', async () => {
    const talk = await talkWith(app)
    const { body: contact } = await app.rest('POST', '/api/crm/v1/contacts', {
      key: talk.key,
      body: { email: 'ada@example.com', first_name: 'Ada' },
    })

    const { status, body } = await talk.start({ contact_id: contact.id })

    expect([status, said(body)]).toEqual([201, ['agent: Hello Ada, do you have a minute?']])
    const { body: after } = await app.rest('GET', `/api/crm/v1/contacts/${contact.id}`, { key: talk.key })
    expect(after).toEqual(contact)
  })

  test('a repeated Idempotency-Key says nothing twice', async () => {
    const talk = await talkWith(app)
    const headers = { 'idempotency-key': 'say-1' }

    const first = await talk.say('Yes', headers)
    const second = await talk.say('Yes', headers)

    expect(second.body).toEqual(first.body)
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect((await talk.now()).turns).toHaveLength(3)
  })

  test('words at the same time: one is answered, the others are refused and leave nothing', async () => {
    const talk = await talkWith(app)

    const answers = await Promise.all(['Yes', 'Yes', 'Yes'].map(text => talk.say(text)))

    const statuses = answers.map(({ status }) => status)
    expect(statuses).toContain(200)
    const { turns } = await talk.now()
    expect(turns).toHaveLength(1 + 2 * statuses.filter(status => status === 200).length)
    for (const { status, body } of answers) if (status !== 200) expect([status, body.code]).toEqual([409, 'conflict'])
  })

  test('it can be left: the result is read from the history, and nothing follows', async () => {
    const talk = await talkWith(app)
    await talk.say('Yes')
    await talk.say('Head of Sales')

    const { body } = await talk.end()

    expect(body).toMatchObject({
      status: 'ended',
      ended_reason: 'user_hung_up',
      outcome: 'goal_not_met',
      extracted: { job_title: 'Head of Sales' },
    })
    expect((await talk.end()).body).toEqual(body)
    expect(await talk.say('Hello?')).toMatchObject({ status: 409, body: { code: 'conflict' } })
  })

  test('bad input is refused and changes nothing', async () => {
    const talk = await talkWith(app)
    const other = await app.given.apiKey()

    expect(await talk.say('  ')).toMatchObject({ status: 422 })
    expect(await talk.say('x'.repeat(4001))).toMatchObject({ status: 422 })
    expect(await talk.start({ contact_id: '0199f0e0-0000-7000-8000-000000000000' })).toMatchObject({ status: 422 })
    expect(await talk.start({ agent_id: '0199f0e0-0000-7000-8000-000000000000' })).toMatchObject({ status: 422 })
    expect(await app.rest('GET', talk.at, { key: other.key })).toMatchObject({ status: 404 })
    expect(await app.rest('POST', `${talk.at}/turns`, { key: other.key, body: { text: 'Hello' } })).toMatchObject({ status: 404 })
    await app.rest('POST', `/api/voice/v1/agents/${talk.agent.id}/archive`, { key: talk.key })
    expect(await talk.start()).toMatchObject({ status: 409 })
    expect((await talk.now()).turns).toHaveLength(1)
  })
})

describe('with models', () => {
  const models = async () => ({ first: await keepOpen(startModel()), second: await keepOpen(startModel()) })
  const open = async (prices: object = {}, env = {}) => {
    const { first, second } = await models()
    const config = {
      models: { voice: ['one/a', 'two/b'], providers: { one: first.provider, two: second.provider } },
      heartbeat: { everyMinutes: 0 },
      agents: prices,
      hooks: { creditCeiling: 5 },
    }
    const app = await keepOpen(startGateway({ config, env, works: false }))
    return { app: { ...app, rest: conforming(app) }, first, second }
  }

  test('the model speaks, ends the call, and its result is recorded', async () => {
    const { app, first } = await open()
    first.behave(({ stream }) =>
      stream
        ? { text: 'Thank you. Goodbye!', calls: [{ name: 'end_call', input: { outcome: 'goal_met', reason: 'all_answered' } }] }
        : {
            calls: [
              {
                name: 'record_result',
                input: {
                  outcome: 'unknown',
                  summary: 'She is head of sales.',
                  extracted: { job_title: 'Head of Sales', invented: 1, renewal: 'soon' },
                },
              },
            ],
          },
    )
    const talk = await talkWith(app)

    const { body } = await talk.say('I am head of sales. Goodbye!')

    expect(body).toMatchObject({
      ...{ status: 'ended', outcome: 'goal_met', ended_reason: 'all_answered', summary: 'She is head of sales.' },
      ...{ extracted: { job_title: 'Head of Sales' }, input_tokens: 20, output_tokens: 10 },
    })
    expect(body.turns.at(-1)).toMatchObject({ role: 'agent', text: 'Thank you. Goodbye!', model: 'one/a', latency_ms: expect.any(Number) })
    expect(first.requests[0]?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user'])
  })

  test('the next model answers when the first fails before its first word', async () => {
    const { app, first, second } = await open()
    first.behave(() => ({ status: 500 }))
    second.behave(() => ({ text: 'I am the second.' }))
    const talk = await talkWith(app)

    const { body } = await talk.say('Hello')

    expect(body.turns.at(-1)).toMatchObject({ text: 'I am the second.', model: 'two/b' })
  })

  test('when no model answers, the agent says so in its language and the conversation ends', async () => {
    const { app, first, second } = await open()
    for (const model of [first, second]) model.behave(() => ({ status: 500 }))
    const talk = await talkWith(app, { language: 'fr' })

    const { body } = await talk.say('Bonjour')

    expect(said(body).at(-1)).toMatch(/^agent: Pardon, j’ai un problème technique\./)
    expect(body).toMatchObject({ status: 'ended', outcome: 'failed', ended_reason: 'model_failed' })
  })

  test('the model transfers only to the numbers that the agent lists, and is told of a failure', async () => {
    const { app, first } = await open()
    const { key, agent } = await givenCallFixture(app, {
      first_message: 'Hello!',
      transfer_to: [{ name: 'Sales', phone: '+442079460111' }],
    })
    const { body: begun } = await app.rest('POST', conversations, { key, body: { agent_id: agent.id } })
    first.behave(({ messages }) => {
      const tried = messages.some(({ role }) => role === 'tool')
      return { text: tried ? 'I put you through.' : '', calls: [{ name: 'transfer', input: { to: tried ? 'Sales' : 'Support' } }] }
    })

    const { body } = await app.rest('POST', `${conversations}/${begun.id}/turns`, { key, body: { text: 'Support, please' } })

    expect(body.turns.slice(2)).toMatchObject([
      { role: 'tool', tool_name: 'transfer', tool_input: { to: 'Support' }, tool_output: { error: { code: 'INVALID' } } },
      { role: 'agent', text: 'I put you through.' },
      { role: 'tool', tool_name: 'transfer', tool_output: { transferredTo: 'Sales' } },
    ])
    expect(body).toMatchObject({ status: 'ended', outcome: 'transferred' })
  })

  test("the agent's own model is asked first, and one that is not configured is refused", async () => {
    const { app, first, second } = await open()
    second.behave(() => ({ text: 'I am the second.' }))
    const talk = await talkWith(app, { model: 'two/own' })

    const { body } = await talk.say('Hello')

    expect(body.turns.at(-1)).toMatchObject({ model: 'two/own', text: 'I am the second.' })
    expect(first.requests).toHaveLength(0)
    const path = `/api/voice/v1/agents/${talk.agent.id}`
    expect(await app.rest('PATCH', path, { key: talk.key, body: { model: 'three/x' } })).toMatchObject({ status: 422 })
    const twice = [
      { name: 'Sales', phone: '+442079460111' },
      { name: 'sales', phone: '+442079460112' },
    ]
    expect(await app.rest('PATCH', path, { key: talk.key, body: { transfer_to: twice } })).toMatchObject({ status: 422 })
  })

  test('only tokens are charged, and without credits nothing is asked', async () => {
    const { app, first } = await open({ pricePerThousandTokens: 10 }, { CREDITS_NEW_USER_GRANT: '0' })
    const talk = await talkWith(app)
    const grant = (amount: number) =>
      app.rest('POST', '/api/credits/grant', {
        headers: { 'X-Svc-Services-Token': 'test-service-token-0123456789' },
        body: { user_id: talk.userId, amount },
      })

    expect(talk.begun).toMatchObject({ status: 402 })
    await grant(1000)
    const { body: begun } = await talk.start()
    const { body } = await app.rest('POST', `${conversations}/${begun.id}/turns`, { key: talk.key, body: { text: 'Hello' } })

    expect(first.requests).toHaveLength(1)
    expect(body).toMatchObject({ credits_charged: 0.15 })
    const { body: after } = await app.graphql('{ creditBalance { balance } }', {}, { key: talk.key })
    expect(after.data.creditBalance).toEqual({ balance: 999.85 })
  })
})
