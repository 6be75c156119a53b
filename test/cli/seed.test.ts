// Seeds: the initial data of a new database, and organizations for black-box tests.

import { describe, expect, test } from 'vitest'
import { seedFirst, seedOrganizations } from '../../prisma/seed/seed.ts'
import { moveDemoTasks } from '../../src/contacts/tasks/demo.sql.ts'
import { type Json, openApp } from '../support/app.ts'

const app = await openApp()
const other = await openApp({ database: app.database })

const asGuest = { headers: { 'x-guest-id': 'guest-1' } }
const guest = async (query: string, variables?: Json) => (await app.graphql(query, variables, asGuest)).body.data

describe('seedFirst', () => {
  test('run by two processes at once seeds one demo organization and one valid key', async () => {
    const keys = await Promise.all([seedFirst(app.services), seedFirst(other.services), seedFirst(app.services)])

    const given = keys.filter(key => key !== null)
    expect(given).toEqual([
      {
        organization: 'My organization',
        apiKey: expect.stringMatching(/^rcm_[0-9A-Za-z]{38}$/),
        claimToken: expect.stringMatching(/^[\w-]{43}$/),
      },
    ])
    expect(await seedFirst(app.services)).toBeNull()
    const { body } = await app.graphql('{ me { organizations { name } } contacts { nodes { id } } }', undefined, {
      key: given[0]?.apiKey ?? '',
    })
    expect(body.data).toEqual({ me: { organizations: [{ name: 'My organization' }] }, contacts: { nodes: [] } })
  })

  test('the demo organization has a member of each role', async () => {
    const { session } = await app.given.session({ userId: 'demo-mara' })

    const { body } = await app.graphql('{ organization { members { nodes { role user { name } } } } }', undefined, { session })

    expect(body.data.organization.members.nodes).toHaveLength(4)
    expect(body.data.organization.members.nodes).toEqual(
      expect.arrayContaining([
        { role: 'OWNER', user: { name: 'Mara Lindqvist' } },
        { role: 'ADMIN', user: { name: 'Tobias Adeyemi' } },
        { role: 'MEMBER', user: { name: 'Inês Carvalho' } },
        { role: 'VIEWER', user: { name: 'Kenji Okafor' } },
      ]),
    )
  })

  test('the demo organization has 500 fictitious contacts of every stage over half a year', async () => {
    const contacts: Json[] = []
    for (let after: string | null = null; ; ) {
      const page: Json = await guest(
        `query ($after: String) { contacts(first: 200, after: $after) { totalCount pageInfo { hasNextPage endCursor }
          nodes { id email phone fullName companyDomain timezone lifecycleStage source custom ownerUserId tags createdAt updatedAt version } } }`,
        { after },
      )
      contacts.push(...page.contacts.nodes)
      if (!page.contacts.pageInfo.hasNextPage) break
      after = page.contacts.pageInfo.endCursor
    }

    expect(contacts).toHaveLength(500)
    expect(new Set(contacts.map(({ lifecycleStage }) => lifecycleStage)).size).toBe(7)
    expect(new Set(contacts.map(({ source }) => source)).size).toBeGreaterThan(6)
    expect(new Set(contacts.map(({ fullName }) => fullName)).size).toBeGreaterThan(450)
    const now = Date.now()
    for (const { email, phone, createdAt, updatedAt, companyDomain } of contacts) {
      if (email !== null) expect(email).toMatch(/^[a-z0-9.]+@[a-z0-9]+\.example$/)
      if (phone !== null) expect(phone).toMatch(/^\+(1\d{3}55501\d\d|4420794600?\d{3}|493023125\d{3}|3319900\d{4}|6125550\d{4})$/)
      expect(companyDomain).toMatch(/\.example$/)
      expect(now - Date.parse(createdAt)).toBeLessThan(181 * 86_400_000)
      expect(Date.parse(createdAt)).toBeLessThan(now)
      expect(updatedAt >= createdAt && Date.parse(updatedAt) < now).toBe(true)
    }
    const { stats } = await guest('{ stats { contacts { total withEmail byLifecycleStage { customer } } } }')
    expect(stats.contacts).toEqual({
      total: 500,
      withEmail: contacts.filter(({ email }) => email !== null).length,
      byLifecycleStage: { customer: contacts.filter(({ lifecycleStage }) => lifecycleStage === 'CUSTOMER').length },
    })
  })

  test('its values match its custom fields, its timelines match its versions', async () => {
    const { customFields, contacts } = await guest(
      '{ customFields { key } contacts(sort: UPDATED_AT_DESC, first: 14) { nodes { id custom version lifecycleStage } } }',
    )
    const keys = new Set(customFields.map(({ key }: Json) => key))

    expect(keys.size).toBe(6)
    for (const { id, custom, version, lifecycleStage } of contacts.nodes) {
      const { timeline } = (await guest(`{ contact(id: "${id}") { timeline { nodes { type changes { field after } } } } }`)).contact
      for (const key of Object.keys(custom)) expect(keys).toContain(key)
      const own = timeline.nodes.filter(({ type }: Json) => type.match(/^CONTACT_[A-Z]+$/))
      expect(own).toHaveLength(version)
      expect(timeline.nodes.at(-1).type).toBe('CONTACT_CREATED')
      if (version > 1) expect(own[0].changes.find(({ field }: Json) => field === 'lifecycleStage').after.toUpperCase()).toBe(lifecycleStage)
    }
  })

  test('its agents have calls to its contacts, with every outcome', async () => {
    const { voiceAgents, calls, stats } = await guest(
      '{ voiceAgents { nodes { status } } calls(first: 60) { totalCount nodes { status outcome endedAt transcript { text } contact { phone } toNumber voiceAgent { name } } } stats { calls { active answerRate avgDurationSeconds byOutcome { goalMet voicemail } } } }',
    )

    expect(voiceAgents.nodes).toEqual([{ status: 'ACTIVE' }, { status: 'ACTIVE' }, { status: 'ACTIVE' }])
    expect(calls.totalCount).toBeGreaterThan(150)
    for (const { toNumber, contact, voiceAgent, endedAt } of calls.nodes) {
      expect([contact.phone, endedAt <= new Date().toISOString()]).toEqual([toNumber, true])
      expect(voiceAgent.name).toBeTruthy()
    }
    expect(new Set(calls.nodes.map(({ outcome }: Json) => outcome)).size).toBeGreaterThan(6)
    expect(stats.calls).toMatchObject({ active: 0, byOutcome: { goalMet: expect.any(Number) } })
    expect(stats.calls.answerRate).toBeGreaterThan(0.4)
  })

  test('has notes, tasks, tags and a shared view', async () => {
    const { tasks, tags, savedViews } = await guest(
      '{ tasks(first: 10) { nodes { title status assignee { name } contact { notes(first: 5) { nodes { text } } } } } tags(first: 5) { nodes { count } } savedViews(first: 5) { nodes { name isShared } } }',
    )

    expect(tasks.nodes.map(({ status }: Json) => status).toSorted()).toEqual(['DONE', ...Array(7).fill('OPEN')])
    for (const { assignee } of tasks.nodes) expect(assignee.name).toBeTruthy()
    expect(tasks.nodes.filter(({ contact }: Json) => contact.notes.nodes.length === 1)).toHaveLength(4)
    expect(tags.nodes).toHaveLength(5)
    expect(savedViews.nodes).toEqual([{ name: 'Opportunities', isShared: true }])
  })

  test('four of its tasks are due today, also months later', async () => {
    const dueOn = async (day: string) => {
      const { tasks } = await guest('{ tasks(first: 10) { nodes { dueAt status } } }')
      return tasks.nodes.filter(({ dueAt, status }: Json) => status === 'OPEN' && dueAt.startsWith(day)).length
    }
    const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
    expect([await dueOn(day(0)), await dueOn(day(1))]).toEqual([4, 2])

    for (let time = 0; time < 2; time++) await app.services.database.query(moveDemoTasks, [`${day(100)}T12:00:00Z`])

    expect([await dueOn(day(0)), await dueOn(day(100)), await dueOn(day(101))]).toEqual([0, 4, 2])
  })

  test('its conversations are many, of two people, and name who is called', async () => {
    const calls: { nodes: Json[] } = { nodes: [] }
    for (let after: string | null = null, page = 0; page < 3; page++) {
      const { calls: found }: Json = await guest(
        `query ($after: String) { calls(first: 60, after: $after) { pageInfo { endCursor }
          nodes { createdAt outcome transcript { role text } contact { firstName } } } }`,
        { after },
      )
      calls.nodes.push(...found.nodes)
      after = found.pageInfo.endCursor
    }
    const spoken = calls.nodes.filter(({ transcript }: Json) => transcript.length > 2)

    const openings = new Set(
      spoken.map(({ transcript, contact }: Json) =>
        transcript
          .slice(0, 2)
          .map(({ text }: Json) => text.replaceAll(contact.firstName, ''))
          .join(),
      ),
    )
    expect(openings.size).toBeGreaterThanOrEqual(12)
    for (const { transcript, contact } of spoken) {
      expect(transcript.map(({ role }: Json) => role).slice(0, 2)).toEqual(['AGENT', 'USER'])
      expect(transcript.map(({ text }: Json) => text).join()).toMatch(new RegExp(`${contact.firstName}|Is this a good|Rolocom`))
      expect(transcript.map(({ text }: Json) => text).join()).not.toMatch(/[{}]/)
    }
    for (const { createdAt } of calls.nodes) {
      expect(new Date(createdAt).getUTCDay() % 6).not.toBe(0)
      expect(new Date(createdAt).getUTCHours()).toBeGreaterThanOrEqual(9)
      expect(new Date(createdAt).getUTCHours()).toBeLessThan(18)
    }
    const perDay = Map.groupBy(calls.nodes, ({ createdAt }: Json) => createdAt.slice(0, 10))
    expect(new Set([...perDay.values()].map(day => day.length)).size).toBeGreaterThan(4)
  })

  test('each suggestion has evidence that says its value, and each contact has an owner', async () => {
    const { suggestions, contacts } = await guest(
      '{ suggestions(first: 100) { nodes { proposedValue evidence } } contacts(first: 200) { nodes { owner { name } } } }',
    )
    expect(suggestions.nodes.length).toBeGreaterThan(30)
    for (const { proposedValue, evidence } of suggestions.nodes) expect(evidence).toContain(proposedValue)
    for (const { owner } of contacts.nodes) expect(owner.name).toBeTruthy()
  })

  test('its contacts pass the validation of createContact', async () => {
    const { key } = await app.given.apiKey()
    const { contacts } = await guest(
      '{ contacts(first: 100) { nodes { email firstName lastName phone jobTitle companyName companyDomain linkedinUrl city region country timezone tags externalId } } }',
    )

    const { body } = await app.graphql(
      'mutation ($input: [CreateContactInput!]!) { batchContacts(input: { contacts: $input }) { failed results { error { message } } } }',
      { input: contacts.nodes },
      { key },
    )

    expect(body.data.batchContacts.failed).toBe(0)
    const copies = (
      await app.graphql('{ contacts(first: 100, sort: EMAIL) { nodes { email phone companyDomain tags } } }', undefined, { key })
    ).body.data
    const originals = new Map(contacts.nodes.map((node: Json) => [node.email, node]))
    for (const copy of copies.contacts.nodes.filter(({ email }: Json) => email)) expect(originals.get(copy.email)).toMatchObject(copy)
  })

  test('guests cannot change it', async () => {
    const { body } = await app.graphql('mutation { createContact(input: {}) { id } }', undefined, asGuest)

    expect(body.data?.createContact ?? null).toBeNull()
    expect(body.errors).toHaveLength(1)
  })
})

describe('seedOrganizations', () => {
  test('creates new organizations with everything that black-box tests need', async () => {
    const orgs = await seedOrganizations(app.services, 2)
    const more = await seedOrganizations(other.services, 1)

    expect(new Set([...orgs, ...more].map(({ org_id }) => org_id)).size).toBe(3)
    for (const org of orgs) {
      expect(Object.keys(org)).toEqual([
        'org_id',
        'user_id',
        'session_token',
        'api_key',
        'read_only_key',
        'revoked_key',
        'contact_id',
        'agent_id',
        'credits',
      ])
      const read = (credential: Json) =>
        app.graphql('query ($id: ID!) { contact(id: $id) { id orgId } }', { id: org.contact_id }, credential)
      const write = async (key: string) => (await app.graphql('mutation { createContact(input: {}) { orgId } }', undefined, { key })).body
      const call = await app.rest('POST', '/api/voice/v1/calls', {
        key: org.api_key,
        body: { agent_id: org.agent_id, to_number: '+442079460958' },
      })
      expect([call.status, call.body.dispatch_state]).toEqual([201, 'dispatched'])
      const seen = { contact: { id: org.contact_id, orgId: org.org_id } }

      expect((await read({ key: org.api_key })).body.data).toEqual(seen)
      expect((await read({ key: org.read_only_key })).body.data).toEqual(seen)
      expect((await read({ session: org.session_token })).body.data).toEqual(seen)
      expect((await read({ key: org.revoked_key })).status).toBe(401)
      expect((await write(org.api_key)).data.createContact).toEqual({ orgId: org.org_id })
      expect((await write(org.read_only_key)).errors[0].extensions.code).toBe('FORBIDDEN')
      const { body } = await app.graphql('{ me { userId } }', undefined, { session: org.session_token })
      expect(body.data.me.userId).toBe(org.user_id)
      expect(org.credits).toBe(1000)
    }
  })
})
