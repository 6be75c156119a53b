// Bulk changes: tags, owner, deletion and enrichment of chosen contacts, or of all that match; canceled and taken back.

import { describe, expect, test } from 'vitest'
import { nextBatch, reviveDates } from '../../../src/contacts/bulk/selection.ts'
import { type Json, openApp } from '../../support/app.ts'
import { type Ask, asking, counts, done, ended, organizationIn } from './changing.ts'

const app = await openApp({ env: { ROLES: 'web,api,session,worker' } })
// Without a worker: what is queued stays queued.
const idle = await openApp()

const organization = (on = app) => organizationIn(on)
const tagsOf = async (ask: Ask) =>
  (await ask('{ contacts(sort: EMAIL) { nodes { tags version ownerUserId } } }')).contacts.nodes.map(({ tags }: Json) => tags)

describe('updateContactsInBulk', () => {
  test('changes all that match, each with its version and event, and nobody else', async () => {
    const { ask, create } = await organization()
    const many = Array.from({ length: 60 }, (_, index) =>
      Array.from({ length: 10 }, (_, n) => ({ email: `c${index}-${n}@example.com`, tags: ['old'] })),
    )
    for (const contacts of many) await create(contacts)
    const [other] = await create([{ email: 'z@example.com' }])
    const stranger = await organization()
    await stranger.create([{ email: 'c@example.com', tags: ['old'] }])

    const change = await done(ask, 'updateContactsInBulk', 'filter: { tag: "old" }, addTags: ["new", "vip"], removeTags: ["old"]')

    expect(counts(change)).toEqual(['COMPLETED', 600, 600, 0, 0])
    const { contacts, groupContacts } = await ask(`{ groupContacts(by: [{ field: TAG }]) { groups { keys count } }
      contacts(filter: { tag: "vip" }, first: 1) { totalCount nodes { tags version timeline { nodes { type changes { field } } } } } }`)
    expect(groupContacts.groups).toEqual([
      { keys: ['new'], count: 600 },
      { keys: ['vip'], count: 600 },
      { keys: [null], count: 1 },
    ])
    expect(contacts).toMatchObject({ totalCount: 600, nodes: [{ tags: ['new', 'vip'], version: 2 }] })
    expect(contacts.nodes[0].timeline.nodes[0]).toMatchObject({ changes: [{ field: 'tags' }] })
    expect(await ask(`{ contact(id: "${other}") { version } }`)).toEqual({ contact: { version: 1 } })
    expect(await tagsOf(stranger.ask)).toEqual([['old']])
  })

  test('changes chosen contacts, and counts unchanged, missing and refused ones', async () => {
    const { ask, create, userId } = await organization()
    const full = Array.from({ length: 50 }, (_, index) => `t${index}`)
    const [a, b, c, d] = await create([
      { email: 'a@example.com' },
      { email: 'b@example.com', tags: ['x'], ownerUserId: userId },
      { tags: full },
      {},
    ])
    await ask(`mutation { deleteContact(input: { id: "${d}" }) { id } }`)
    const ids = [a, b, c, d, '019a0000-0000-7000-8000-000000000000', 'none']

    const change = await done(
      ask,
      'updateContactsInBulk',
      'ids: $ids, addTags: ["x"], ownerUserId: $owner',
      { ids, owner: userId },
      '($ids: [ID!], $owner: String)',
    )

    expect(counts(change)).toEqual(['COMPLETED', 3, 1, 1, 1])
    expect(change.failures).toEqual([{ contactId: c, otherId: null, error: { code: 'INVALID', message: expect.stringMatching(/50/) } }])
    expect(await ask(`{ contact(id: "${a}") { tags ownerUserId } }`)).toEqual({ contact: { tags: ['x'], ownerUserId: userId } })
  })

  test('takes nobody as the owner', async () => {
    const { ask, create, userId } = await organization()
    const [id] = await create([{ email: 'a@example.com', ownerUserId: userId }])

    await done(ask, 'updateContactsInBulk', 'filter: {}, ownerUserId: null')

    expect(await ask(`{ contact(id: "${id}") { ownerUserId } }`)).toEqual({ contact: { ownerUserId: null } })
  })

  test.each([
    ['filter: {}', ['addTags']],
    ['addTags: ["x"]', ['ids']],
    ['ids: ["x"], filter: {}, addTags: ["x"]', ['ids']],
    ['ids: [], addTags: ["x"]', ['ids']],
    ['filter: { includeDeleted: true }, addTags: ["x"]', ['filter', 'includeDeleted']],
    ['filter: { onlyDeleted: true }, addTags: ["x"]', ['filter', 'onlyDeleted']],
    ['filter: {}, ownerUserId: "nobody"', ['ownerUserId']],
    [`filter: {}, addTags: ["${'x'.repeat(65)}"]`, ['addTags', 0]],
    [
      'filter: { custom: [{ key: "plan", min: 1, in: ["x"] }, { key: "a" }, { key: "a" }], q: "" , tagAll: ["1","2","3","4","5","6","7","8","9","10","11","12","13","14","15","16","17","18","19","20","21"] }, addTags: ["x"]',
      null,
    ],
  ])('%s is refused', async (input, path) => {
    const { ask } = await organization(idle)

    const { error } = await ask(`mutation { updateContactsInBulk(input: { ${input} }) { id } }`)

    expect(error).toMatchObject({ code: 'INVALID', ...(path && { problems: [{ path }] }) })
  })
})

describe('deleteContactsInBulk', () => {
  test('deletes, and undoContactBulkChange restores contacts that are still deleted and whose address is free', async () => {
    const { ask, create } = await organization()
    const [a, b] = await create([
      { email: 'a@example.com' },
      { email: 'b@example.com' },
      { email: 'c@example.com', lifecycleStage: 'CUSTOMER' },
    ])
    const change = await done(ask, 'deleteContactsInBulk', 'filter: { lifecycleStage: SUBSCRIBER }')
    expect(counts(change)).toEqual(['COMPLETED', 2, 2, 0, 0])
    expect((await ask('{ contacts { nodes { email } } }')).contacts.nodes).toEqual([{ email: 'c@example.com' }])
    await create([{ email: 'b@example.com' }])

    const undo = await done(ask, 'undoContactBulkChange', `id: "${change.id}"`)

    expect(undo).toMatchObject({ action: 'UNDO', undoOfId: change.id })
    expect(counts(undo)).toEqual(['COMPLETED', 2, 1, 0, 1])
    expect(await ask(`{ contact(id: "${a}") { version deletedAt } }`)).toEqual({ contact: { version: 3, deletedAt: null } })
    expect((await ask(`{ contact(id: "${b}") { id } }`)).error.code).toBe('NOT_FOUND')
    expect(await ended(ask, change.id)).toMatchObject({ undoneById: undo.id })
    expect((await ask(`mutation { undoContactBulkChange(input: { id: "${change.id}" }) { id } }`)).error).toMatchObject({
      code: 'CONFLICT',
    })
    expect((await ask(`mutation { undoContactBulkChange(input: { id: "${undo.id}" }) { id } }`)).error).toMatchObject({ code: 'CONFLICT' })
  })
})

describe('undoContactBulkChange', () => {
  test('sets tags and owner back where they still are, and leaves what others did since', async () => {
    const { ask, create, userId } = await organization()
    const [a, b, c] = await create([
      { email: 'a@example.com', tags: ['x', 'keep'] },
      { email: 'b@example.com' },
      { email: 'c@example.com', tags: ['new'] },
    ])
    const change = await done(ask, 'updateContactsInBulk', `filter: {}, addTags: ["new"], removeTags: ["x"], ownerUserId: "${userId}"`)
    await ask(`mutation { updateContact(input: { id: "${b}", ownerUserId: null, addTags: ["mine"] }) { id } }`)

    const undo = await done(ask, 'undoContactBulkChange', `id: "${change.id}"`)

    expect(counts(undo)).toEqual(['COMPLETED', 3, 3, 0, 0])
    const of = async (id: string | undefined) => (await ask(`{ contact(id: "${id}") { tags ownerUserId } }`)).contact
    expect((await of(a)).tags.toSorted()).toEqual(['keep', 'x'])
    expect(await of(b)).toEqual({ tags: ['mine'], ownerUserId: null })
    expect(await of(c)).toEqual({ tags: ['new'], ownerUserId: null })
  })

  test('is refused while the change goes on, for enrichment, and after 7 days', async () => {
    const { ask, create } = await organization(idle)
    await create([{ email: 'a@example.com' }])
    const undo = (id: string) => ask(`mutation { undoContactBulkChange(input: { id: "${id}" }) { id } }`)
    const { updateContactsInBulk: change } = await ask('mutation { updateContactsInBulk(input: { filter: {}, addTags: ["x"] }) { id } }')
    const { enrichContactsInBulk: enriching } = await ask('mutation { enrichContactsInBulk(input: { filter: {} }) { id } }')

    expect((await undo(change.id)).error).toMatchObject({ code: 'CONFLICT' })
    expect((await undo(enriching.id)).error.code).toBe('CONFLICT')
    await ask(`mutation { cancelContactBulkChange(input: { id: "${change.id}" }) { id } }`)
    idle.setNow(new Date(Date.now() + 8 * 86_400_000))
    expect((await undo(change.id)).error.code).toBe('CONFLICT')
    idle.setNow(null)
    expect(await ask('{ contactBulkChanges { totalCount nodes { action } } }')).toEqual({
      contactBulkChanges: { totalCount: 2, nodes: [{ action: 'ENRICH' }, { action: 'UPDATE' }] },
    })
  })
})

describe('cancelContactBulkChange', () => {
  test('ends a change that has not begun; a second time changes nothing, and one that has ended is CONFLICT', async () => {
    const { ask, create } = await organization(idle)
    await create([{ email: 'a@example.com' }])
    const { deleteContactsInBulk: change } = await ask('mutation { deleteContactsInBulk(input: { filter: {} }) { id total } }')
    expect(change.total).toBe(1)
    const cancel = () => ask(`mutation { cancelContactBulkChange(input: { id: "${change.id}" }) { status finishedAt } }`)

    expect(await cancel()).toEqual({ cancelContactBulkChange: { status: 'CANCELED', finishedAt: expect.any(String) } })
    expect(await cancel()).toMatchObject({ cancelContactBulkChange: { status: 'CANCELED' } })
    const { ask: other, create: createOther } = await organization()
    await createOther([{ email: 'a@example.com' }])
    const { id } = await done(other, 'deleteContactsInBulk', 'filter: {}')
    expect((await other(`mutation { cancelContactBulkChange(input: { id: "${id}" }) { id } }`)).error.code).toBe('CONFLICT')
    expect((await ask(`mutation { cancelContactBulkChange(input: { id: "${id}" }) { id } }`)).error.code).toBe('NOT_FOUND')
  })
})

describe('enrichContactsInBulk', () => {
  test('queues a job for each, and none where one is open', async () => {
    const { ask, create } = await organization()
    const ids = await create(Array.from({ length: 30 }, (_, index) => ({ email: `c${index}@example.com` })))

    const change = await done(ask, 'enrichContactsInBulk', 'filter: {}, recipe: "generic"')

    expect(change).toMatchObject({ status: 'COMPLETED', total: 30, changedCount: 30, failedCount: 0 })
    const { enrichmentJobs } = await ask('{ enrichmentJobs(first: 100) { nodes { target { targetId } } } }')
    expect(enrichmentJobs.nodes.map(({ target }: Json) => target.targetId).toSorted()).toEqual(ids.toSorted())
  })

  test('refuses an unknown recipe, and a key that may not read contacts', async () => {
    const { ask, orgId } = await organization(idle)
    const { key } = await idle.given.apiKey({ orgId, scopes: ['enrich:write'] })

    expect((await ask('mutation { enrichContactsInBulk(input: { filter: {}, recipe: "none" }) { id } }')).error.code).toBe('INVALID')
    const { error } = await asking(idle, { key })('mutation { enrichContactsInBulk(input: { filter: {} }) { id } }')
    expect(error.code).toBe('FORBIDDEN')
  })
})

test('contacts from after the start are left out, and times of the filter survive being stored', async () => {
  const { ask, create, orgId } = await organization(idle)
  const [a] = await create([{ email: 'a@example.com' }])
  const since = new Date(Date.now() - 3_600_000).toISOString()
  const { updateContactsInBulk: change } = await ask(
    `mutation { updateContactsInBulk(input: { filter: { createdSince: "${since}" }, addTags: ["x"] }) { id } }`,
  )
  await create([{ email: 'b@example.com' }])
  const context = idle.asSystem(orgId)
  const row = await idle.services.database.prisma.contactBulkChange.findUniqueOrThrow({ where: { id: change.id } })

  const stored = { ...row, createdAt: row.createdAt.toISOString(), positionKey: null, positionId: null } as never
  const batch = await nextBatch(context, stored, 10)

  expect(batch.ids).toEqual([a])
  const times = { createdSince: new Date(0), custom: [{ key: 'k', until: new Date(1), in: ['since'] }], q: 'until' }
  expect(reviveDates(JSON.parse(JSON.stringify(times)))).toEqual(times)
})
