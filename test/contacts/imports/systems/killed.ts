// Imports three linked files while the worker is killed: among the contacts, or among the deals, or both.

import { expect } from 'vitest'
import { type Json, startApp } from '../../../support/app.ts'
import { workersOf } from '../../../support/servers/workers.ts'

const imports = '/api/crm/v1/imports'

export interface Sizes {
  companies: number
  contacts: number
  deals: number
}

const filesOf = ({ companies, contacts, deals }: Sizes): [name: string, lines: string[]][] => [
  [
    'companies.csv',
    [
      'Record ID,Company name,Company Domain Name',
      ...Array.from({ length: companies }, (_, n) => `${n},Company ${n},company-${n}.example`),
    ],
  ],
  [
    'contacts.csv',
    [
      'Record ID,First Name,Last Name,Email,Associated Company IDs',
      ...Array.from({ length: contacts }, (_, n) => `${n},Person,Number ${n},person-${n}@people.example,${n % companies}`),
    ],
  ],
  [
    'deals.csv',
    [
      'Record ID,Deal Name,Deal Stage,Amount,Associated Company IDs,Associated Contact IDs',
      ...Array.from({ length: deals }, (_, n) => `${n},Deal ${n},Proposal,,${n % companies},${n % contacts};${(n + 1) % contacts}`),
    ],
  ],
]

/** Asserts that every row is one record, linked as its file says, and that the same files again change nothing. */
export async function importKilled(sizes: Sizes, among: readonly ('contacts' | 'deals')[], timeoutMs: number): Promise<void> {
  const server = await startApp({ env: { ROLES: 'web,api,session' } })
  const { key, orgId } = await server.given.apiKey()
  const { children, startWorker } = workersOf(server)
  const read = async (id: string): Promise<Json> => (await server.rest('GET', `${imports}/${id}`, { key })).body
  const headers = { 'content-type': 'text/csv' }
  const upload = async (): Promise<string[]> => {
    const ids: string[] = []
    for (const [name, lines] of filesOf(sizes)) {
      const part = ids[0] ? `&part_of=${ids[0]}` : ''
      ids.push((await server.rest('POST', `${imports}?file_name=${name}${part}`, { key, body: lines.join('\n'), headers })).body.id)
    }
    return ids
  }
  const until = (id: string, isReached: (row: Json) => boolean) =>
    expect.poll(async () => isReached(await read(id)), { timeout: timeoutMs, interval: 20 }).toBe(true)
  try {
    const ids = await upload()
    const [first = '', contacts = '', deals = ''] = ids
    let worker = await startWorker()
    await server.rest('POST', `${imports}/${first}/start`, { key, body: {} })
    for (const noun of among) {
      const id = noun === 'contacts' ? contacts : deals
      await until(id, ({ row_count }) => row_count > 0)
      worker.kill('SIGKILL')
      expect((await read(id)).status).toBe('running')
      worker = await startWorker()
    }
    await until(deals, ({ status }) => status === 'completed')
    const again = await upload()
    await server.rest('POST', `${imports}/${again[0]}/start`, { key, body: {} })
    await until(again[2] ?? '', ({ status }) => status === 'completed')

    const counts = async (all: readonly string[]) =>
      (await Promise.all(all.map(read))).map(({ created_count, updated_count, skipped_count, refused_count }) => [
        ...[created_count, updated_count, skipped_count, refused_count],
      ])
    expect(await counts(ids)).toEqual(Object.values(sizes).map(rows => [rows, 0, 0, 0]))
    expect(await counts(again)).toEqual(Object.values(sizes).map(rows => [0, 0, rows, 0]))
    const { rows } = await server.services.database.pool.query(
      `select (select count(*)::int from companies where org_id = $1) as companies,
         (select count(*)::int from contacts where org_id = $1) as contacts,
         (select count(*)::int from deals where org_id = $1) as deals,
         (select count(*)::int from external_ids where org_id = $1) as ids,
         (select count(*)::int from contacts c join companies o on o.id = c.company_id
          where c.org_id = $1 and o.name = 'Company ' || (replace(c.last_name, 'Number ', '')::int % $2)) as linked_contacts,
         (select count(*)::int from deals d join companies o on o.id = d.company_id
          where d.org_id = $1 and o.name = 'Company ' || (replace(d.title, 'Deal ', '')::int % $2)) as linked_deals,
         (select count(*)::int from deal_contacts where org_id = $1) as people`,
      [orgId, sizes.companies],
    )
    const all = sizes.companies + sizes.contacts + sizes.deals
    expect(rows).toEqual([{ ...sizes, ids: all, linked_contacts: sizes.contacts, linked_deals: sizes.deals, people: 2 * sizes.deals }])
  } finally {
    for (const child of children) child.kill('SIGKILL')
    await server.close()
  }
}
