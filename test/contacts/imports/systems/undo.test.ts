// The undo of an import of several files: companies, contacts, deals, notes and tasks.

import { describe, expect, test } from 'vitest'
import { type Json, openApp } from '../../../support/app.ts'
import { clientWith } from '../../client.ts'
import { setCurrency } from '../../companies/companies.ts'
import { imports, importsIn } from '../files.ts'
import { type ExportedFile, hubspot } from './exports.ts'

const app = await openApp({ env: { ROLES: 'web,api,session,worker' } })
const { uploaded, ended, imported, contacts } = importsIn(app)
const crm = '/api/crm/v1'

/** The key of an organization whose amounts are in euros. */
async function keyWithCurrency(): Promise<string> {
  const { session, orgId, userId } = await app.given.session()
  await setCurrency(clientWith(app, { session, orgId }), 'EUR')
  return (await app.given.apiKey({ orgId, userId })).key
}

/** The files as one import, in their order. */
async function importAll(key: string, files: readonly ExportedFile[], more: object = {}): Promise<Json[]> {
  const all: Json[] = []
  for (const { name, content } of files)
    all.push(await uploaded(key, content, `?file_name=${name}${all[0] ? `&part_of=${all[0].id}` : ''}`))
  const started = await app.rest('POST', `${imports}/${all[0].id}/start`, { key, body: more })
  expect(started).toMatchObject({ status: 202 })
  return Promise.all(all.map(({ id }) => ended(key, id)))
}

async function undone(key: string, id: string, files: readonly Json[]): Promise<Json[]> {
  expect(await app.rest('POST', `${imports}/${id}/undo`, { key })).toMatchObject({ status: 202 })
  const undos = async () => Promise.all(files.map(async file => (await app.rest('GET', `${imports}/${file.id}`, { key })).body.undo))
  await expect.poll(async () => (await undos()).map(undo => undo?.status)).toEqual(files.map(() => 'completed'))
  return undos()
}
const counts = ({ deleted_count, restored_count, kept_count, gone_count, companies_deleted_count }: Json) => [
  ...[deleted_count, restored_count, kept_count, gone_count, companies_deleted_count],
]
const all = async (key: string): Promise<Json> => {
  const query = `{
    companies(first: 50) { nodes { id name domain city annualRevenue annualRevenueCurrency tags custom } }
    contacts(first: 50) { nodes { id email company { name } } }
    deals(first: 50) { nodes { id title amount currency expectedClose tags lostReason stage { name } company { name } contacts { contact { email } role }
      notes(first: 5) { nodes { text } } } }
    tasks(first: 50) { nodes { id title status dueAt } } }`
  return (await app.graphql(query, undefined, { key })).body.data
}
const totals = ({ companies, contacts, deals, tasks }: Json) => [companies, contacts, deals, tasks].map(({ nodes }) => nodes.length)

describe('POST /api/crm/v1/imports/{import_id}/undo of several files', () => {
  test('deletes all that it has added, last file first', async () => {
    const key = await keyWithCurrency()
    const files = await importAll(key, hubspot)
    expect(totals(await all(key))).toEqual([2, 3, 3, 2])

    const undos = await undone(key, files[0].id, files)

    expect(undos.map(counts)).toEqual([
      [2, 0, 0, 0, 0],
      [3, 0, 0, 0, 0],
      [3, 0, 0, 0, 0],
      [2, 0, 0, 0, 0],
      [2, 0, 0, 0, 0],
    ])
    expect(totals(await all(key))).toEqual([0, 0, 0, 0])
    // What is taken back is new again.
    const again = await importAll(key, hubspot)
    expect(again.map(({ created_count }) => created_count)).toEqual([2, 3, 3, 2, 2])
  })

  test('keeps what somebody has changed since, and what that hangs on', async () => {
    const key = await keyWithCurrency()
    const files = await importAll(key, hubspot)
    const { deals, companies, tasks } = await all(key)
    const trucks = deals.nodes.find(({ title }: Json) => title === 'Trucks')
    const nord = companies.nodes.find(({ name }: Json) => name === 'Nord Oy')
    const thanks = tasks.nodes.find(({ title }: Json) => title === 'Say thanks')
    await app.rest('POST', `${crm}/notes`, { key, body: { deal_id: trucks.id, text: 'Wants blue ones' } })
    await app.rest('PATCH', `${crm}/companies/${nord.id}`, { key, body: { city: 'Espoo' } })
    await app.rest('PATCH', `${crm}/tasks/${thanks.id}`, { key, body: { title: 'Say thank you' } })

    const undos = await undone(key, files[0].id, files)

    const after = await all(key)
    // The changed task hangs on a contact.
    expect(undos.map(counts)).toEqual([
      [0, 0, 2, 0, 0],
      [2, 0, 1, 0, 0],
      [2, 0, 1, 0, 0],
      [2, 0, 0, 0, 0],
      [1, 0, 1, 0, 0],
    ])
    expect(after.companies.nodes.map(({ name }: Json) => name).toSorted()).toEqual(['Kade BV', 'Nord Oy'])
    expect(after.deals.nodes.map(({ title, notes }: Json) => [title, notes.nodes.length])).toEqual([['Trucks', 1]])
    expect(after.tasks.nodes.map(({ title }: Json) => title)).toEqual(['Say thank you'])
  })

  test('gives changed ones their former values: fields, custom fields, the stage of a deal, its contacts', async () => {
    const key = await keyWithCurrency()
    const field = 'mutation { createCustomField(input: { noun: COMPANY, key: "plan", label: "Plan", type: TEXT }) { id } }'
    expect((await app.graphql(field, undefined, { key })).body.errors).toBeUndefined()
    await importAll(key, hubspot)
    const before = await all(key)
    const [companyFile, contactFile, dealFile, noteFile, taskFile] = hubspot.map(({ name, content }) => ({
      name,
      text: content.toString(),
    }))
    const newer = [
      {
        name: companyFile?.name,
        text: companyFile?.text
          .replace('Amsterdam', 'Utrecht')
          .replace('1,500,000.50', '2,000,000')
          .replace('Annual Revenue', 'Annual Revenue,Plan')
          .replace('000"', '000",gold'),
      },
      contactFile,
      {
        name: dealFile?.name,
        text: dealFile?.text
          .replace('Proposal', 'Closed Lost')
          .replace('12500.5', '9000')
          .replace('Closed Won', 'Proposal')
          .replace('9002,102', '9002,102;103'),
      },
      { name: noteFile?.name, text: noteFile?.text.replace('Met at the fair', 'Met at the fair in Ghent') },
      { name: taskFile?.name, text: taskFile?.text.replace('NOT_STARTED,2026-05-02', 'COMPLETED,2026-05-03') },
    ]
    const files = await importAll(
      key,
      newer.map(({ name, text }: Json) => ({ name, content: Buffer.from(text) }) as ExportedFile),
    )
    const changed = await all(key)

    const undos = await undone(key, files[0].id, files)

    expect(files.map(({ updated_count }) => updated_count)).toEqual([1, 0, 2, 1, 1])
    expect(changed).not.toEqual(before)
    expect(undos.map(counts)).toEqual([
      [0, 1, 0, 0, 0],
      [0, 0, 0, 0, 0],
      [0, 2, 0, 0, 0],
      [0, 1, 0, 0, 0],
      [0, 1, 0, 0, 0],
    ])
    expect(await all(key)).toEqual(before)
  })

  test('a field that somebody has changed since stays, and so does one whose former value another record has now', async () => {
    const key = await keyWithCurrency()
    const header = 'Record ID,Company name,Company owner,City,Industry,Company Domain Name,Number of Employees'
    const file = (row: string) => ({ name: 'hubspot-companies.csv', content: Buffer.from(`${header}\n${row}\n`) }) as ExportedFile
    await importAll(key, [file('9001,Kade,,Bonn,Food,kade.example,10')])
    const files = await importAll(key, [file('9001,Kade,,Kiel,Trucks,kade-trucks.example,20')])
    const [kade] = (await all(key)).companies.nodes
    await app.rest('PATCH', `${crm}/companies/${kade.id}`, { key, body: { industry: 'Ships' } })
    await app.rest('POST', `${crm}/companies`, { key, body: { name: 'Other', domain: 'kade.example' } })

    const [undo] = await undone(key, files[0].id, files)

    expect(files[0]).toMatchObject({ noun: 'company', updated_count: 1 })
    expect(counts(undo)).toEqual([0, 0, 1, 0, 0])
    expect((await app.rest('GET', `${crm}/companies/${kade.id}`, { key })).body).toMatchObject({
      ...{ city: 'Bonn', industry: 'Ships', domain: 'kade-trucks.example', employee_count: 10 },
    })
  })

  test('an import of contacts takes back the companies that it has made for them, unless others use them', async () => {
    const key = await keyWithCurrency()
    const before = (await app.rest('POST', `${crm}/companies`, { key, body: { name: 'Was there' } })).body
    const done = await imported(key, 'Email,Company\na@one.example,One\nb@two.example,Two\nc@was.example,Was there\n')
    await app.rest('POST', `${crm}/contacts`, { key, body: { email: 'd@two.example', company_name: 'Two' } })

    const [undo] = await undone(key, done.id, [done])

    expect(counts(undo)).toEqual([3, 0, 0, 0, 1])
    expect((await contacts(key)).map(({ email }) => email)).toEqual(['d@two.example'])
    const { companies } = await all(key)
    expect(companies.nodes.map(({ name }: Json) => name).toSorted()).toEqual(['Two', 'Was there'])
    expect(before.name).toBe('Was there')
  })

  test('of a further file takes back that file alone, and of the first then the rest', async () => {
    const key = await keyWithCurrency()
    const files = await importAll(key, hubspot)

    const [notes] = await undone(key, files[3].id, [files[3]])
    const between = await app.rest('GET', `${imports}/${files[0].id}`, { key })
    const rest = await undone(key, files[0].id, files)

    expect(counts(notes)).toEqual([2, 0, 0, 0, 0])
    expect(between.body.undo).toBeNull()
    expect(rest.map(({ deleted_count }) => deleted_count)).toEqual([2, 3, 3, 2, 2])
  })
})
