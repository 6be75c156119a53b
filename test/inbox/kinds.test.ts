// What comes into an inbox: each kind of item, to whom, and what it says.

import { describe, expect, test } from 'vitest'
import { importsIn } from '../contacts/imports/files.ts'
import { type Json, openApp, serviceToken } from '../support/app.ts'
import { keepOpen } from '../support/open.ts'
import { startReceiver } from '../webhooks/receiver.ts'
import { personWith, settled, twoPeople } from './members.ts'

const app = await openApp({
  env: { ROLES: 'web,api,session,worker', CREDITS_LOW_BALANCE: '20', SIMULATOR_SPEED: '100', OUTGOING_ALLOW_PRIVATE: '127.0.0.1' },
})

describe('assigned', () => {
  test('a contact that somebody else gives to a member, once; not an own one, and not an equal owner', async () => {
    const { ada, grace } = await twoPeople(app)
    const { id } = await ada.create({ firstName: 'Alan', ownerUserId: grace.userId })
    const own = await grace.create({ firstName: 'Own', ownerUserId: grace.userId })
    const update = 'mutation ($input: UpdateContactInput!) { updateContact(input: $input) { id } }'
    await ada.data(update, { input: { id, city: 'London', ownerUserId: grace.userId } })
    await ada.data(update, { input: { id: own.id, ownerUserId: ada.userId } })
    const [item, ...more] = await grace.receives(1)
    await settled(ada, grace)

    expect([item, more]).toEqual([
      {
        ...{ id: expect.any(String), kind: 'ASSIGNED', state: 'OPEN', subjectType: 'contact', subjectId: id, isSubjectGone: false },
        ...{ title: null, result: null, count: 1, contactId: id, contact: { firstName: 'Alan' } },
        ...{ actor: { type: 'USER', name: 'Test User' }, doneAt: null, snoozedUntil: null, version: 1 },
      },
      [],
    ])
    expect(await grace.inbox()).toHaveLength(2)
    expect(await ada.inbox()).toEqual([])
  })

  test('a company and a deal, when it is made and when its owner changes; not an own one', async () => {
    const { ada, grace } = await twoPeople(app)
    const company = 'mutation ($input: CreateCompanyInput!) { createCompany(input: $input) { id } }'
    const deal = 'mutation ($input: CreateDealInput!) { createDeal(input: $input) { id } }'
    const { createCompany } = await ada.data(company, { input: { name: 'Acme', ownerUserId: grace.userId } })
    const { createDeal } = await ada.data(deal, { input: { title: 'Renewal' } })
    await grace.data(deal, { input: { title: 'Own', ownerUserId: grace.userId } })
    const input = { id: createDeal.id, ownerUserId: grace.userId }
    await ada.data('mutation ($input: UpdateDealInput!) { updateDeal(input: $input) { id } }', { input })
    await grace.receives(2)
    await settled(ada, grace)

    const { inbox } = await grace.data('{ inbox { nodes { kind subjectType subjectId count contactId company { name } deal { title } } } }')
    const item = { kind: 'ASSIGNED', count: 1, contactId: null, company: null, deal: null }
    // The first one is of `settled`.
    expect(inbox.nodes.slice(1)).toEqual([
      { ...item, subjectType: 'deal', subjectId: createDeal.id, deal: { title: 'Renewal' } },
      { ...item, subjectType: 'company', subjectId: createCompany.id, company: { name: 'Acme' } },
    ])
  })

  test('a task, with its title, when it is made and when it changes hands', async () => {
    const { ada, grace } = await twoPeople(app)
    const { id: contactId } = await ada.create({ firstName: 'Alan' })
    const add = 'mutation ($input: CreateTaskInput!) { createTask(input: $input) { id } }'
    await ada.data(add, { input: { contactId, title: 'Send the offer', assigneeUserId: grace.userId } })
    const { createTask } = await ada.data(add, { input: { contactId, title: 'Call back' } })
    const input = { id: createTask.id, assigneeUserId: grace.userId }
    await ada.data('mutation ($input: UpdateTaskInput!) { updateTask(input: $input) { id } }', { input })

    const items = await grace.receives(2)
    expect(items.map(({ kind, subjectType, title }) => [kind, subjectType, title])).toEqual([
      ['ASSIGNED', 'contact_task', 'Call back'],
      ['ASSIGNED', 'contact_task', 'Send the offer'],
    ])
  })

  test('the contacts of one request are one item', async () => {
    const { ada, grace } = await twoPeople(app)
    const contacts = Array.from({ length: 30 }, (_, n) => ({ email: `c${n}@example.com`, ownerUserId: grace.userId }))
    await ada.data('mutation ($input: BatchContactsInput!) { batchContacts(input: $input) { results { contactId } } }', {
      input: { contacts },
    })

    const [item] = await grace.receives(1)
    expect(item).toMatchObject({ kind: 'ASSIGNED', count: 30 })
  })

  test('the tasks of a bulk change are one item of their assignee', async () => {
    const { ada, grace } = await twoPeople(app)
    for (const firstName of ['A', 'B', 'C']) await ada.create({ firstName })
    const add = 'mutation ($input: CreateTasksInBulkInput!) { createTasksInBulk(input: $input) { id } }'
    await ada.data(add, { input: { filter: {}, title: 'Call back', assigneeUserId: grace.userId } })

    const [item] = await grace.receives(1)
    expect(item).toMatchObject({ kind: 'ASSIGNED', subjectType: 'contact_task', title: 'Call back', count: 3 })
  })

  test('the companies and the deals of a bulk change are one item each', async () => {
    const { ada, grace } = await twoPeople(app)
    for (const name of ['A', 'B']) {
      await ada.data('mutation ($name: String!) { createCompany(input: { name: $name }) { id } }', { name })
      await ada.data('mutation ($name: String!) { createDeal(input: { title: $name }) { id } }', { name })
    }
    const owner = { owner: grace.userId }
    await ada.data('mutation ($owner: String) { updateCompaniesInBulk(input: { filter: {}, ownerUserId: $owner }) { id } }', owner)
    await ada.data('mutation ($owner: String) { updateDealsInBulk(input: { filter: {}, ownerUserId: $owner }) { id } }', owner)

    const items = await grace.receives(2)
    expect(items.map(({ subjectType, count }: Json) => [subjectType, count]).toSorted()).toEqual([
      ['company_bulk_change', 2],
      ['deal_bulk_change', 2],
    ])
  })

  test('the contacts of a bulk change are one item', async () => {
    const { ada, grace } = await twoPeople(app)
    for (const firstName of ['A', 'B', 'C']) await ada.create({ firstName })
    const change = 'mutation ($input: UpdateContactsInBulkInput!) { updateContactsInBulk(input: $input) { id } }'
    await ada.data(change, { input: { filter: {}, ownerUserId: grace.userId } })

    const [item] = await grace.receives(1)
    expect(item).toMatchObject({ kind: 'ASSIGNED', subjectType: 'contact_bulk_change', count: 3 })
    // A change that is over at once is no news to the member who made it.
    expect(await ada.inbox()).toEqual([])
  })
})

describe('mentioned', () => {
  const add = 'mutation ($input: CreateNoteInput!) { createNote(input: $input) { id mentions { userId name user { name } } } }'
  const change = 'mutation ($input: UpdateNoteInput!) { updateNote(input: $input) { version mentions { userId name } } }'

  test('a member whom a note names, and the note says whom it mentions', async () => {
    const { ada, grace } = await twoPeople(app)
    const { id: contactId } = await ada.create({ firstName: 'Alan' })
    const text = 'Please call, @grace hopper. (@Nobody, grace@hopper.example)'
    const { createNote } = await ada.data(add, { input: { contactId, text } })
    const [item] = await grace.receives(1)

    expect(createNote.mentions).toEqual([{ userId: grace.userId, name: 'grace hopper', user: { name: 'Grace Hopper' } }])
    expect(item).toMatchObject({ kind: 'MENTIONED', subjectType: 'note', subjectId: createNote.id, title: text, contactId })
  })

  test('by the first name or the address; a name of two members is nobody', async () => {
    const { ada, grace, orgId } = await twoPeople(app)
    const twins = [await app.given.member({ orgId, role: 'member' }), await app.given.member({ orgId, role: 'viewer' })]
    for (const { userId } of twins)
      await app.services.database.prisma.user.update({ where: { id: userId }, data: { name: 'Kim Lee', email: `${userId}@lee.example` } })
    const { id: contactId } = await ada.create()
    const text = `@Kim Lee @Grace, @${twins[1]?.userId}@lee.example`
    const { createNote } = await ada.data(add, { input: { contactId, text } })

    expect(createNote.mentions.map(({ userId }: { userId: string }) => userId)).toEqual([grace.userId, twins[1]?.userId])
  })

  test('another text tells those alone whom it names newly, and a rename changes nothing', async () => {
    const { ada, grace, orgId } = await twoPeople(app)
    const third = personWith(app, await app.given.member({ orgId, role: 'viewer' }))
    await app.services.database.prisma.user.update({ where: { id: third.userId }, data: { name: 'Barbara Liskov' } })
    const { id: contactId } = await ada.create()
    const { createNote } = await ada.data(add, { input: { contactId, text: 'For @Grace Hopper and myself, @Test User' } })
    await grace.receives(1)
    await app.services.database.prisma.user.update({ where: { id: grace.userId }, data: { name: 'Rear Admiral' } })
    const text = 'For @Grace Hopper and @Barbara Liskov'
    const { updateNote } = await ada.data(change, { input: { id: createNote.id, text } })
    const [item] = await third.receives(1)

    expect(updateNote.mentions).toEqual([
      { userId: grace.userId, name: 'Grace Hopper' },
      { userId: third.userId, name: 'Barbara Liskov' },
    ])
    expect(item).toMatchObject({ kind: 'MENTIONED', title: text })
    expect([await grace.inbox(), await ada.inbox()]).toEqual([[item && expect.objectContaining({ version: 1 })], []])
  })
})

describe('reminder_due', () => {
  test('the assignee; without one, the member who made the task', async () => {
    const { ada, grace } = await twoPeople(app)
    const { id: contactId } = await ada.create({ firstName: 'Alan' })
    const add = 'mutation ($input: CreateTaskInput!) { createTask(input: $input) { id } }'
    const remindAt = new Date(Date.now() + 500).toISOString()
    await ada.data(add, { input: { contactId, title: 'For Grace', assigneeUserId: grace.userId, remindAt } })
    await ada.data(add, { input: { contactId, title: 'For its maker', remindAt } })

    const ofGrace = await grace.receives(2)
    const ofAda = await ada.receives(1)
    expect(ofGrace.map(({ kind, title }) => [kind, title])).toEqual([
      ['REMINDER_DUE', 'For Grace'],
      ['ASSIGNED', 'For Grace'],
    ])
    expect(ofAda).toEqual([
      expect.objectContaining({ kind: 'REMINDER_DUE', title: 'For its maker', actor: { type: 'SYSTEM', name: 'reminders' } }),
    ])
  })

  test('names the company or the deal of the task, and a note about it mentions members', async () => {
    const { ada, grace } = await twoPeople(app)
    const { createCompany: company } = await ada.data('mutation { createCompany(input: { name: "Engines" }) { id } }')
    const { createDeal: deal } = await ada.data('mutation { createDeal(input: { title: "Turbines" }) { id } }')
    const remindAt = new Date(Date.now() + 500).toISOString()
    const task = { title: 'Call back', assigneeUserId: grace.userId, remindAt }
    const addTask = 'mutation ($input: CreateTaskInput!) { createTask(input: $input) { id } }'
    const addNote = 'mutation ($input: CreateNoteInput!) { createNote(input: $input) { id } }'
    for (const about of [{ companyId: company.id }, { dealId: deal.id }]) {
      await ada.data(addTask, { input: { ...about, ...task } })
      await ada.data(addNote, { input: { ...about, text: 'Ask @Grace' } })
    }
    await grace.receives(6)

    const list = '{ inbox(first: 100) { nodes { kind contactId companyId company { name } dealId deal { title } } } }'
    const { inbox } = await grace.data(list)
    const named = (kind: string) => ({ kind, contactId: null, companyId: null, company: null, dealId: null, deal: null })
    const wanted = ['ASSIGNED', 'MENTIONED', 'REMINDER_DUE'].flatMap(kind => [
      { ...named(kind), companyId: company.id, company: { name: 'Engines' } },
      { ...named(kind), dealId: deal.id, deal: { title: 'Turbines' } },
    ])
    expect(inbox.nodes).toHaveLength(wanted.length)
    expect(inbox.nodes).toEqual(expect.arrayContaining(wanted))
  })
})

describe('work that has ended', () => {
  test('a call, for the member who placed it alone', async () => {
    const { ada, grace } = await twoPeople(app)
    const { createVoiceAgent: agent } = await ada.data('mutation { createVoiceAgent(input: { name: "Renewals" }) { id } }')
    const place = async (toNumber: string) => {
      const input = { voiceAgentId: agent.id, toNumber }
      return (await ada.data('mutation ($input: CreateCallInput!) { createCall(input: $input) { id } }', { input })).createCall.id
    }
    const [busy, talked] = [await place('+9990000001'), await place('+442079460958')]
    const items = await ada.receives(2)

    expect(Object.fromEntries(items.map(({ subjectId, kind, title, result }) => [subjectId, [kind, title, result]]))).toEqual({
      [busy]: ['CALL_ENDED', 'Renewals', 'NOT_REACHED'],
      [talked]: ['CALL_ENDED', 'Renewals', 'SUCCEEDED'],
    })
    expect(await grace.inbox()).toEqual([])
  })

  test('an import and an enrichment job', async () => {
    const { ada } = await twoPeople(app)
    await importsIn(app).imported(ada.session, 'email\na@example.com\nb@example.com\n')
    const { id } = await ada.create({ firstName: 'Alan', email: 'alan@example.org' })
    const input = { target: { hostApp: 'rolocom', kind: 'contact', id } }
    const enqueue = 'mutation ($input: EnqueueEnrichmentInput!) { enqueueEnrichment(input: $input) { id } }'
    await ada.data(enqueue, { input })
    const items = await ada.receives(2)
    const { createCompany: company } = await ada.data('mutation { createCompany(input: { name: "Engines" }) { id } }')
    await ada.data(enqueue, { input: { target: { hostApp: 'rolocom', kind: 'company', id: company.id } } })
    await ada.receives(3)
    const { inbox } = await ada.data('{ inbox(first: 1) { nodes { kind company { name } } } }')

    expect(items).toEqual([
      expect.objectContaining({ kind: 'JOB_ENDED', subjectType: 'enrichment_job', result: expect.any(String) }),
      expect.objectContaining({ kind: 'IMPORT_ENDED', subjectType: 'contact_import', result: 'SUCCEEDED', count: 2 }),
    ])
    expect(inbox.nodes).toEqual([{ kind: 'JOB_ENDED', company: { name: 'Engines' } }])
  })
})

describe('what leads the organization to act', () => {
  test('low credits, for the payer, owners and admins, once per crossing', async () => {
    const { ada, grace, orgId } = await twoPeople(app)
    const admin = personWith(app, await app.given.member({ orgId, role: 'admin' }))
    const asService = (path: string, body: object) => app.rest('POST', path, { headers: { 'x-svc-services-token': serviceToken }, body })
    await asService('/api/credits/grant', { user_id: ada.userId, amount: 100, reference: 'given' })
    const { available } = (await ada.data('{ creditBalance { available } }')).creditBalance
    for (const amount of [available - 19, 5]) await asService('/api/credits/deduct', { user_id: ada.userId, amount, reference: 'used' })
    const told = [await ada.receives(1), await admin.receives(1)]

    for (const [item] of told) expect(item).toMatchObject({ kind: 'CREDITS_LOW', subjectType: 'credits', subjectId: ada.userId })
    expect(await grace.inbox()).toEqual([])
  })

  test('a webhook endpoint that was disabled, for its maker, owners and admins', async () => {
    const { ada, grace } = await twoPeople(app)
    const receiver = await keepOpen(startReceiver())
    receiver.answer(async () => ({ status: 410 }))
    const body = { url: receiver.url, event_types: ['contact.created'] }
    await app.rest('POST', '/api/webhooks/v1/endpoints', { session: grace.session, body })
    await ada.create({ firstName: 'Alan' })
    const told = [await ada.receives(1), await grace.receives(1)]

    for (const [item] of told)
      expect(item).toMatchObject({ kind: 'WEBHOOK_FAILING', title: new URL(receiver.url).origin, result: 'FAILED', isSubjectGone: false })
  })

  test('a webhook endpoint that has taken nothing for an hour, once', async () => {
    const { ada, grace } = await twoPeople(app)
    const receiver = await keepOpen(startReceiver())
    receiver.answer(() => ({ status: 500 }))
    const body = { url: receiver.url, event_types: ['contact.created'] }
    await app.rest('POST', '/api/webhooks/v1/endpoints', { session: grace.session, body })
    app.setNow(new Date())
    await ada.create({ firstName: 'Alan' })
    await receiver.received(1)
    const attempts = async () => {
      const { data } = (await app.rest('GET', '/api/webhooks/v1/deliveries', { session: grace.session })).body
      return data.filter(({ state }: { state: string }) => state !== 'sending').map((one: { attempt_count: number }) => one.attempt_count)
    }
    for (const [count, minutes] of [10, 80, 200].entries()) {
      await expect.poll(attempts).toEqual([count + 1])
      app.setNow(new Date(Date.now() + minutes * 60_000))
    }
    await expect.poll(attempts).toEqual([4])
    const told = [await ada.receives(1), await grace.receives(1)]
    app.setNow(null)

    for (const [item] of told) expect(item).toMatchObject({ kind: 'WEBHOOK_FAILING', title: new URL(receiver.url).origin, result: null })
  })
})
