// Sample data of one's own organization: added by one mutation, and removed without a trace by another.

import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { addSteps } from '../../src/dashboard/sample-data/add.ts'
import { endedCalls } from '../../src/inbox/outbox/work.sql.ts'
import { createContext } from '../../src/kernel/context.ts'
import { principalOf } from '../../src/kernel/principal.ts'
import { type Json, openApp } from '../support/app.ts'

const app = await openApp()
const ask = async (session: string, query: string, variables: Json = {}) => (await app.graphql(query, variables, { session })).body
const { prisma } = app.services.database
/** Adds it, and waits for all of it: the answer comes after four seconds at the latest. */
async function addAll(session: string) {
  const answer = await ask(session, add)
  await expect.poll(() => prisma.sampleData.count({ where: { NOT: { nextStep: null } } })).toBe(0)
  return answer
}
/** Sample data that its request has only begun, and the work of the queue item. */
async function begun({ orgId, userId }: { orgId: string; userId: string }) {
  await prisma.sampleData.create({ data: { orgId, contactIds: [], agentIds: [], nextStep: 0, createdAt: new Date() } })
  const principal = principalOf({ type: 'user', id: userId, name: 'Ada' }, orgId)
  const asked = { principal, requestId: 'r', door: 'tasks', operation: 'addSampleData', requestedOrgId: orgId } as const
  const goOn = (signal?: AbortSignal) => addSteps(createContext(app.services, asked), orgId, signal)
  return { goOn, takeOne: () => expect(goOn(AbortSignal.abort())).rejects.toThrow() }
}
const add = 'mutation { addSampleData { id hasSampleData } }'
const remove = 'mutation { removeSampleData { id hasSampleData } }'
const counts = `{ organization { hasSampleData } contacts(first: 50) { totalCount nodes { id tags email phone owner { id } } }
  tasks(first: 10) { totalCount nodes { dueAt assignee { id } } } voiceAgents { totalCount } calls(first: 1) { totalCount }
  suggestions(first: 10) { totalCount nodes { proposedValue evidence } }
  stats { contacts { total } calls { total } } }`
const sold = `{ companies(filter: { includeDeleted: true }) { totalCount nodes { industry owner { id } tags } }
  deals(first: 20, filter: { includeDeleted: true }) { totalCount nodes { id title stage { name kind } company { name } amount currency owner { id }
    contacts { contact { tags company { name } } } stageChanges { toName changedBy { name } } } } }`

describe('sample data', () => {
  test('fills an organization, costs nothing, and goes without a trace', async () => {
    const { session, orgId, userId } = await app.given.session()
    const before = await ask(session, '{ creditBalance { available } }')

    expect((await addAll(session)).data.addSampleData).toEqual({ id: orgId, hasSampleData: true })

    const { data } = await ask(session, counts)
    expect([data.contacts.totalCount, data.tasks.totalCount, data.voiceAgents.totalCount, data.suggestions.totalCount]).toEqual([
      40, 5, 1, 8,
    ])
    expect(data.calls.totalCount).toBeGreaterThan(8)
    expect(data.stats.calls.total).toBe(data.calls.totalCount)
    // Nobody is told of the ends of calls that were never placed.
    const calls = await prisma.call.findMany({ where: { orgId }, select: { id: true } })
    expect(await app.services.database.query(endedCalls, [calls.map(({ id }) => id)])).toEqual([])
    for (const { tags, email, phone, owner } of data.contacts.nodes) {
      expect([tags.includes('Sample'), email.endsWith('.example'), phone.startsWith('+'), owner.id]).toEqual([true, true, true, userId])
    }
    for (const { assignee } of data.tasks.nodes) expect(assignee.id).toBe(userId)
    for (const { proposedValue, evidence } of data.suggestions.nodes) expect(evidence).toContain(proposedValue)
    expect(await ask(session, '{ creditBalance { available } }')).toEqual(before)
    expect((await ask(session, add)).errors[0]).toMatchObject({
      message: 'There is sample data already: remove it before you add it again',
      extensions: { code: 'CONFLICT' },
    })

    const { companies, deals } = (await ask(session, sold)).data
    expect(companies.totalCount).toBeGreaterThan(4)
    for (const { industry, owner, tags: given } of companies.nodes)
      expect([industry, owner.id, given]).toEqual([expect.any(String), userId, ['Sample']])
    expect(new Set(deals.nodes.map(({ stage }: Json) => stage.name))).toEqual(
      new Set(['Lead', 'Qualified', 'Proposal', 'Negotiation', 'Won', 'Lost']),
    )
    for (const deal of deals.nodes) {
      expect([deal.currency, Number(deal.amount) > 0, deal.owner.id]).toEqual(['EUR', true, userId])
      expect(deal.contacts).toEqual([{ contact: { tags: expect.arrayContaining(['Sample']), company: deal.company } }])
      expect(deal.stageChanges[0].toName).toBe(deal.stage.name)
    }

    const tried = await ask(session, 'mutation { removeSampleData(dryRun: true) { hasSampleData } }')
    expect(tried.data.removeSampleData).toEqual({ hasSampleData: false })
    expect((await ask(session, counts)).data.contacts.totalCount).toBe(40)

    expect((await ask(session, remove)).data.removeSampleData).toEqual({ id: orgId, hasSampleData: false })

    const gone = (await ask(session, counts)).data
    expect([gone.contacts.totalCount, gone.tasks.totalCount, gone.voiceAgents.totalCount, gone.calls.totalCount]).toEqual([0, 0, 0, 0])
    expect([gone.suggestions.totalCount, gone.stats.contacts.total, gone.stats.calls.total]).toEqual([0, 0, 0])
    expect((await ask(session, '{ contacts(filter: { onlyDeleted: true }) { totalCount } }')).data.contacts.totalCount).toBe(0)
    const left = (await ask(session, sold)).data
    expect([left.companies.totalCount, left.deals.totalCount]).toEqual([0, 0])
    for (const rows of [prisma.dealContact, prisma.dealStageChange, prisma.companyDomain] as { count(args: Json): Promise<number> }[])
      expect(await rows.count({ where: { orgId } })).toBe(0)
    expect((await ask(session, remove)).errors[0].extensions.code).toBe('CONFLICT')
    expect((await addAll(session)).data.addSampleData.hasSampleData).toBe(true)
  })

  test('contacts that a person made stay, changed sample contacts go', async () => {
    const { session } = await app.given.session()
    const own = await ask(session, 'mutation { createContact(input: { email: "own@example.com" }) { id } }')
    const ownId = own.data.createContact.id
    await addAll(session)
    const { nodes } = (await ask(session, counts)).data.contacts
    const [renamed, merged] = nodes.filter(({ id }: Json) => id !== ownId)
    await ask(session, `mutation { updateContact(input: { id: "${renamed.id}", firstName: "Changed", tags: [] }) { id } }`)
    await ask(session, `mutation { createNote(input: { contactId: "${renamed.id}", text: "Mine" }) { id } }`)
    const merge = await ask(session, `mutation { mergeContacts(input: { winnerId: "${ownId}", loserId: "${merged.id}" }) { __typename } }`)
    expect(merge.errors).toBeUndefined()

    await ask(session, remove)

    const left = await ask(session, '{ contacts { nodes { id } } }')
    expect(left.data.contacts.nodes).toEqual([{ id: ownId }])
    expect((await ask(session, `{ contact(id: "${renamed.id}") { id } }`)).data.contact).toBeNull()
    expect(await app.services.database.prisma.contact.count({ where: { id: merged.id } })).toBe(1)
  })

  test('companies that a person’s own records have stay, changed sample deals go', async () => {
    const { session } = await app.given.session()
    await ask(session, 'mutation { createCompany(input: { name: "Own", domain: "own.example" }) { id } }')
    await addAll(session)
    const { nodes } = (await ask(session, '{ deals(first: 20) { nodes { id company { id } contacts { contact { id } } } } }')).data.deals
    const [first, second] = [nodes[0], nodes.find(({ company }: Json) => company.id !== nodes[0].company.id)]
    await ask(session, `mutation { createDeal(input: { title: "Mine", companyId: "${first.company.id}" }) { id } }`)
    const mine = `title: "With theirs", contacts: [{ contactId: "${second.contacts[0].contact.id}" }]`
    await ask(session, `mutation { createDeal(input: { ${mine} }) { id } }`)
    await ask(session, `mutation { updateDeal(input: { id: "${second.id}", title: "Renamed" }) { id } }`)
    await ask(session, `mutation { createNote(input: { dealId: "${second.id}", text: "Mine" }) { id } }`)

    expect((await ask(session, remove)).errors).toBeUndefined()

    const left = (await ask(session, '{ companies { nodes { id name } } deals { nodes { title contacts { contact { id } } } } }')).data
    expect(left.deals.nodes.toSorted((a: Json, b: Json) => (a.title < b.title ? -1 : 1))).toEqual([
      { title: 'Mine', contacts: [] },
      { title: 'With theirs', contacts: [] },
    ])
    expect(left.companies.nodes.map(({ id }: Json) => id)).toHaveLength(2)
    expect(left.companies.nodes.map(({ id }: Json) => id)).toContain(first.company.id)
  })

  test('is added in steps: each process continues behind the last one, also two at once', async () => {
    const { session, orgId, userId } = await app.given.session()
    const { goOn, takeOne } = await begun({ orgId, userId })

    await takeOne()
    const first = (await ask(session, counts)).data
    await Promise.all([goOn(), goOn()])
    const all = (await ask(session, counts)).data
    const { companies, deals } = (await ask(session, sold)).data
    await goOn()

    expect([first.organization.hasSampleData, first.contacts.totalCount, first.voiceAgents.totalCount]).toEqual([true, 10, 0])
    expect([all.contacts.totalCount, all.tasks.totalCount, all.voiceAgents.totalCount, all.suggestions.totalCount]).toEqual([40, 5, 1, 8])
    expect([deals.totalCount, companies.nodes.every(({ industry }: Json) => industry)]).toEqual([14, true])
    expect((await ask(session, counts)).data.contacts.totalCount).toBe(40)
  })

  test('goes in one click while it is added, and nothing comes after that', async () => {
    const { session, orgId, userId } = await app.given.session()
    const { goOn, takeOne } = await begun({ orgId, userId })
    for (let step = 0; step < 8; step++) await takeOne()

    expect((await ask(session, remove)).errors).toBeUndefined()
    await goOn()

    const { data } = await ask(session, counts)
    expect([data.organization.hasSampleData, data.contacts.totalCount, data.voiceAgents.totalCount]).toEqual([false, 0, 0])
    expect((await ask(session, sold)).data.companies.totalCount).toBe(0)
  })

  test('a busy database delays it, and refuses nothing', async () => {
    const { session } = await app.given.session()
    const busy = new pg.Client({ connectionString: app.database.url })
    await busy.connect()
    await busy.query('begin; lock table contact_notes in exclusive mode')

    const answer = await ask(session, add)
    const meanwhile = (await ask(session, counts)).data
    await busy.query('commit')
    await busy.end()

    expect(answer.data.addSampleData.hasSampleData).toBe(true)
    expect([meanwhile.contacts.totalCount, meanwhile.tasks.totalCount]).toEqual([40, 0])
    await expect.poll(async () => (await ask(session, sold)).data.deals.totalCount).toBe(14)
  })

  test('a member who has left adds nothing more, and the begun sample data can be removed', async () => {
    const { session, orgId } = await app.given.session()
    const { goOn } = await begun({ orgId, userId: 'gone' })

    await goOn()

    expect((await ask(session, counts)).data).toMatchObject({ organization: { hasSampleData: true }, contacts: { totalCount: 0 } })
    expect((await ask(session, remove)).errors).toBeUndefined()
  })

  test('dry runs change nothing, and members may not', async () => {
    const { session, orgId } = await app.given.session()
    const member = await app.given.member({ orgId, role: 'member' })

    const tried = await ask(session, 'mutation { addSampleData(dryRun: true) { hasSampleData } }')

    expect(tried.data.addSampleData).toEqual({ hasSampleData: true })
    expect((await ask(session, counts)).data).toMatchObject({ organization: { hasSampleData: false }, contacts: { totalCount: 0 } })
    for (const mutation of [add, remove]) expect((await ask(member.session, mutation)).errors[0].extensions.code).toBe('FORBIDDEN')
  })
})
