// Companies of the contacts that were there before contacts had companies.

import { expect, test } from 'vitest'
import { makeCompaniesOfContacts } from '../../../../src/contacts/contact/company/backfill/backfill.ts'
import { type Json, openApp } from '../../../support/app.ts'
import { owner } from './companies-of-contacts.ts'

const app = await openApp()
const { pool } = app.services.database

/** An organization from before, with contacts that have no companies. */
async function before(words: readonly (readonly [name: string | null, domain: string | null])[]) {
  const mine = await owner(app)
  const { rest, orgId } = mine
  const rows = words.map(([, domain], index) => ({ email: `p${index}@mail.example`, external_id: String(index), tags: [domain ?? 'none'] }))
  for (let from = 0; from < rows.length; from += 100) await rest('POST', '/contacts/batch', { contacts: rows.slice(from, from + 100) })
  await pool.query(
    `update contacts set company_name = given.name, company_domain = given.domain
     from unnest($2::text[], $3::text[], $4::text[]) as given (external_id, name, domain)
     where org_id = $1 and contacts.external_id = given.external_id`,
    [orgId, words.map((_one, index) => String(index)), words.map(([name]) => name), words.map(([, domain]) => domain)],
  )
  await pool.query('insert into company_backfills (org_id) values ($1) on conflict (org_id) do update set pass = 1, finished_at = null', [
    orgId,
  ])
  const contacts = async (): Promise<Json[]> => {
    const all = []
    for (let cursor = ''; ; ) {
      const { body } = await rest('GET', `/contacts?sort=created_at&limit=100${cursor}`)
      all.push(...body.data)
      if (!body.has_more) break
      cursor = `&cursor=${body.next_cursor}`
    }
    return all.toSorted((one: Json, other: Json) => Number(one.external_id) - Number(other.external_id))
  }
  return { ...mine, contacts }
}
const withoutLinks = (contacts: Json[]) => contacts.map(({ company_id: _, ...contact }) => contact)
const nameOf = async (mine: Awaited<ReturnType<typeof before>>, contact: Json) =>
  contact.company_id === null ? null : (await mine.rest('GET', `/companies/${contact.company_id}`)).body.name

test('makes and finds companies, and changes no value that a client reads', async () => {
  const mine = await before([
    ['Engines', null],
    ['Engines', 'engines.example'],
    ['ENGINES', 'engines.example'],
    [null, 'engines.example'],
    ['Engines Ltd', 'engines.example'],
    [null, 'looms.example'],
    ['Looms', null],
    ['Weavers', 'gmail.com'],
    ['Engines', 'gmail.com'],
    [null, 'gmail.com'],
    [null, null],
    ['Ours', null],
    ['Ours', 'ours.example'],
  ])
  const ours = await mine.company({ name: 'Ours' })
  const former = await mine.contacts()
  const [{ total }] = (
    await pool.query('select count(*)::int as total from events where org_id = $1 and entity = $2', [mine.orgId, 'contact'])
  ).rows
  await makeCompaniesOfContacts(app.services)
  const after = await mine.contacts()
  const names = await Promise.all(after.map(one => nameOf(mine, one)))
  const [{ total: events }] = (
    await pool.query('select count(*)::int as total from events where org_id = $1 and entity = $2', [mine.orgId, 'contact'])
  ).rows

  expect(withoutLinks(after)).toEqual(withoutLinks(former))
  expect(events).toBe(total)
  expect(names).toEqual([
    ...['Engines', 'Engines', 'Engines', 'Engines', null],
    ...['looms.example', 'Looms', 'Weavers', null, null, null],
    ...['Ours', 'Ours'],
  ])
  expect(new Set(after.slice(0, 4).map(({ company_id }) => company_id)).size).toBe(1)
  expect(after[11].company_id).toBe(ours.id)
  expect(await mine.companies()).toEqual([
    ['Engines', 'engines.example'],
    ['Looms', null],
    ['looms.example', 'looms.example'],
    ['Ours', null],
    ['Weavers', null],
  ])
})

test('is continued after a worker ended, and makes each company once beside another worker and writers', async () => {
  const mine = await before(
    Array.from({ length: 1300 }, (_one, index) => [`Company ${index % 300}`, index % 2 === 0 ? `c${index % 300}.example` : null]),
  )
  const stop = new AbortController()
  const stopped = makeCompaniesOfContacts(app.services, stop.signal).catch((error: Error) => error.name)
  await expect
    .poll(async () => (await pool.query('select contact_id from company_backfills where org_id = $1', [mine.orgId])).rows[0].contact_id)
    .not.toBeNull()
  stop.abort()
  const ended = await stopped
  const writing = Array.from({ length: 20 }, (_one, index) => mine.add({ companyName: `Company ${index}` }))
  await Promise.all([makeCompaniesOfContacts(app.services), makeCompaniesOfContacts(app.services), ...writing])
  const companies = (await pool.query('select name from companies where org_id = $1', [mine.orgId])).rows.map(({ name }: Json) => name)

  expect(ended).toBe('AbortError')
  expect([companies.length, new Set(companies).size]).toEqual([300, 300])
  expect((await mine.contacts()).filter(({ company_id }) => company_id === null)).toEqual([])
  expect(await makeCompaniesOfContacts(app.services)).toBe(false)
})

test('does not follow a company until it is changed; then the contacts say what it says', async () => {
  const mine = await before([
    ['ENGINES', 'engines.example'],
    ['Engines', 'engines.example'],
  ])
  await mine.company({ name: 'Engines', domain: 'engines.example' })
  await makeCompaniesOfContacts(app.services)
  const linked = await mine.contacts()
  await mine.rest('PATCH', `/companies/${linked[0].company_id}`, { industry: 'Steam' })
  const same = await mine.contacts()
  await mine.rest('PATCH', `/companies/${linked[0].company_id}`, { name: 'Motors' })

  expect(same.map(({ company_name }) => company_name)).toEqual(['ENGINES', 'Engines'])
  expect((await mine.contacts()).map(({ company_name }) => company_name)).toEqual(['Motors', 'Motors'])
})
