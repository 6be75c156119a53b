// The timeline of a company: its own events, and those of its people and its deals.

import { expect, test } from 'vitest'
import { conforming } from '../../rest/conforming.ts'
import { type Json, openApp } from '../../support/app.ts'
import { calls, givenCallFixture, number } from '../../voice/call-fixture.ts'
import { type Client, clientWith, warm } from '../client.ts'
import { add } from './companies.ts'

const app = await openApp()
const rest = conforming(app)

async function given() {
  const { key, orgId, agent } = await givenCallFixture({ rest, given: app.given })
  const on = clientWith(app, { key, orgId })
  const company = await add(on, {})
  const note = async (contactId: string, text: string) =>
    (await on.data('mutation ($input: CreateNoteInput!) { createNote(input: $input) { id } }', { input: { contactId, text } })).createNote
      .id
  return { on, key, agent, companyId: company.id as string, note }
}
const timeline = async (on: Client, id: string, args = '') =>
  (
    await on.data(
      `query ($id: ID!) { company(id: $id) { timeline${args} { totalCount pageInfo { endCursor } nodes { id type entityId contact { id } } } } }`,
      { id },
    )
  ).company.timeline
const typesOf = ({ nodes }: Json) => nodes.map(({ type }: Json) => type)

test('has what happened to its people, as long as they are its people', async () => {
  const { on, companyId, note } = await given()
  const [ada, other] = [await on.create({ companyId }), await on.create()]
  await note(ada.id, 'Wants a quote')
  await note(other.id, 'Is somewhere else')
  const before = await timeline(on, companyId)
  await on.data('mutation ($input: UpdateContactInput!) { updateContact(input: $input) { id } }', {
    input: { id: ada.id, companyId: null },
  })

  expect(typesOf(before)).toEqual(['CONTACT_NOTED', 'CONTACT_CREATED', 'COMPANY_CREATED'])
  expect([before.totalCount, before.nodes[0].entityId]).toEqual([3, ada.id])
  expect(before.nodes.map(({ contact }: Json) => contact?.id)).toEqual([ada.id, ada.id, undefined])
  expect(typesOf(await timeline(on, companyId))).toEqual(['COMPANY_CREATED'])
})

test('has a call of its deal, once, also where the contact is its own', async () => {
  const { on, key, agent, companyId } = await given()
  const ada = await on.create({ companyId, phone: number })
  const deal = (
    await on.data('mutation ($input: CreateDealInput!) { createDeal(input: $input) { id } }', { input: { title: 'Engines', companyId } })
  ).createDeal
  const body = { agent_id: agent.id, to_number: number, deal_id: deal.id }
  const placed = await rest('POST', calls, { key, body })

  expect([placed.status, placed.body.contact_id]).toEqual([201, ada.id])
  const whole = await timeline(on, companyId)
  expect(typesOf(whole)).toEqual(['CALL_CREATED', 'DEAL_CREATED', 'CONTACT_CREATED', 'COMPANY_CREATED'])
  expect(whole.totalCount).toBe(4)
})

test('goes on behind a cursor, and is the same in REST', async () => {
  const { on, key, companyId, note } = await given()
  const people = [await on.create({ companyId }), await on.create({ companyId })]
  for (const text of ['one', 'two', 'three']) for (const { id } of people) await note(id, text)
  const { nodes } = await timeline(on, companyId)
  const read: Json[] = []
  for (let after: string | null = null; ; ) {
    const page: Json = await timeline(on, companyId, `(first: 4${after ? `, after: "${after}"` : ''})`)
    if (page.nodes.length === 0) break
    read.push(...page.nodes)
    after = page.pageInfo.endCursor
  }
  const back = await rest('GET', `/api/crm/v1/companies/${companyId}/timeline?limit=50`, { key })

  expect(nodes).toHaveLength(9)
  expect(read).toEqual(nodes)
  expect(back.body.data.map(({ id }: Json) => id)).toEqual(nodes.map(({ id }: Json) => id))
})

test('of several companies is read by one statement', async () => {
  const { on, companyId, note } = await given()
  const second = (await add(on, { name: 'Looms' })).id
  for (const of of [companyId, second]) await note((await on.create({ companyId: of })).id, 'Met')
  await warm(app, on)
  app.statements()
  const { companies } = await on.data('{ companies(first: 2, sort: NAME) { nodes { timeline(first: 2) { nodes { type } } } } }')

  // The companies and their timelines.
  expect(app.statements()).toBe(2)
  expect(companies.nodes.map(({ timeline }: Json) => typesOf(timeline))).toEqual([
    ['CONTACT_NOTED', 'CONTACT_CREATED'],
    ['CONTACT_NOTED', 'CONTACT_CREATED'],
  ])
})
