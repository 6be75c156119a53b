// Mails about inbox items: at once, daily, and not twice.

import { afterEach, describe, expect, test } from 'vitest'
import { mailDue } from '../../src/inbox/mails/send.ts'
import { openApp } from '../support/app.ts'
import { keepOpen } from '../support/open.ts'
import { startMailServer } from '../support/servers/mail.ts'
import { type Person, twoPeople } from './members.ts'

const server = await keepOpen(startMailServer())
const env = { ROLES: 'web,api,session,worker', SMTP_URL: server.url, PUBLIC_URL: 'https://crm.example', RATE_LIMIT: '1' }
const app = await openApp({ env })
afterEach(() => app.setNow(null))
const mailsTo = ({ userId }: Person) => server.mails.filter(({ to }) => to === `${userId}@example.com`).map(({ text }) => text)
const choose = (person: Person, input: object) =>
  person.data('mutation ($input: UpdateInboxPreferencesInput!) { updateInboxPreferences(input: $input) { digestHour } }', { input })
const note = (person: Person, contactId: string, text: string) =>
  person.data('mutation ($input: CreateNoteInput!) { createNote(input: $input) { id } }', { input: { contactId, text } })
const minutes = (count: number) => app.setNow(new Date(app.services.now().getTime() + count * 60_000))

describe('a mail at once', () => {
  test('has a sentence, the words, and links to the record and to the preferences', async () => {
    const { ada, grace } = await twoPeople(app)
    await choose(grace, { kinds: ['MENTIONED'], mail: 'AT_ONCE' })
    const { id } = await ada.create({ firstName: 'Alan', lastName: 'Turing' })
    await note(ada, id, 'Please call, @Grace')
    await expect.poll(() => mailsTo(grace)).toHaveLength(1)
    const [text = ''] = mailsTo(grace)

    expect(text).toContain('Subject: Test User mentioned you in a note about Alan Turing')
    expect(text).toContain('Please call, @Grace')
    expect(text).toContain(`https://crm.example/contacts/${id}?tab=notes`)
    expect(text).toContain('https://crm.example/settings/notifications')
    expect(await grace.inbox()).toHaveLength(1)
  })

  test('about a deal names it, and leads to its notes', async () => {
    const { ada, grace } = await twoPeople(app)
    await choose(grace, { kinds: ['MENTIONED'], mail: 'AT_ONCE' })
    const { createDeal: deal } = await ada.data('mutation { createDeal(input: { title: "Ten engines" }) { id } }')
    const input = { dealId: deal.id, text: 'Please call, @Grace' }
    await ada.data('mutation ($input: CreateNoteInput!) { createNote(input: $input) { id } }', { input })
    await expect.poll(() => mailsTo(grace)).toHaveLength(1)
    const [mention = ''] = mailsTo(grace)

    expect(mention).toContain('Subject: Test User mentioned you in a note about Ten engines')
    expect(mention).toContain(`https://crm.example/deals/${deal.id}?tab=notes`)
  })

  test('is not sent for a kind without mails, nor for an item that the member has seen meanwhile', async () => {
    const { ada, grace, orgId } = await twoPeople(app)
    await choose(grace, { kinds: ['MENTIONED'], mail: 'AT_ONCE' })
    const { id } = await ada.create({ firstName: 'Alan', ownerUserId: grace.userId })
    await note(ada, id, 'First, @Grace')
    await expect.poll(() => mailsTo(grace)).toHaveLength(1)
    // A second mail waits for a minute after the first.
    await note(ada, id, 'Second, @Grace')
    await note(ada, id, 'Third, @Grace')
    const [third] = await grace.receives(4)
    await grace.data('mutation ($id: ID!) { updateInboxItem(input: { id: $id, done: true }) { id } }', { id: third?.id })
    await mailDue(app.services, { orgId, userId: grace.userId })
    const early = mailsTo(grace).length
    minutes(2)
    for (let times = 0; times < 2; times++) await mailDue(app.services, { orgId, userId: grace.userId })
    await expect.poll(() => mailsTo(grace)).toHaveLength(2)

    expect(early).toBe(1)
    expect(mailsTo(grace)[1]).toContain('Second, @Grace')
    expect(mailsTo(grace).join()).not.toMatch(/Third|owner/)
  })

  test('has no link that a stranger has written into a name', async () => {
    const { ada, grace } = await twoPeople(app)
    await choose(grace, { kinds: ['ASSIGNED'], mail: 'AT_ONCE' })
    await ada.create({ firstName: 'https://evil.example', lastName: 'now\nclick', ownerUserId: grace.userId })
    await expect.poll(() => mailsTo(grace)).toHaveLength(1)

    expect(mailsTo(grace)[0]).not.toContain('https://evil')
  })

  test('comes a hundred times a day at most, five times to an address that nobody has verified', async () => {
    const { ada, grace, orgId } = await twoPeople(app)
    await app.services.database.prisma.idpUser.create({
      data: {
        ...{ id: grace.userId, email: `${grace.userId}@example.com`, name: 'Grace', emailVerified: false },
        ...{ createdAt: new Date(), updatedAt: new Date() },
      },
    })
    await choose(grace, { kinds: ['MENTIONED'], mail: 'AT_ONCE' })
    const { id } = await ada.create({ firstName: 'Alan' })
    for (let count = 1; count <= 7; count++) {
      await note(ada, id, `Number ${count}, @Grace`)
      await grace.receives(count)
      minutes(2)
      await mailDue(app.services, { orgId, userId: grace.userId })
    }
    await expect.poll(() => mailsTo(grace)).toHaveLength(5)
  })
})

describe('the daily mail', () => {
  test('comes once, at its hour in the zone of the member, with everything that is still open', async () => {
    app.setNow(new Date('2027-01-11T12:00:00Z'))
    const { ada, grace, orgId } = await twoPeople(app)
    await grace.data('mutation { updatePreferences(input: { timezone: "Asia/Tokyo" }) { timezone } }')
    await choose(grace, { mail: 'DAILY' })
    const { id } = await ada.create({ firstName: 'Alan', lastName: 'Turing', ownerUserId: grace.userId })
    await note(ada, id, 'Please call, @Grace')
    await grace.receives(2)
    const at = async (time: string) => {
      app.setNow(new Date(time))
      await mailDue(app.services, { orgId, userId: grace.userId })
      return mailsTo(grace).length
    }
    // 8:00 in Tokyo is 23:00 UTC.
    const before = await at('2027-01-11T22:59:00Z')
    await at('2027-01-11T23:00:00Z')
    await expect.poll(() => mailsTo(grace)).toHaveLength(1)
    await at('2027-01-12T23:30:00Z')
    const [text = ''] = mailsTo(grace)

    expect(before).toBe(0)
    expect(mailsTo(grace)).toHaveLength(1)
    expect(text).toMatch(/Subject: Your day in .*: 2 items in your inbox/)
    expect(text).toContain('Test User made you the owner of Alan Turing')
    expect(text).toContain('Test User mentioned you in a note about Alan Turing')
  })

  test('moves with its hour', async () => {
    app.setNow(new Date('2027-02-01T12:00:00Z'))
    const { ada, grace, orgId } = await twoPeople(app)
    await choose(grace, { kinds: ['ASSIGNED'], mail: 'DAILY' })
    await ada.create({ firstName: 'Alan', ownerUserId: grace.userId })
    await grace.receives(1)
    await choose(grace, { digestHour: 17 })
    app.setNow(new Date('2027-02-01T17:00:00Z'))
    await mailDue(app.services, { orgId, userId: grace.userId })

    await expect.poll(() => mailsTo(grace)).toHaveLength(1)
  })

  test('has no item of a member who has left', async () => {
    app.setNow(new Date('2027-03-01T12:00:00Z'))
    const { ada, grace, orgId } = await twoPeople(app)
    await choose(grace, { kinds: ['ASSIGNED'], mail: 'DAILY' })
    await ada.create({ firstName: 'Alan', ownerUserId: grace.userId })
    await grace.receives(1)
    await ada.data('mutation ($id: ID!) { removeMember(input: { userId: $id }) { id } }', { id: grace.userId })
    app.setNow(new Date('2027-03-02T12:00:00Z'))
    await mailDue(app.services, { orgId, userId: grace.userId })

    expect(mailsTo(grace)).toEqual([])
  })
})
