// Exports of other systems: recognised, imported with their links, and imported again without a change.

import { describe, expect, test } from 'vitest'
import { unknownFields } from '../../../../src/contacts/imports/profiles/profile.ts'
import { type Json, openApp } from '../../../support/app.ts'
import { clientWith } from '../../client.ts'
import { setCurrency } from '../../companies/companies.ts'
import { imports, importsIn } from '../files.ts'
import { type ExportedFile, google, hubspot, linkedin, outlook, pipedrive, salesforce } from './exports.ts'

const app = await openApp({ env: { ROLES: 'web,api,session,worker' } })
const { upload, uploaded, ended } = importsIn(app)

const counts = ({ status, created_count, updated_count, skipped_count, refused_count }: Json) => [
  ...[status, created_count, updated_count, skipped_count, refused_count],
]

/** The key of an organization whose amounts are in euros. */
async function keyWithCurrency(): Promise<string> {
  const { session, orgId, userId } = await app.given.session()
  await setCurrency(clientWith(app, { session, orgId }), 'EUR')
  return (await app.given.apiKey({ orgId, userId })).key
}

/** Uploads the files as one import, in the given order. */
async function uploadAll(key: string, files: readonly ExportedFile[]): Promise<Json[]> {
  const all: Json[] = []
  for (const { name, content } of files) {
    const part = all[0] ? `&part_of=${all[0].id}` : ''
    all.push(await uploaded(key, content, `?file_name=${name}${part}`))
  }
  return all
}

/** Chooses the suggested values, as the page does. */
async function settingsOf(key: string, id: string): Promise<Json> {
  const { body } = await app.rest('POST', `${imports}/${id}/check`, { key })
  return body.unknown_values.map(({ column, value, suggestion }: Json) => ({ column, value, to: suggestion }))
}

async function importAll(key: string, files: readonly ExportedFile[], more: object = {}): Promise<Json[]> {
  const [first, ...others] = await uploadAll(key, files)
  const settings = await Promise.all(others.map(async ({ id }) => ({ id, values: await settingsOf(key, id) })))
  const body = { ...more, values: await settingsOf(key, first.id), ...(settings.length > 0 && { files: settings }) }
  const started = await app.rest('POST', `${imports}/${first.id}/start`, { key, body })
  expect(started).toMatchObject({ status: 202 })
  return Promise.all([first, ...others].map(({ id }) => ended(key, id)))
}

const read = async (key: string, query: string): Promise<Json> => (await app.graphql(query, undefined, { key })).body.data

test('the tables of systems name fields that their nouns have', () => {
  expect(unknownFields()).toEqual([])
})

describe.each([
  ['HubSpot', hubspot],
  ['Salesforce', salesforce],
  ['Pipedrive', pipedrive],
  ['Google Contacts', google],
  ['Outlook', outlook],
  ['LinkedIn', linkedin],
])('%s', (system, files) => {
  test('is recognised, imported, and the same export imported again changes nothing', async () => {
    const key = await keyWithCurrency()
    const described = await uploadAll(key, files)

    const preview = await app.rest('POST', `${imports}/${described[0].id}/preview`, { key })
    const first = await importAll(key, files.toReversed())
    const again = await uploadAll(key, files)
    const checks: Json[] = []
    for (const { id } of again) {
      const values = await settingsOf(key, id)
      checks.push((await app.rest('POST', `${imports}/${id}/check`, { key, body: { values } })).body)
    }
    await app.rest('POST', `${imports}/${again[0].id}/cancel`, { key })
    const second = await importAll(key, files)

    expect(described.map(({ noun, system }) => [noun, system])).toEqual(files.map(({ noun }) => [noun, system]))
    expect(preview.body.rows.map(({ outcome }: Json) => outcome)).toEqual(Array.from({ length: files[0]?.rows ?? 0 }, () => 'created'))
    expect(first.map(counts)).toEqual(files.toReversed().map(({ rows }) => ['completed', rows, 0, 0, 0]))
    // The check says so before.
    const checked = checks.map(one => [one.created_count, one.updated_count, one.skipped_count, one.refused_count])
    expect(checked).toEqual(files.map(({ rows }) => [0, 0, rows, 0]))
    expect(second.map(counts)).toEqual(files.map(({ rows }) => ['completed', 0, 0, rows, 0]))
  })
})

test('an export of HubSpot is linked: companies, contacts, deals, notes and tasks', async () => {
  const key = await keyWithCurrency()

  await importAll(key, hubspot)

  const { contacts, deals } = await read(
    key,
    `{ contacts(first: 10) { nodes { email externalIds phone company { name domain externalIds } notes(first: 5) { nodes { text externalIds } } } }
       deals(first: 10) { nodes { title amount stage { name } company { name } contacts { contact { email } } lostReason externalIds
         notes(first: 5) { nodes { text } } tasks(first: 5) { nodes { title status dueAt } } } } }`,
  )
  const byEmail = Object.fromEntries(contacts.nodes.map((one: Json) => [one.email, one]))
  expect(byEmail['ada@kade.example']).toMatchObject({
    externalIds: { hubspot: '101' },
    company: { name: 'Kade BV', domain: 'kade.example', externalIds: { hubspot: '9001' } },
  })
  // A number that Excel has shortened is told, and never guessed.
  expect(byEmail['cy@mail.example']).toMatchObject({
    phone: null,
    notes: { nodes: [{ text: 'Met at the fair', externalIds: { hubspot: '5002' } }] },
  })
  const byTitle = Object.fromEntries(deals.nodes.map((one: Json) => [one.title, one]))
  expect(byTitle.Trucks).toEqual({
    title: 'Trucks',
    amount: '12500.50',
    stage: { name: 'Proposal' },
    company: { name: 'Kade BV' },
    contacts: [{ contact: { email: 'ada@kade.example' } }, { contact: { email: 'bo@nord.example' } }],
    lostReason: null,
    externalIds: { hubspot: '7001' },
    notes: { nodes: [{ text: 'Wants two trucks.\nCall in May.' }] },
    tasks: { nodes: [{ title: 'Send the offer', status: 'OPEN', dueAt: '2026-05-02T09:00:00.000Z' }] },
  })
  expect([byTitle.Licences.stage.name, byTitle.Pilot.stage.name, byTitle.Pilot.lostReason]).toEqual(['Won', 'Lost', 'Too expensive'])
})

test('a newer export updates by the ids of the system, whatever else has changed', async () => {
  const key = await keyWithCurrency()
  await importAll(key, salesforce)
  const newer = salesforce.map(file =>
    file.noun === 'contact'
      ? // Another address, and the id of 15 characters.
        {
          ...file,
          content: Buffer.from(
            file.content.toString().replace('dora@baecker', 'd.b@baecker').replace('0035g00000XyZaBAAV', '0035g00000XyZaB'),
          ),
        }
      : file,
  )

  const done = await importAll(key, newer)
  const { contacts } = await read(key, '{ contacts(first: 10) { nodes { id email lastName company { name } externalIds } } }')

  expect(done.map(counts)).toEqual([
    ['completed', 0, 0, 2, 0],
    ['completed', 0, 1, 1, 0],
    ['completed', 0, 0, 1, 0],
  ])
  expect(contacts.nodes.map(({ email, company, externalIds }: Json) => [email, company.name, externalIds.salesforce]).toSorted()).toEqual([
    [null, 'Sud SARL', '0035g00000XyZaCAAV'],
    ['d.b@baecker.example', 'Bäcker & Söhne', '0035g00000XyZaBAAV'],
  ])
  const answer = await app.rest('GET', `/api/crm/v1/contacts/${contacts.nodes[0].id}/external-ids`, { key })
  expect(answer).toMatchObject({ status: 200, body: { external_ids: contacts.nodes[0].externalIds } })
})

test('pipelines and stages that are unknown are asked, and a choice is taken', async () => {
  const key = await keyWithCurrency()
  const [, , deals] = hubspot
  if (!deals) throw new Error('no deals')
  const { pipelines } = await read(key, '{ pipelines { id stages { id name } } }')
  const lead = pipelines[0].stages.find(({ name }: Json) => name === 'Lead').id
  const content = Buffer.from(deals.content.toString().replace('Trucks,Proposal,', 'Trucks,Demo booked,'))
  const { id, columns } = await uploaded(key, content)
  const column = columns.findIndex(({ name }: Json) => name === 'Deal Stage')

  const { body } = await app.rest('POST', `${imports}/${id}/check`, { key })
  const values = [{ column, value: 'Demo booked', to: lead }]
  await app.rest('POST', `${imports}/${id}/start`, { key, body: { values } })
  await ended(key, id)

  expect(body.unknown_values.filter((one: Json) => one.column === column).map(({ value, field }: Json) => [value, field])).toEqual([
    ['Demo booked', 'stage_id'],
    ['Closed Won', 'stage_id'],
    ['Closed Lost', 'stage_id'],
  ])
  const { deals: found } = await read(key, '{ deals(first: 10) { nodes { title stage { name } } } }')
  expect(found.nodes.find(({ title }: Json) => title === 'Trucks').stage.name).toBe('Lead')
})

describe('an import of several files', () => {
  test('ends as a whole, and a file that waits is taken out alone', async () => {
    const key = await keyWithCurrency()
    const [first, second, third] = await uploadAll(key, hubspot.slice(0, 3))

    const out = await app.rest('POST', `${imports}/${second.id}/cancel`, { key })
    const files = await app.rest('GET', `${imports}/${first.id}/files`, { key })
    await app.rest('POST', `${imports}/${first.id}/cancel`, { key })

    expect(out.body.status).toBe('canceled')
    expect(files.body.data.map(({ id, part_of, status }: Json) => [id, part_of, status])).toEqual([
      [first.id, null, 'waiting'],
      [second.id, first.id, 'canceled'],
      [third.id, first.id, 'waiting'],
    ])
    expect((await app.rest('GET', `${imports}/${third.id}`, { key })).body.status).toBe('canceled')
  })

  test('is started at its first file, with settings of files that it has', async () => {
    const key = await keyWithCurrency()
    const [first, second] = await uploadAll(key, hubspot.slice(0, 2))
    const other = await uploaded(key, 'email\na@example.com\n')

    const part = await app.rest('POST', `${imports}/${second.id}/start`, { key })
    const stranger = await app.rest('POST', `${imports}/${first.id}/start`, { key, body: { files: [{ id: other.id }] } })
    const unknown = await upload(key, 'email\nb@example.com\n', `?part_of=${crypto.randomUUID()}`)

    expect([part.status, part.body.detail]).toEqual([409, `The file is a part of the import ${first.id}; start that one`])
    expect([stranger.status, stranger.body.detail[0].msg]).toEqual([422, 'Value error, the import has no file with this id'])
    expect(unknown.status).toBe(404)
  })

  test('rows without a record here are refused, and a name or a title is needed', async () => {
    const key = await keyWithCurrency()
    const notes = await uploaded(key, 'Record ID,Note body,Associated Contact IDs\n1,Hello,77\n')
    const companies = await uploaded(key, 'name,domain,city\n,one.example,Bonn\nTwo,two.example,Bonn\n', '?noun=company')

    for (const { id } of [notes, companies]) await app.rest('POST', `${imports}/${id}/start`, { key })
    const [hanging, nameless] = [await ended(key, notes.id), await ended(key, companies.id)]

    expect([counts(hanging), counts(nameless)]).toEqual([
      ['completed', 0, 0, 0, 1],
      ['completed', 1, 0, 0, 1],
    ])
  })
})
