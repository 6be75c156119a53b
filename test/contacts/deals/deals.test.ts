// Deals: their fields, deletion, upserts and history, and every bad input, through GraphQL and REST.

import { describe, expect, test } from 'vitest'
import { dealOrders } from '../../../src/contacts/deals/list/list.ts'
import { dealTable } from '../../../src/contacts/deals/row.ts'
import { pageOfRecords } from '../../../src/contacts/records/list/pages.sql.ts'
import { conforming } from '../../rest/conforming.ts'
import { type Json, openApp } from '../../support/app.ts'
import { clientIn, problemsOf, warm } from '../client.ts'
import { setCurrency } from '../companies/companies.ts'
import { add, change, creating, deals, deleting, listed, moving, read, restoring, seller, updating, upserting, wayOf } from './deals.ts'

const app = await openApp()
const rest = conforming(app)
const addCompany = async (on: Json, name = 'Engines Ltd'): Promise<string> =>
  (await on.data('mutation ($name: String!) { createCompany(input: { name: $name }) { id } }', { name })).createCompany.id

describe('a deal', () => {
  test('keeps every field as it is read, through both doors', async () => {
    const { on, userId, session, orgId, stages, pipelineId } = await seller(app)
    const [companyId, ada, bob] = [await addCompany(on), await on.create(), await on.create()]
    const deal = await add(on, {
      ...{ title: ' Engines for Leeds ', companyId, amount: '12500.5', currency: 'gbp', expectedClose: '2026-07-31', ownerUserId: userId },
      ...{ contacts: [{ contactId: bob.id, role: ' decides ' }, { contactId: ada.id }], tags: ['a', ' a '], externalId: 'x-1' },
      stageId: stages.proposal,
    })
    const { status, body } = await rest('GET', `${deals}/${deal.id}`, { session })

    expect(deal).toMatchObject({
      ...{ title: 'Engines for Leeds', amount: '12500.50', currency: 'GBP', expectedClose: '2026-07-31', tags: ['a'], custom: {} },
      ...{ pipelineId, stageId: stages.proposal, stage: { name: 'Proposal', kind: 'OPEN' }, company: { name: 'Engines Ltd' } },
      ...{
        contacts: [
          { contact: { id: bob.id }, role: 'decides' },
          { contact: { id: ada.id }, role: null },
        ],
      },
      ...{ wonAt: null, lostAt: null, lostReason: null, isStale: false, source: 'WEB', version: 1, deletedAt: null, externalId: 'x-1' },
    })
    expect(deal.owner).not.toBeNull()
    expect(await read(on, deal.id)).toEqual(deal)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      ...{ org_id: orgId, pipeline_id: pipelineId, stage_id: stages.proposal, company_id: companyId, amount: '12500.50', currency: 'GBP' },
      ...{ expected_close: '2026-07-31', contacts: [{ contact: { id: bob.id }, role: 'decides' }, {}], is_stale: false, source: 'web' },
    })
  })

  test('begins in the first open stage of the first pipeline, or of the named one', async () => {
    const { on, stages, pipelineId } = await seller(app)
    const { createPipeline: second } = await on.data('mutation { createPipeline(input: { name: "Partners" }) { id stages { id name } } }')
    const [usual, inSecond] = [await add(on), await add(on, { pipelineId: second.id })]

    expect(usual).toMatchObject({ pipelineId, stageId: stages.lead })
    expect(inSecond).toMatchObject({ pipelineId: second.id, stageId: second.stages[0].id })
    expect(await wayOf(on, usual.id)).toEqual([{ fromName: null, toName: 'Lead', changedBy: { type: 'USER' } }])
  })

  test('is changed at the version that the caller expects, and not written where nothing differs', async () => {
    const { on } = await seller(app)
    const ada = await on.create()
    const { id } = await add(on, { tags: ['a'], contacts: [{ contactId: ada.id }] })
    const changed = await change(on, { id, ifVersion: 1, title: 'Boilers', addTags: ['b'], removeTags: ['a'], contacts: [] })
    const same = await change(on, { id, tags: ['b'], title: 'Boilers', contacts: [] })
    const stale = await on.error(updating, { input: { id, ifVersion: 1, title: 'Late' } })

    expect(changed).toMatchObject({ title: 'Boilers', tags: ['b'], contacts: [], version: 2 })
    expect(same).toMatchObject({ version: 2 })
    expect(stale).toMatchObject({ code: 'PRECONDITION_FAILED', version: 2 })
    expect(await read(on, id)).toEqual(same)
  })

  test('of another organization does not exist', async () => {
    const [{ on }, { on: other }] = [await seller(app), await seller(app)]
    const { id } = await add(on)

    for (const [query, variables] of [
      ['query ($id: ID!) { deal(id: $id, includeDeleted: true) { id } }', { id }],
      [updating, { input: { id, title: 'Mine' } }],
      [moving, { input: { id } }],
      [deleting, { input: { id } }],
      [restoring, { id }],
    ] as const)
      expect(await other.error(query, variables)).toMatchObject({ code: 'NOT_FOUND' })
  })

  test('that is deleted is in no list, keeps its place, and can be restored', async () => {
    const { on, stages } = await seller(app)
    const { id } = await add(on, { title: 'Gone' })
    await add(on, { title: 'Here' })
    await on.data(deleting, { input: { id, ifVersion: 1 } })
    const lists = [await listed(on, 'first: 5'), await listed(on, 'filter: { onlyDeleted: true }')]
    const errors = [await on.error(updating, { input: { id, title: 'X' } }), await on.error(moving, { input: { id, stageId: stages.won } })]
    const { restoreDeal: restored } = await on.data(restoring, { id })

    expect(lists).toEqual([['Here'], ['Gone']])
    expect(errors).toMatchObject([{ code: 'NOT_FOUND' }, { code: 'NOT_FOUND' }])
    expect(restored).toMatchObject({ deletedAt: null, version: 3 })
    expect((await on.data(restoring, { id })).restoreDeal).toEqual(restored)
  })
})

describe('bad input', () => {
  const nobody = '019a0000-0000-7000-8000-000000000000'
  const sentences: readonly (readonly [string, Json, string])[] = [
    ['a blank title', { title: ' ' }, 'title: String should have at least 1 character'],
    [
      'a currency that does not exist',
      { amount: '1', currency: 'XYZ' },
      'currency: Value error, it is not a currency code of ISO 4217, such as EUR',
    ],
    ['more decimals than euros have', { amount: '1.005', currency: 'EUR' }, 'amount: Value error, amounts of EUR have at most 2 decimals'],
    ['decimals of yen', { amount: '1.5', currency: 'JPY' }, 'amount: Value error, amounts of JPY have no decimals'],
    ['a negative amount', { amount: '-5', currency: 'EUR' }, 'amount: Value error, it is not an amount'],
    ['a currency without an amount', { currency: 'EUR' }, 'currency: Value error, a currency needs an amount: send amount as well'],
    ['an amount without any currency', { amount: '1' }, 'currency: Value error, an amount needs a currency, and the organization has none'],
    ['a company that does not exist', { companyId: nobody }, 'companyId: Value error, no company has this id'],
    ['a company that is no id', { companyId: 'x' }, 'companyId: Value error, no company has this id'],
    ['a contact that does not exist', { contacts: [{ contactId: nobody }] }, 'contacts.0.contactId: Value error, no contact has this id'],
    [
      'a long role',
      { contacts: [{ contactId: nobody, role: 'x'.repeat(101) }] },
      'contacts.0.role: String should have at most 100 characters',
    ],
    ['a stranger as the owner', { ownerUserId: 'usr_nobody' }, 'ownerUserId: Value error, no member of the organization has this id'],
    ['a custom field that is not defined', { custom: { size: 1 } }, 'custom.size: Extra inputs are not permitted'],
    ['a reason of a deal that is open', { lostReason: 'Price' }, 'lostReason: Value error, only a lost deal has a reason'],
  ]

  test.for(sentences)('%s is refused with a sentence, and nothing is written', async ([, input, sentence]) => {
    const { on } = await seller(app)
    const { id } = await add(on, { title: 'Before' })
    const created = problemsOf(await on.error(creating, { input: { title: 'Engines', ...input } }))
    const changed = problemsOf(await on.error(updating, { input: { id, ...input } }))

    expect(created).toEqual([expect.stringContaining(sentence)])
    expect(changed).toEqual(created)
    expect(await listed(on, 'first: 5')).toEqual(['Before'])
    expect(await read(on, id)).toMatchObject({ version: 1 })
  })

  test('records of another organization do not exist, and neither does a stage of another pipeline', async () => {
    const [{ on, pipelineId }, theirs] = [await seller(app), await seller(app)]
    const { createPipeline: second } = await on.data('mutation { createPipeline(input: { name: "Second" }) { id stages { id } } }')
    const refused = async (input: Json) => problemsOf(await on.error(creating, { input: { title: 'A', ...input } }))
    const contact = await theirs.on.create()

    expect(await refused({ companyId: await addCompany(theirs.on) })).toEqual(['companyId: Value error, no company has this id'])
    expect(await refused({ contacts: [{ contactId: contact.id }] })).toEqual(['contacts.0.contactId: Value error, no contact has this id'])
    expect(await refused({ stageId: theirs.stages.lead })).toEqual(['stageId: Value error, no stage has this id'])
    expect(await refused({ pipelineId: theirs.pipelineId })).toEqual(['pipelineId: Value error, no pipeline has this id'])
    expect(await refused({ pipelineId, stageId: second.stages[0].id })).toEqual(['stageId: Value error, it is a stage of another pipeline'])
    expect(await refused({ contacts: [{ contactId: 'x' }, { contactId: 'X' }] })).toEqual([
      ...['contacts.1.contactId: Value error, name each contact once', 'contacts.0.contactId: Value error, no contact has this id'],
    ])
    expect(await listed(on, 'first: 5')).toEqual([])
  })

  test('amounts are in the currency of the organization unless another is given', async () => {
    const { on } = await seller(app)
    await setCurrency(on, 'EUR')
    const deal = await add(on, { amount: '007.5' })
    const dinars = await change(on, { id: deal.id, amount: '1.125', currency: 'KWD' })
    const refused = problemsOf(await on.error(updating, { input: { id: deal.id, currency: 'EUR' } }))
    const none = await change(on, { id: deal.id, amount: null })

    expect([deal, dinars, none].map(({ amount, currency }) => [amount, currency])).toEqual([
      ['7.50', 'EUR'],
      ['1.125', 'KWD'],
      [null, null],
    ])
    expect(refused).toEqual(['amount: Value error, amounts of EUR have at most 2 decimals'])
  })
})

describe('deals', () => {
  test('are filtered and sorted', async () => {
    const { on, userId, stages, pipelineId } = await seller(app)
    const [companyId, ada] = [await addCompany(on), await on.create()]
    await add(on, { title: 'Érable', companyId, amount: '5', currency: 'EUR', tags: ['a', 'b'], expectedClose: '2026-07-31' })
    await add(on, { title: 'beta', stageId: stages.won, ownerUserId: userId, tags: ['b'], externalId: 'x' })
    await add(on, { title: 'Alpha', stageId: stages.lost, lostReason: 'Price', contacts: [{ contactId: ada.id }] })
    const by = (filter: string) => listed(on, `filter: { ${filter} }, sort: TITLE`)

    expect(await by('q: "erable"')).toEqual(['Érable'])
    expect(await by('titleContains: ["ERAB", "lph"]')).toEqual(['Alpha', 'Érable'])
    expect(await by('state: OPEN')).toEqual(['Érable'])
    expect(await by('state: WON')).toEqual(['beta'])
    expect(await by('state: LOST')).toEqual(['Alpha'])
    expect(await by(`pipelineId: "${pipelineId}"`)).toHaveLength(3)
    expect(await by(`stageIdIn: ["${stages.won}", "${stages.lost}"]`)).toEqual(['Alpha', 'beta'])
    expect(await by('stageIdIn: ["x"]')).toEqual([])
    expect(await by(`companyIdIn: ["${companyId}"]`)).toEqual(['Érable'])
    expect(await by(`contactId: "${ada.id}"`)).toEqual(['Alpha'])
    expect(await by(`ownerUserId: "${userId}"`)).toEqual(['beta'])
    expect(await by('currency: "EUR"')).toEqual(['Érable'])
    expect(await by('tagAll: ["a", "b"]')).toEqual(['Érable'])
    expect(await by('externalIdIn: "x"')).toEqual(['beta'])
    expect(await by('expectedSince: "2026-07-31", expectedUntil: "2026-07-31"')).toEqual(['Érable'])
    expect(await by('expectedUntil: "2026-07-30"')).toEqual([])
    expect(await by('empty: [AMOUNT, TAGS]')).toEqual(['Alpha'])
    expect(await by('notEmpty: [LOST_REASON]')).toEqual(['Alpha'])
    expect(await listed(on, 'sort: TITLE_DESC')).toEqual(['Érable', 'beta', 'Alpha'])
  })

  test('are sorted by amount, as people read it, and by expected close, page by page', async () => {
    const { on } = await seller(app)
    await add(on, { title: 'Bare' })
    await add(on, { title: 'Euros', amount: '15.50', currency: 'EUR', expectedClose: '2026-12-01' })
    await add(on, { title: 'Yen', amount: '1200', currency: 'JPY', expectedClose: '2026-11-01' })
    await add(on, { title: 'Dinars', amount: '11.125', currency: 'KWD', expectedClose: '2027-01-31' })
    const paged = async (sort: string, size: number) => {
      const titles: string[] = []
      for (let after = 'null'; ; ) {
        const { nodes, pageInfo } = (
          await on.data(`{ deals(sort: ${sort}, first: ${size}, after: ${after}) { nodes { title } pageInfo { hasNextPage endCursor } } }`)
        ).deals
        titles.push(...nodes.map(({ title }: Json) => title))
        if (!pageInfo.hasNextPage) return titles
        after = `"${pageInfo.endCursor}"`
      }
    }
    const orders = {
      AMOUNT: ['Bare', 'Dinars', 'Euros', 'Yen'],
      AMOUNT_DESC: ['Yen', 'Euros', 'Dinars', 'Bare'],
      EXPECTED_CLOSE: ['Yen', 'Euros', 'Dinars', 'Bare'],
      EXPECTED_CLOSE_DESC: ['Bare', 'Dinars', 'Euros', 'Yen'],
    }
    for (const [sort, titles] of Object.entries(orders))
      for (const size of [1, 2, 10]) expect([sort, size, await paged(sort, size)]).toEqual([sort, size, titles])

    const cursor = (await on.data('{ deals(sort: AMOUNT, first: 1) { pageInfo { endCursor } } }')).deals.pageInfo.endCursor
    const [fingerprint, , id] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    for (const key of ['x', '1e9', 'NaN', "1'"]) {
      const forged = Buffer.from(JSON.stringify([fingerprint, key, id])).toString('base64url')
      const answer = await on.error(`{ deals(sort: AMOUNT, after: "${forged}") { nodes { id } } }`)
      expect(problemsOf(answer)).toEqual(['after: Value error, the cursor was not returned by this API'])
    }
  })

  test('are read in the order of an index, whatever they are sorted by', async () => {
    const { orgId } = await seller(app)
    const { pool } = app.services.database
    const client = await pool.connect()
    try {
      await client.query('begin')
      await client.query('set local enable_seqscan = off; set local enable_bitmapscan = off; set local enable_sort = off')
      for (const sort of ['title', 'amount', 'amount_desc', 'expected_close', 'expected_close_desc'] as const) {
        const page = { size: 50, start: null, isBackward: false }
        const { text } = pageOfRecords('deals', dealOrders[sort], { conditions: [], kind: 'live' }, page, dealTable.all)
        const { rows } = await client.query(`explain ${text}`, [orgId])
        const plan = rows.map((row: Json) => row['QUERY PLAN']).join('\n')
        expect([sort, /Index Scan (Backward )?using deals_by_(title|amount|close)/.test(plan), plan.includes('Sort')]).toEqual([
          sort,
          true,
          false,
        ])
      }
    } finally {
      await client.query('rollback')
      client.release()
    }
  })

  test('of a contact and of a company are theirs, and their timelines tell of them', async () => {
    const { on } = await seller(app)
    const [companyId, ada] = [await addCompany(on), await on.create()]
    const { id } = await add(on, { title: 'First', companyId, contacts: [{ contactId: ada.id }] })
    await add(on, { title: 'Second', companyId })
    await change(on, { id, title: 'Renamed' })
    const { company, contact, deal } = await on.data(
      `query ($companyId: ID!, $contactId: ID!, $id: ID!) {
         company(id: $companyId) { deals { title } timeline { nodes { type } } }
         contact(id: $contactId) { deals { title } }
         deal(id: $id) { timeline { nodes { type event { __typename } } } }
       }`,
      { companyId, contactId: ada.id, id },
    )

    expect(company.deals).toEqual([{ title: 'Second' }, { title: 'Renamed' }])
    expect(company.timeline.nodes.map(({ type }: Json) => type)).toEqual([
      'DEAL_UPDATED',
      'DEAL_CREATED',
      'DEAL_CREATED',
      'COMPANY_CREATED',
    ])
    expect(contact.deals).toEqual([{ title: 'Renamed' }])
    expect(deal.timeline.nodes).toEqual([
      { type: 'DEAL_UPDATED', event: { __typename: 'DealChangedEntry' } },
      { type: 'DEAL_CREATED', event: { __typename: 'DealCreatedEntry' } },
    ])
  })

  test('take one statement a page, and one more each for companies, contacts and stages', async () => {
    const { on } = await seller(app)
    const [companyId, ada] = [await addCompany(on), await on.create()]
    for (const title of ['a', 'b', 'c']) await add(on, { title, companyId, contacts: [{ contactId: ada.id }] })
    await warm(app, on)
    await on.data('{ deals(first: 3) { nodes { title amount } } }')
    const page = app.statements()
    await on.data('{ deals(first: 3) { nodes { title isStale stage { name } company { name } contacts { role contact { firstName } } } } }')
    const nested = app.statements()

    expect([page, nested]).toEqual([1, 4])
  })

  test('are found by the search, as somebody types', async () => {
    const on = await clientIn(app)
    const { id } = await add(on, { title: 'Müller Möbel' })
    await add(on, { title: 'Elsewhere' })
    const search = async (query: string) =>
      (await on.data('query ($q: String!) { search(query: $q, types: [DEAL]) { nodes { entityId title } } }', { q: query })).search.nodes

    for (const query of ['mull', 'möbel müller', 'mo'])
      expect(await search(query), query).toEqual([{ entityId: id, title: 'Müller Möbel' }])
    expect(await search('nobody')).toEqual([])
  })

  test('have custom fields of their own', async () => {
    const { on } = await seller(app)
    await on.data('mutation { createCustomField(input: { noun: DEAL, key: "size", label: "Size", type: NUMBER }) { id } }')

    expect((await add(on, { custom: { size: 5 } })).custom).toEqual({ size: 5 })
    expect(await listed(on, 'filter: { custom: [{ key: "size", min: 5 }] }')).toEqual(['Engines'])
  })
})

describe('upsertDeal', () => {
  test('finds by the external id, moves, skips, and adds what it does not find', async () => {
    const { on, stages } = await seller(app)
    const upsert = async (input: Json): Promise<Json> => (await on.data(upserting, { input })).upsertDeal
    const made = await upsert({ externalId: '1', title: 'Engines' })
    const moved = await upsert({ externalId: '1', tags: ['x'], stageId: stages.lost, lostReason: 'Price' })
    const skipped = await upsert({ externalId: '1', title: 'Other', onConflict: 'SKIP' })

    expect([made, moved, skipped].map(({ outcome }) => outcome)).toEqual(['CREATED', 'UPDATED', 'SKIPPED'])
    expect(moved.deal).toMatchObject({ id: made.deal.id, title: 'Engines', tags: ['x'], stageId: stages.lost, lostReason: 'Price' })
    expect(skipped.deal).toMatchObject({ title: 'Engines' })
    expect(problemsOf(await on.error(upserting, { input: { title: 'A' } }))).toEqual([
      'externalId: Value error, a deal is found by its external id: send it',
    ])
    expect(problemsOf(await on.error(upserting, { input: { externalId: '2' } }))).toEqual(['title: Field required'])
  })

  test('of ten at once, one adds and the others change', async () => {
    const on = await clientIn(app)
    const all = await Promise.all(
      Array.from(
        { length: 10 },
        async (_, n) => (await on.data(upserting, { input: { externalId: 'same', title: `No ${n}` } })).upsertDeal,
      ),
    )

    expect(all.filter(({ outcome }) => outcome === 'CREATED')).toHaveLength(1)
    expect(new Set(all.map(({ deal }) => deal.id)).size).toBe(1)
  })
})

describe('/api/crm/v1/deals', () => {
  test('adds, lists, changes, moves, deletes and restores', async () => {
    const { on, session, stages } = await seller(app)
    const added = await rest('POST', deals, {
      session,
      body: { title: 'Engines', amount: '5', currency: 'EUR', expected_close: '2026-07-31' },
    })
    const path = `${deals}/${added.body.id}`
    const changed = await rest('PATCH', path, { session, body: { title: 'Boilers', add_tags: ['x'] }, headers: { 'if-match': '"1"' } })
    const moved = await rest('POST', `${path}/move`, { session, body: { stage_id: stages.won }, headers: { 'if-match': '"2"' } })
    const stale = await rest('POST', `${path}/move`, { session, body: { stage_id: stages.lead }, headers: { 'if-match': '"2"' } })
    const list = await rest('GET', `${deals}?state=won&tag=x&include=total&sort=-title&stage_id=${stages.won}`, { session })
    const timeline = await rest('GET', `${path}/timeline`, { session })
    const deleted = await rest('DELETE', path, { session })
    const gone = await rest('GET', path, { session })
    const restored = await rest('POST', `${path}/restore`, { session })

    expect(added).toMatchObject({ status: 201, body: { amount: '5.00', stage_id: stages.lead, version: 1 } })
    expect(added.headers.get('location')).toBe(path)
    expect(changed).toMatchObject({ status: 200, body: { title: 'Boilers', tags: ['x'], version: 2 } })
    expect(moved).toMatchObject({ status: 200, body: { stage_id: stages.won, won_at: expect.any(String), version: 3 } })
    expect(stale).toMatchObject({
      ...{
        status: 409,
        body: { code: 'conflict', yours: { version: 2, stage_id: stages.lead }, theirs: { version: 3, stage_id: stages.won } },
      },
    })
    expect(list.body).toMatchObject({ data: [{ id: added.body.id }], total: 1 })
    expect(timeline.body.data.map(({ type }: Json) => type)).toEqual(['deal.moved', 'deal.updated', 'deal.created'])
    expect(deleted).toMatchObject({ status: 200, body: { deleted_at: expect.any(String) } })
    expect(gone.status).toBe(404)
    expect(restored).toMatchObject({ status: 200, body: { deleted_at: null } })
    expect(await listed(on, 'first: 5')).toEqual(['Boilers'])
  })
})
