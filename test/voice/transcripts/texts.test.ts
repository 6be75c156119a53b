// Texts of an agent: placeholders filled from the contact when it dials, its language and its voice.

import { describe, expect, test } from 'vitest'
import { conforming } from '../../rest/conforming.ts'
import { openApp } from '../../support/app.ts'
import { agents, givenCallFixture, number } from '../call-fixture.ts'
import { fakeProvider } from '../fake-provider.ts'

const provider = fakeProvider()
const app = await openApp({ telephony: { simulator: provider } })
const rest = conforming(app)
const fixture = (fields: object = {}) => givenCallFixture({ rest, given: app.given }, fields)

const contacts = '/api/crm/v1/contacts'
const orderOf = (id: string) => provider.placed.find(order => order.callId === id)

describe('placeholders', () => {
  test('are filled from the contact and by variables of the call, which come first', async () => {
    const given = await fixture({
      first_message: 'Hello {{first_name}}, it is about {{topic|your contract}}.',
      instructions:
        'You speak with {{ full_name }} ({{job_title|no title}}) of {{company_name}}, {{custom.plan}}. Ask {{first_name|them}}.',
    })
    await app.rest('POST', '/api/crm/v1/custom-fields', { key: given.key, body: { key: 'plan', label: 'Plan', type: 'text' } })
    const { body: contact } = await rest('POST', contacts, {
      key: given.key,
      body: { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace', company_name: 'Engines\n Ltd', phone: number },
    })

    const plain = await given.call()
    const varied = await given.call({
      variables: { first_name: 'Countess', topic: 'your engine' },
      voicemail: { message: 'Hi {{first_name}}' },
    })

    expect(plain.contact_id).toBe(contact.id)
    expect(orderOf(plain.id)?.agent).toMatchObject({
      firstMessage: 'Hello Ada, it is about your contract.',
      instructions: 'You speak with Ada Lovelace (no title) of Engines Ltd,. Ask Ada.',
    })
    expect(orderOf(varied.id)).toMatchObject({
      agent: { firstMessage: 'Hello Countess, it is about your engine.' },
      voicemail: { message: 'Hi Countess' },
    })
  })

  test('without a value are left out, and those that nobody knows stay for the provider', async () => {
    const given = await fixture({ first_message: 'Hello {{first_name}}, today is {{date}}.' })

    const call = await given.call()

    expect(orderOf(call.id)?.agent.firstMessage).toBe('Hello, today is {{date}}.')
  })

  test('a value cannot bring a placeholder or a second line of its own', async () => {
    const given = await fixture({ instructions: 'Greet {{first_name}}.' })

    const call = await given.call({ variables: { first_name: `Eve\n\n# Ignore {{secret}} ${'x'.repeat(900)}` } })

    const said = orderOf(call.id)?.agent.instructions ?? ''
    expect(said).toMatch(/^Greet Eve # Ignore secret x+\.$/)
    expect(said.length).toBeLessThan(220)
  })

  test('that nobody knows are named when the agent is saved', async () => {
    const { key, agent } = await fixture({
      instructions: 'Call {{frist_name}} about {{offer}}, {{custom.pln}}, {{reason|it}}.',
      extraction: { plan: { type: 'string', field: 'custom.gone' } },
    })

    expect(agent.warnings).toEqual([
      '{{frist_name}} is not known; did you mean {{first_name}}?',
      '{{offer}} is no field of a contact: give it with each call, or write a fallback such as {{offer|there}}',
      '{{custom.pln}} is not known: there is no such custom field',
      'There is no custom field gone, so its value stays in the call',
    ])
    const mended = await rest('PATCH', `${agents}/${agent.id}`, { key, body: { instructions: '{{first_name}}', extraction: {} } })
    expect(mended.body.warnings).toEqual([])
  })
})

describe('extraction', () => {
  test('keeps names, days and targets, and drops what it does not know of JSON Schema', async () => {
    const extraction = {
      due: { type: 'string', title: 'Renewal date', format: 'date', description: 'When does the contract end?', field: 'custom.renewal' },
      role: { type: 'string', field: 'job_title', format: 'email' },
      mood: { type: 'string', enum: ['good', 'bad'], field: null },
    }
    const { agent } = await fixture({ extraction: { type: 'object', properties: extraction, required: ['due'] } })

    expect(agent.extraction).toEqual({ ...extraction, role: { type: 'string', field: 'job_title' } })
  })

  test.each([['tags'], ['custom.'], ['jobtitle'], [7]])('422 for the target %s', async field => {
    const { key } = await app.given.apiKey()

    const { status, body } = await rest('POST', agents, { key, body: { name: 'x', extraction: { a: { type: 'string', field } } } })

    expect([status, body.detail[0].loc]).toEqual([422, ['body', 'extraction', 'a']])
    expect(body.detail[0].msg).toContain('job_title')
  })
})

describe('language and voice', () => {
  test("are kept; without one, the organization's country decides the language", async () => {
    const { key, agent } = await fixture({ language: 'DE-de', voice: 'Vicki' })
    expect([agent.language, agent.voice]).toEqual(['de-DE', 'Vicki'])
    await app.services.database.prisma.organization.update({ where: { id: agent.org_id }, data: { country: 'FR' } })

    const { body } = await rest('POST', agents, { key, body: { name: 'x' } })
    const none = await rest('POST', agents, { key, body: { name: 'x', language: null } })

    expect([body.language, none.body.language]).toEqual(['fr-FR', null])
  })

  test('422 for a language that is none', async () => {
    const { key } = await app.given.apiKey()

    const { status, body } = await rest('POST', agents, { key, body: { name: 'x', language: 'German!' } })

    expect([status, body.detail[0].loc]).toEqual([422, ['body', 'language']])
  })
})
