// Merging companies: values, domains and everything that hangs on them, and undoing it.

import { describe, expect, test } from 'vitest'
import { type Json, openApp } from '../../support/app.ts'
import { meetWriter } from '../../support/database/database.ts'
import { type Client, clientIn, fieldCount } from '../client.ts'
import { add, companies, listed, read, timelineOf } from './companies.ts'

const app = await openApp()

const merging = `mutation ($w: ID!, $l: ID!, $fields: CompanyMergeFieldsInput) { mergeCompanies(input: { winnerId: $w, loserId: $l, fields: $fields }) {
  mergeId winner { id name domain domains tags industry annualRevenue annualRevenueCurrency custom version } loser { deletedAt }
  moved { contacts deals notes tasks events suggestions jobs } undoneAt } }`
const undoing = `mutation ($id: ID!) { undoCompanyMerge(input: { mergeId: $id }) {
  winner { id name domain domains tags industry annualRevenue custom } loser { id domain deletedAt } moved { contacts deals notes tasks } undoneAt } }`
const merge = async (on: Client, w: string, l: string, fields?: Json): Promise<Json> =>
  (await on.data(merging, { w, l, ...(fields && { fields }) })).mergeCompanies
const undo = async (on: Client, id: string): Promise<Json> => (await on.data(undoing, { id })).undoCompanyMerge

async function pair() {
  const on = await clientIn(app)
  const winner = await add(on, { name: 'Acme', domain: 'acme.com', tags: ['a'], industry: 'Food' })
  const loser = await add(on, {
    ...{
      name: 'ACME Ltd',
      domain: 'acme.co.uk',
      domains: ['acme.de'],
      tags: ['b'],
      industry: 'Mining',
      annualRevenue: '10.50',
      annualRevenueCurrency: 'EUR',
      city: 'London',
    },
  })
  return { on, winner, loser }
}

/** A contact, a deal, a note and a task of the company. */
async function hang(on: Client, companyId: string) {
  const contact = await on.create({ firstName: 'Ada', companyId }, 'id companyId companyName companyDomain')
  const { createDeal } = await on.data(`mutation { createDeal(input: { title: "Engines", companyId: "${companyId}" }) { id } }`)
  const { addNote } = await on.data(`mutation { addNote: createNote(input: { companyId: "${companyId}", text: "Likes tea" }) { id } }`)
  const { createTask } = await on.data(`mutation { createTask(input: { companyId: "${companyId}", title: "Call" }) { id } }`)
  return { contact, deal: createDeal, note: addNote, task: createTask }
}
const hanging = (on: Client, { contact, deal, note, task }: Json) =>
  on.data(`{ contact(id: "${contact.id}") { companyId companyName companyDomain } deal(id: "${deal.id}") { companyId }
    note(id: "${note.id}") { companyId } task(id: "${task.id}") { companyId } }`)

describe('mergeCompanies', () => {
  test('keeps the values of the winner, takes those it lacks and those that are chosen, and says so before', async () => {
    const { on, winner, loser } = await pair()
    const { companyMergePreview } = await on.data(
      `{ companyMergePreview(winnerId: "${winner.id}", loserId: "${loser.id}") { fields { field value keeps reason } } }`,
    )
    const preview = Object.fromEntries(companyMergePreview.fields.map(({ field, ...one }: Json) => [field, one]))
    expect(preview.annualRevenue).toEqual({ value: '10.50 EUR', keeps: 'LOSER', reason: 'ONLY_ONE' })
    expect(preview.domains).toEqual({ value: ['acme.co.uk', 'acme.de'], keeps: null, reason: 'UNITED' })
    expect(preview.name).toMatchObject({ value: 'Acme', keeps: 'WINNER', reason: 'WINNER' })

    const merged = await merge(on, winner.id, loser.id, { industry: 'LOSER' })

    expect(merged.winner).toEqual({
      ...{ id: winner.id, name: 'Acme', domain: 'acme.com', domains: ['acme.co.uk', 'acme.de'], tags: ['a', 'b'], industry: 'Mining' },
      ...{ annualRevenue: '10.50', annualRevenueCurrency: 'EUR', custom: {}, version: 2 },
    })
    expect(merged.loser.deletedAt).not.toBeNull()
    expect(await listed(on, 'filter: { domain: "acme.de" }')).toEqual(['Acme'])
    expect((await timelineOf(on, winner.id))[0]).toMatchObject({ type: 'COMPANY_MERGED', event: { __typename: 'CompanyMergedEntry' } })
    expect(await on.error(`mutation { createCompany(input: { name: "x", domain: "acme.co.uk" }) { id } }`)).toMatchObject({
      ...{ code: 'ALREADY_EXISTS', existingId: winner.id },
    })
  })

  test('moves people, deals, notes, tasks and the timeline, and the undo gives them back; later ones stay', async () => {
    const { on, winner, loser } = await pair()
    const things = await hang(on, loser.id)
    const before = await hanging(on, things)
    const merged = await merge(on, winner.id, loser.id)

    expect(merged.moved).toMatchObject({ contacts: 1, deals: 1, notes: 1, tasks: 1 })
    expect(merged.moved.events).toBeGreaterThan(2)
    expect(await hanging(on, things)).toEqual({
      contact: { companyId: winner.id, companyName: 'Acme', companyDomain: 'acme.com' },
      ...{ deal: { companyId: winner.id }, note: { companyId: winner.id }, task: { companyId: winner.id } },
    })
    const later = await hang(on, winner.id)
    await on.data(`mutation { updateCompany(input: { id: "${winner.id}", city: "Paris" }) { id } }`)

    const undone = await undo(on, merged.mergeId)

    expect(undone.moved).toEqual({ contacts: 1, deals: 1, notes: 1, tasks: 1 })
    expect(undone.winner).toEqual({
      ...{ id: winner.id, name: 'Acme', domain: 'acme.com', domains: [], tags: ['a'], industry: 'Food', annualRevenue: null, custom: {} },
    })
    expect(undone.loser).toEqual({ id: loser.id, domain: 'acme.co.uk', deletedAt: null })
    expect((await read(on, winner.id)).city).toBe('Paris')
    expect(await hanging(on, things)).toEqual(before)
    expect((await hanging(on, later)).deal).toEqual({ companyId: winner.id })
    expect(await listed(on, 'filter: { domain: "acme.de" }')).toEqual(['ACME Ltd'])
    expect((await timelineOf(on, loser.id)).map(({ type }: Json) => type)).toContain('COMPANY_CREATED')
  })

  test('a lookup of the loser says where it went, through several merges, in GraphQL and REST', async () => {
    const { on, winner, loser } = await pair()
    const last = await add(on, { name: 'Last' })
    await merge(on, winner.id, loser.id)
    await merge(on, last.id, winner.id)

    const gone = { code: 'NOT_FOUND', mergedInto: last.id }
    expect(await on.error(`{ company(id: "${loser.id}") { id } }`)).toMatchObject(gone)
    expect((await app.rest('GET', `${companies}/${loser.id}/timeline`, { key: on.key })).body.merged_into).toBe(last.id)
    expect(await on.error(`mutation { updateCompany(input: { id: "${loser.id}", city: "x" }) { id } }`)).toMatchObject(gone)
    expect(await on.error(`mutation { deleteCompany(input: { id: "${winner.id}" }) { id } }`)).toMatchObject(gone)
    expect(await on.error(`mutation { restoreCompany(input: { id: "${loser.id}" }) { id } }`)).toMatchObject({
      ...{ code: 'CONFLICT', mergedInto: last.id },
    })
    const { status, body } = await app.rest('GET', `${companies}/${loser.id}`, { key: on.key })
    expect([status, body.merged_into]).toEqual([404, last.id])
    expect((await app.rest('GET', `${companies}?only_deleted=true`, { key: on.key })).body.data).toEqual([])
    const { body: restored } = await app.graphql(
      'mutation { restoreCompaniesInBulk(input: { filter: {} }) { total } }',
      {},
      { key: on.key },
    )
    expect(restored.data.restoreCompaniesInBulk.total).toBe(0)
  })

  test('refuses a company with itself, unknown and foreign ones, and a contact', async () => {
    const { on, winner } = await pair()
    const stranger = await pair()
    const contact = await on.create({ firstName: 'Ada' })
    const code = async (w: string, l: string) => (await on.error(merging, { w, l })).code

    expect(await code(winner.id, winner.id.toUpperCase())).toBe('INVALID')
    expect(await code(winner.id, stranger.loser.id)).toBe('NOT_FOUND')
    expect(await code(winner.id, contact.id)).toBe('NOT_FOUND')
    expect((await read(on, winner.id)).version).toBe(1)
  })

  test('of A into B and B into A at once, one happens', async () => {
    const { on, winner, loser } = await pair()

    const both = await Promise.all([on.ask(merging, { w: winner.id, l: loser.id }), on.ask(merging, { w: loser.id, l: winner.id })])

    expect(both.filter(({ errors }) => errors).map(({ errors }) => errors[0].extensions.code)).toEqual(['NOT_FOUND'])
  })

  test('waits for a contact that is linked to the loser, and moves it too', async () => {
    const { on, winner, loser } = await pair()
    const { id } = await on.create({ firstName: 'Ada' })
    const locking = `select from companies where id = '${loser.id}' for share`
    const linking = `update contacts set company_id = '${loser.id}' where id = '${id}'`

    const { moved } = await meetWriter(app.database.url, locking, () => merge(on, winner.id, loser.id), linking)

    expect(moved.contacts).toBe(1)
    expect(await on.data(`{ contact(id: "${id}") { companyId } }`)).toEqual({ contact: { companyId: winner.id } })
  })

  test('a contact that is linked meanwhile waits for it, and is linked to the winner', async () => {
    const { on, winner, loser } = await pair()
    const locking = `select from companies where id in ('${winner.id}', '${loser.id}') for no key update`
    const merging = `update companies set deleted_at = now() where id = '${loser.id}';
      update company_domains set company_id = '${winner.id}' where company_id = '${loser.id}'`
    const create = () => on.create({ email: 'ada@acme.co.uk' }, 'companyId company { id }')

    expect(await meetWriter(app.database.url, locking, create, merging)).toEqual({ companyId: winner.id, company: { id: winner.id } })
  })

  test('beside contacts that are linked, leaves none with the loser', async () => {
    const { on, winner, loser } = await pair()
    const adding = Array.from({ length: 8 }, (_, n) => on.ask(`mutation { createContact(input: { email: "p${n}@acme.co.uk" }) { id } }`))

    await Promise.all([...adding, merge(on, winner.id, loser.id)])

    const { contacts } = await on.data('{ contacts { nodes { companyId company { id } } } }')
    expect(new Set(contacts.nodes.map(({ company }: Json) => company?.id))).toEqual(new Set([winner.id]))
  })
})

describe('undoCompanyMerge', () => {
  test('is refused while another has a domain, the winner is deleted, and twice', async () => {
    const { on, winner, loser } = await pair()
    const { mergeId } = await merge(on, winner.id, loser.id)
    const refused = async () => (await on.error(undoing, { id: mergeId })).code
    await on.data(`mutation { updateCompany(input: { id: "${winner.id}", domains: [] }) { id } }`)
    const thief = await add(on, { name: 'Thief', domain: 'acme.de' })
    expect(await refused()).toBe('ALREADY_EXISTS')
    await on.data(`mutation { deleteCompany(input: { id: "${thief.id}" }) { id } }`)
    await on.data(`mutation { deleteCompany(input: { id: "${winner.id}" }) { id } }`)
    expect(await refused()).toBe('CONFLICT')
    await on.data(`mutation { restoreCompany(input: { id: "${winner.id}" }) { id } }`)
    expect((await on.error('mutation ($id: ID!) { undoMerge(input: { mergeId: $id }) { mergeId } }', { id: mergeId })).code).toBe(
      'NOT_FOUND',
    )
    expect((await undo(on, mergeId)).undoneAt).not.toBeNull()
    expect(await refused()).toBe('CONFLICT')
  })
})

test('POST /companies/{id}/merge merges once for a repeated key, shows a preview before, and can be undone', async () => {
  const { on, winner, loser } = await pair()
  const preview = await app.rest('GET', `${companies}/${winner.id}/merge-preview?loser_id=${loser.id}`, { key: on.key })
  expect(preview.body.fields.find(({ field }: Json) => field === 'city')).toEqual({
    ...{ field: 'city', winner_value: null, loser_value: 'London', value: 'London', keeps: 'loser', reason: 'only_one' },
  })
  const headers = { 'Idempotency-Key': 'm1' }
  const post = () =>
    app.rest('POST', `${companies}/${winner.id}/merge`, { key: on.key, body: { loser_id: loser.id, fields: { city: 'loser' } }, headers })

  const [one, again] = [await post(), await post()]

  expect([one.status, again.status]).toEqual([200, 200])
  expect(again.body.merge_id).toBe(one.body.merge_id)
  expect(one.body.winner).toMatchObject({ city: 'London', tags: ['a', 'b'] })
  expect(Object.keys(one.body.moved)).toHaveLength(await fieldCount(on, 'CompanyMergeMoved'))
  const undone = await app.rest('POST', `/api/crm/v1/company-merges/${one.body.merge_id}/undo`, { key: on.key, body: {} })
  expect([undone.status, undone.body.loser.deleted_at]).toEqual([200, null])
})
