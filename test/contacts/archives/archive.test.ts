// Archives: everything of an organization as one zip, for its owners.

import { v7 as uuid } from 'uuid'
import { describe, expect, test } from 'vitest'
import { applyRetention } from '../../../src/server/queue/retention.ts'
import { seed } from '../../dry-run/writes.ts'
import { openApp, startApp, type TestApp } from '../../support/app.ts'
import { archivesOf, create, latest, link, rowsOf } from './opened.ts'

const app = await openApp({ env: { ROLES: 'web,api,session,worker' } })
const { asks, ready } = archivesOf(app)

const many = 2500

/** Of one moment, a third of them deleted. */
async function addMany({ services }: TestApp, orgId: string): Promise<void> {
  const createdAt = new Date('2026-01-01T00:00:00Z')
  await services.database.prisma.contact.createMany({
    data: Array.from({ length: many }, (_, n) => ({
      ...{ id: uuid(), orgId, email: `many-${n}@example.com`, source: 'api', createdByType: 'user', createdAt },
      deletedAt: n % 3 === 0 ? createdAt : null,
    })),
  })
}

/** Another organization. Returns what it alone has. */
async function another({ given, rest }: TestApp): Promise<string[]> {
  const { key, orgId, userId } = await given.apiKey()
  const id = async (noun: string, body: object) => (await rest('POST', `/api/crm/v1/${noun}`, { key, body })).body.id as string
  const contact = await id('contacts', { email: 'theirs@other.example' })
  const company = await id('companies', { name: 'Theirs', domain: 'other.example' })
  const deal = await id('deals', { title: 'Their deal', contacts: [{ contact_id: contact }] })
  const note = await id(`contacts/${contact}/notes`, { text: 'Their note' })
  return [orgId, userId, contact, company, deal, note, 'theirs@other.example', 'Their deal', 'Their note']
}

describe('an archive', () => {
  test('has every row of every noun with its id, and nothing of another organization', async () => {
    // Without a worker, which would work on what is seeded.
    const app = await startApp({ env: { ROLES: 'web,api,session' } })
    let worker: TestApp | undefined
    try {
      const { asks, ready, opened } = archivesOf(app)
      const ids = await seed(app)
      const others = await another(app)
      const { session, orgId, key } = ids
      await addMany(app, orgId)
      const custom = 'mutation { createCustomField(input: { key: "plan", label: "Plan", type: TEXT }) { id } }'
      await asks(session, custom)
      const ada = { email: 'all@example.com', first_name: '=1+1', tags: ['vip', 'a;b'], custom: { plan: 'gold' } }
      const contact = (await app.rest('POST', '/api/crm/v1/contacts', { key, body: ada })).body
      const add = `mutation { updateContact(input: { id: "${contact.id}", addEmails: [{ value: "second@example.com", label: "work" }] }) { id } }`
      await asks(session, add)
      const deal = { title: 'Big', amount: '1500.50', currency: 'EUR', contacts: [{ contact_id: contact.id, role: 'buyer' }] }
      const { body: dealMade } = await app.rest('POST', '/api/crm/v1/deals', { key, body: deal })
      const { prisma } = app.services.database
      await prisma.callTranscript.create({ data: { id: ids.call, orgId, lines: [{ role: 'agent', text: 'Hello' }] } })

      await asks(session, create)
      worker = await startApp({ database: app.database, env: { ROLES: 'worker' } })
      const archive = await ready(session)
      const texts = await opened(session)

      const tables: Record<string, { table: string; id?: string; at?: string; org?: string; where?: string }> = {
        contacts: { table: 'contacts' },
        companies: { table: 'companies' },
        deals: { table: 'deals' },
        'deal-contacts': { table: 'deal_contacts', id: 'contact_id' },
        'deal-stage-changes': { table: 'deal_stage_changes' },
        notes: { table: 'contact_notes' },
        tasks: { table: 'contact_tasks' },
        'external-ids': { table: 'external_ids', id: 'external_id' },
        'custom-fields': { table: 'custom_fields' },
        pipelines: { table: 'pipelines' },
        stages: { table: 'stages' },
        'voice-agents': { table: 'voice_agents' },
        calls: { table: 'calls' },
        'call-transcripts': { table: 'call_transcripts', at: 'call_id' },
        suggestions: { table: 'suggestions' },
        timeline: {
          table: 'events',
          where: "and entity in ('contact', 'company', 'deal', 'contact_note', 'contact_task', 'call', 'suggestion', 'enrichment_job')",
        },
        'timeline-entries': { table: 'timeline_entries', at: 'event_id' },
        members: { table: 'memberships', id: 'user_id', at: 'user_id', org: 'organization_id' },
        views: { table: 'saved_views', where: 'and is_shared' },
      }
      expect(Object.keys(texts).toSorted()).toEqual([...Object.keys(tables).map(name => `${name}.csv`), 'README.txt'].toSorted())
      let total = 0
      for (const [name, { table, id = 'id', at = id, org = 'org_id', where = '' }] of Object.entries(tables)) {
        const idsOf = async (condition: string) => {
          const query = `select ${id}::text as id from ${table} where ${org} = $1 ${where} ${condition}`
          return (await app.services.database.pool.query(query, [orgId])).rows.map(row => row.id as string).toSorted()
        }
        const rows = rowsOf(texts[`${name}.csv`])
        const found = rows.map(row => row[at] ?? '').toSorted()
        total += rows.length
        if (name.startsWith('timeline')) {
          // The worker goes on with what was seeded.
          expect(found, name).toEqual(expect.arrayContaining(await idsOf(`and created_at <= '${archive.createdAt}'`)))
          expect(await idsOf(''), name).toEqual(expect.arrayContaining(found))
        } else expect(found, name).toEqual(await idsOf(''))
        expect(texts['README.txt']).toContain(`${name}.csv\n`)
        if (name !== 'views' && name !== 'external-ids') expect(rows.length, name).toBeGreaterThan(0)
      }
      expect(archive).toMatchObject({ rowCount: total, byteCount: expect.any(Number), finishedAt: expect.any(String) })

      const mine = rowsOf(texts['contacts.csv']).find(row => row.id === contact.id)
      expect(mine).toMatchObject({
        ...{ email: 'all@example.com', emails: 'all@example.com;second@example.com', first_name: "'=1+1", tags: 'vip;"a;b"' },
        ...{ 'custom.plan': 'gold', created_at: contact.created_at, deleted_at: '' },
      })
      expect(JSON.parse(mine?.email_details ?? '')).toMatchObject([
        { value: 'all@example.com' },
        { value: 'second@example.com', label: 'work' },
      ])
      expect(rowsOf(texts['deals.csv']).find(row => row.id === dealMade.id)).toMatchObject({ amount: '1500.50', currency: 'EUR' })
      expect(rowsOf(texts['call-transcripts.csv'])).toEqual([{ call_id: ids.call, lines: '[{"role":"agent","text":"Hello"}]' }])

      const all = Object.values(texts).join()
      for (const other of others) expect(all).not.toContain(other)
    } finally {
      await worker?.close()
      await app.close()
    }
  }, 60_000)

  test('is made once at a time: a second ask gives the one that is being made', async () => {
    const waiting = await startApp({ env: { ROLES: 'web,api,session' } })
    const { asks } = archivesOf(waiting)
    try {
      const { session, orgId } = await waiting.given.session()
      const asked = await Promise.all([1, 2, 3].map(() => asks(session, create)))
      expect(new Set(asked.map(one => one.createArchive.id)).size).toBe(1)
      expect(await asks(session, latest)).toMatchObject({ archive: { status: 'QUEUED', rowCount: 0, byteCount: null } })
      expect(await asks(session, link)).toBe('CONFLICT')
      expect(await waiting.services.database.prisma.archive.count({ where: { orgId } })).toBe(1)
    } finally {
      await waiting.close()
    }
  })

  test('is for owners alone: other members, API keys, guests and other organizations are refused', async () => {
    const { session, orgId, userId } = await app.given.session()
    const { key } = await app.given.apiKey({ orgId, userId })
    const stranger = await app.given.session()
    await asks(session, create)
    await ready(session)
    for (const text of [create, link, latest]) {
      for (const role of ['admin', 'member', 'viewer'] as const)
        expect(await asks((await app.given.member({ orgId, role })).session, text), role).toBe('FORBIDDEN')
      expect(await asks(undefined, text, key)).toBe('FORBIDDEN')
      expect(
        (await app.graphql(text, {}, { session: stranger.session, headers: { 'x-org-id': orgId } })).body.errors[0].extensions.code,
      ).toBe('FORBIDDEN')
    }
    expect(await asks(stranger.session, latest)).toEqual({ archive: null })
    expect(await asks(stranger.session, link)).toBe('NOT_FOUND')
  })

  test('is made, read and downloaded by REST as well', async () => {
    const path = '/api/crm/v1/archive'
    const { session, orgId, userId } = await app.given.session()
    const { key } = await app.given.apiKey({ orgId, userId })

    expect(await app.rest('GET', path, { session })).toMatchObject({ status: 404, body: { code: 'not_found' } })
    for (const [method, at] of [
      ['GET', path],
      ['POST', path],
      ['POST', `${path}/download`],
    ] as const)
      expect(await app.rest(method, at, { key })).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    expect(await app.rest('POST', `${path}/download`, { session })).toMatchObject({ status: 404, body: { code: 'not_found' } })
    const { status, body } = await app.rest('POST', path, { session })
    expect([status, body.status, body.row_count]).toEqual([202, 'queued', 0])
    await ready(session)
    expect((await app.rest('GET', path, { session })).body).toMatchObject({ id: body.id, status: 'ready', created_by: { id: userId } })
    const linked = await app.rest('POST', `${path}/download`, { session })
    expect([linked.status, (await fetch(linked.body.url, { headers: { connection: 'close' } })).status]).toEqual([201, 200])
  })

  test('a link opens it once, ends with the ownership of its maker, and events tell of both', async () => {
    const { session, orgId, userId } = await app.given.session()
    const other = await app.given.member({ orgId, role: 'owner' })
    await asks(session, create)
    await ready(session)
    const linked = async (by: string) => (await asks(by, link)).createArchiveDownload.url as string
    const status = async (url: string) => {
      const answer = await fetch(url, { headers: { connection: 'close' } })
      await answer.arrayBuffer()
      return answer.status
    }

    const [once, late] = [await linked(session), await linked(other.session)]
    expect([await status(once), await status(once)]).toEqual([200, 404])
    await app.services.database.prisma.membership.updateMany({ where: { userId: other.userId }, data: { role: 'admin' } })
    expect(await status(late)).toBe(404)

    const events = await app.services.database.prisma.event.findMany({ where: { orgId, entity: 'archive' }, orderBy: { sequence: 'asc' } })
    expect(events.map(({ type, actorId }) => [type, actorId])).toEqual([
      ...['archive.created', 'archive.ready', 'archive.linked'].map(type => [type, userId]),
      ['archive.linked', other.userId],
      ['archive.downloaded', userId],
    ])
  })

  test('is deleted after 7 days', async () => {
    const { session, orgId } = await app.given.session()
    await asks(session, create)
    const { expiresAt, createdAt } = await ready(session)
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(7 * 86_400_000)
    app.setNow(new Date(Date.parse(expiresAt) + 1000))
    try {
      expect(await asks(session, latest)).toEqual({ archive: null })
      await applyRetention(app.services)
    } finally {
      app.setNow(null)
    }
    const { prisma } = app.services.database
    expect([await prisma.archive.count({ where: { orgId } }), await prisma.upload.count({ where: { orgId } })]).toEqual([0, 0])
  })
})
