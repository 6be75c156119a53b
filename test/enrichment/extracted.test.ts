// Suggestions from calls: values that were said, with the line of the transcript.

import { v7 as uuid } from 'uuid'
import { describe, expect, test } from 'vitest'
import { suggestFromCall } from '../../src/enrichment/suggestions/from-call.ts'
import { valuesItem } from '../../src/voice/dispatch/queue.ts'
import { conforming } from '../rest/conforming.ts'
import { openApp } from '../support/app.ts'
import { givenContact } from './outcome.ts'

const app = await openApp({ env: { ROLES: 'web,api,session,worker' } })
const rest = conforming(app)
const suggestions = '/api/enrich/v1/suggestions'
let count = 0
const address = () => `person-${++count}@example.com`

describe('values extracted from calls', () => {
  async function givenCall(extraction: object = {}) {
    const { key, orgId } = await app.given.apiKey()
    const contact = await givenContact(app, key, { email: address(), city: 'London' })
    const { prisma } = app.services.database
    const agent = await prisma.voiceAgent.create({
      data: {
        ...{ id: uuid(), orgId, name: 'Agent', provider: 'simulator', createdByType: 'system' },
        versions: { create: { version: 1, setup: { extraction } } },
      },
    })
    const call = await prisma.call.create({
      data: {
        id: uuid(),
        orgId,
        agentId: agent.id,
        agentVersion: 1,
        contactId: contact.id,
        provider: 'simulator',
        dispatchState: 'dispatched',
        status: 'completed',
        outcome: 'goal_met',
        toNumber: '+442079460958',
        maxDurationSeconds: 600,
        ringTimeoutSeconds: 30,
        record: false,
        voicemailAction: 'hang_up',
        dispatchAfter: new Date(),
        createdByType: 'system',
        extracted: { job_title: 'Head of Sales', city: 'london', interested: true, country: 'France' },
        transcriptLines: 2,
      },
    })
    const lines = [
      { seq: 1, role: 'agent', text: 'Are you the Head of Sales?', start_ms: 0, end_ms: 900 },
      { seq: 2, role: 'user', text: 'Yes, I am head of sales here in London.', start_ms: 1000, end_ms: 1900 },
    ]
    await prisma.callTranscript.create({ data: { id: call.id, orgId, lines } })
    const made = async () => (await rest('GET', `${suggestions}?call_id=${call.id}`, { key })).body.data
    return { key, orgId, callId: call.id, made }
  }

  test('become suggestions with the transcript line as evidence', async () => {
    const { orgId, callId, made } = await givenCall()

    await app.services.queue.enqueue(valuesItem, { orgId, callId })

    await expect.poll(async () => (await made()).length, { timeout: 20_000 }).toBe(1)
    expect((await made())[0]).toMatchObject({
      field: 'job_title',
      proposed_value: 'Head of Sales',
      provider: 'calls',
      job_id: null,
      evidence: 'user: Yes, I am head of sales here in London.',
      confidence: 0.85,
    })
  })

  test('go to the fields that the agent names, and to none where it says so', async () => {
    const given = await givenCall({
      job_title: { type: 'string', field: 'company_name' },
      city: { type: 'string', field: null },
      interested: { type: 'boolean', field: 'custom.keen' },
    })
    await app.graphql('mutation { createCustomField(input: { key: "keen", label: "Keen", type: BOOLEAN }) { id } }', {}, { key: given.key })

    await app.services.queue.enqueue(valuesItem, { orgId: given.orgId, callId: given.callId })

    await expect.poll(async () => (await given.made()).length, { timeout: 20_000 }).toBe(2)
    const found = (await given.made()).map(({ field, proposed_value: value }: { field: string; proposed_value: unknown }) => [field, value])
    expect(found.toSorted()).toEqual([
      ['company_name', 'Head of Sales'],
      ['custom.keen', true],
    ])
  })

  // The end of a call and a later report of it may each queue an item.
  test('become them once, however many tasks run at the same time', async () => {
    const { orgId, callId, made } = await givenCall()

    const counts = await Promise.all(Array.from({ length: 4 }, () => suggestFromCall(app.services, { orgId, callId })))

    expect(counts.toSorted()).toEqual([0, 0, 0, 1])
    expect(await made()).toMatchObject([{ status: 'pending', field: 'job_title' }])
  })

  test('become suggestions for each of several calls that ended together, in different organizations', async () => {
    const given = [await givenCall(), await givenCall()]
    const unknown = { orgId: given[0]?.orgId ?? '', callId: uuid() }

    const counts = await Promise.all([...given, unknown].map(({ orgId, callId }) => suggestFromCall(app.services, { orgId, callId })))

    expect(counts).toEqual([1, 1, 0])
    for (const { made } of given) expect(await made()).toMatchObject([{ status: 'pending', field: 'job_title' }])
  })
})
