// Companies of contacts that are merged, and of changes that are taken back.

import { describe, expect, test } from 'vitest'
import { openApp } from '../../../support/app.ts'
import { importsIn } from '../../imports/files.ts'
import { owner, wordsOf } from './companies-of-contacts.ts'

const app = await openApp({ env: { ROLES: 'web,api,session,worker' } })
const crm = '/api/crm/v1'

describe('a merge', () => {
  const merging = 'mutation ($input: MergeContactsInput!) { mergeContacts(input: $input) { mergeId } }'
  const undoing = 'mutation ($id: ID!) { undoMerge(input: { mergeId: $id }) { undoneAt } }'

  test('keeps the company of the survivor as a whole', async () => {
    const { add, on, read } = await owner(app)
    const winner = await add({ companyName: 'Engines' })
    const loser = await add({ companyName: 'Looms', companyDomain: 'looms.example' })
    await on.data(merging, { input: { winnerId: winner.id, loserId: loser.id } })

    expect(wordsOf(await read(winner.id))).toEqual(['Engines', null, 'Engines'])
  })

  test('takes the other company where the survivor has none or the input says so, and its undo gives the former one back, as it is then', async () => {
    const { add, on, read, rest } = await owner(app)
    const [empty, linked] = [await add(), await add({ companyName: 'Engines', companyDomain: 'engines.example' })]
    const loser = await add({ companyName: 'Looms', companyDomain: 'looms.example' })
    const first = await on.data(merging, { input: { winnerId: empty.id, loserId: loser.id } })
    const taken = await read(empty.id)
    const second = await on.data(merging, { input: { winnerId: linked.id, loserId: empty.id, fields: { companyName: 'LOSER' } } })
    const chosen = await read(linked.id)
    await rest('PATCH', `/companies/${linked.companyId}`, { name: 'Motors' })
    await rest('PATCH', `/companies/${loser.companyId}`, { name: 'Weavers' })
    await on.data(undoing, { id: second.mergeContacts.mergeId })
    const back = await read(linked.id)
    await on.data(undoing, { id: first.mergeContacts.mergeId })

    expect([taken, chosen, back].map(wordsOf)).toEqual([
      ['Looms', 'looms.example', 'Looms'],
      ['Looms', 'looms.example', 'Looms'],
      ['Motors', 'engines.example', 'Motors'],
    ])
    expect([wordsOf(await read(empty.id)), wordsOf(await read(loser.id))]).toEqual([
      [null, null, null],
      ['Weavers', 'looms.example', 'Weavers'],
    ])
  })

  test('that is undone keeps a company that somebody has chosen since', async () => {
    const { add, change, on, read } = await owner(app)
    const [winner, loser] = [await add(), await add({ companyName: 'Looms' })]
    const { mergeContacts } = await on.data(merging, { input: { winnerId: winner.id, loserId: loser.id } })
    await change(winner.id, { companyName: 'Engines' })
    await on.data(undoing, { id: mergeContacts.mergeId })

    expect([wordsOf(await read(winner.id)), wordsOf(await read(loser.id))]).toEqual([
      ['Engines', null, 'Engines'],
      ['Looms', null, 'Looms'],
    ])
  })
})

test('an import finds and makes companies, changes nothing when it is repeated, and its undo gives the former ones back', async () => {
  const { imported } = importsIn(app)
  const { key } = await app.given.apiKey()
  const rest = (method: string, path: string, body?: object) => app.rest(method, `${crm}${path}`, { key, body })
  const engines = (await rest('POST', '/companies', { name: 'Engines', domain: 'engines.example' })).body
  await rest('POST', '/contacts', { email: 'old@mail.example', company_id: engines.id })
  const file = [
    'Email,Company,Website,Company ID',
    'old@mail.example,Looms,https://www.looms.example/,',
    'new@mail.example,LOOMS,looms.example,',
    `named@mail.example,Somebody,,${engines.id}`,
    'free@mail.example,,gmail.com,',
  ].join('\n')
  const words = async () => {
    const { data } = (await rest('GET', '/contacts?sort=email')).body
    return data.map((one: Record<string, string>) => [one.email?.split('@')[0], one.company_name, one.company_domain, one.version])
  }
  const done = await imported(key, file, { on_conflict: 'update' })
  const first = await words()
  const again = await imported(key, file, { on_conflict: 'update' })
  const second = await words()
  await rest('PATCH', `/companies/${engines.id}`, { name: 'Motors' })
  await rest('POST', `/imports/${done.id}/undo`)
  await expect.poll(async () => (await rest('GET', `/imports/${done.id}`)).body.undo?.status, { timeout: 20_000 }).toBe('completed')

  expect([done.created_count, done.updated_count, done.refused_count, again.refused_count]).toEqual([3, 1, 0, 0])
  expect(first).toEqual([
    ['free', null, 'gmail.com', 1],
    ['named', 'Engines', 'engines.example', 1],
    ['new', 'LOOMS', 'looms.example', 1],
    ['old', 'LOOMS', 'looms.example', 2],
  ])
  expect(second).toEqual(first)
  expect(
    (await rest('GET', '/contacts?sort=email')).body.data.find(({ email }: { email: string }) => email.startsWith('old')),
  ).toMatchObject({
    ...{ company_id: engines.id, company_name: 'Motors', company_domain: 'engines.example' },
  })
})
