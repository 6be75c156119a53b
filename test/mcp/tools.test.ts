// The tools of /mcp, called by the SDK's own client: what a key sees, what calls do, and what they are refused with.

import { describe, expect, test } from 'vitest'
import { openApp } from '../support/app.ts'
import { call, connect, toolsOfContacts } from './client.ts'

const app = await openApp({ env: { VOICE_PRICE_PER_MINUTE: '0.5' } })

describe('tools/list', () => {
  test('shows what the scopes of the key allow, described by the schema', async () => {
    const { key } = await app.given.apiKey({ scopes: ['contacts:read', 'contacts:write'] })
    const { tools } = await (await connect(app, key)).listTools()

    const names = tools.map(({ name }) => name).sort()
    expect(names).toEqual(toolsOfContacts().sort())
    expect(names).toEqual(
      expect.arrayContaining([
        ...['create_contact', 'dismiss_duplicate', 'find_contacts', 'find_duplicates', 'get_contact', 'log_note', 'merge_records'],
        ...['preview_merge', 'undo_merge', 'update_contact'],
      ]),
    )
    const find = tools.find(({ name }) => name === 'find_contacts')
    expect(find).toMatchObject({
      inputSchema: { type: 'object', properties: { lifecycleStage: { enum: expect.arrayContaining(['lead']) } } },
      outputSchema: { type: 'object', required: ['found', 'page'] },
      annotations: { title: 'Find contacts', readOnlyHint: true, openWorldHint: false },
      _meta: { 'rolocom/cost': { credits: 0, per: null } },
    })
    expect(find?.inputSchema.properties).not.toHaveProperty('dry_run')
    expect(tools.find(({ name }) => name === 'update_contact')).toMatchObject({
      description: 'Changes a contact.',
      inputSchema: { properties: { dry_run: { type: 'boolean' } }, required: ['id'] },
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
      _meta: { 'rolocom/reversible': true },
    })
  })

  test('tells what a call costs and that it cannot be undone, and lists at most fifty tools', async () => {
    const { key } = await app.given.apiKey()
    const { tools } = await (await connect(app, key)).listTools()

    expect(tools.find(({ name }) => name === 'place_call')).toMatchObject({
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
      _meta: { 'rolocom/cost': { credits: 0.5, per: expect.stringContaining('minute') }, 'rolocom/reversible': false },
    })
    const { body: openapi } = await app.rest('GET', '/openapi.json')
    expect(openapi.paths['/api/voice/v1/calls'].post).toMatchObject({
      'x-rolocom-reversible': false,
      'x-rolocom-cost': { per: expect.stringContaining('minute') },
    })
    // A larger catalogue is searched, not listed.
    expect(tools.length).toBeLessThanOrEqual(50)
  })
})

describe('tools/call', () => {
  test('executes as the key, and answers as the schema of the output says', async () => {
    const { key } = await app.given.apiKey()
    const client = await connect(app, key)
    await client.listTools()
    const ada = await call(client, 'create_contact', { email: 'ada@example.com', firstName: 'Ada' })
    const { found } = await call(client, 'find_contacts', { email: 'ada@example.com' })

    expect(found).toEqual([ada])
    await app.rest('DELETE', `/api/crm/v1/contacts/${ada.id}`, { key })
    expect(await call(client, 'find_contacts', { onlyDeleted: true })).toMatchObject({ found: [ada] })
    await app.rest('POST', `/api/crm/v1/contacts/${ada.id}/restore`, { key })
    const isLogged = (line: string) => line.includes('"path":"/mcp"') && line.includes('"operation":"ToolCreateContact"')
    await expect.poll(() => app.log.some(isLogged)).toBe(true)
    const { body } = await app.rest('GET', `/api/crm/v1/contacts/${ada.id}/timeline`, { key })
    expect(body.data.at(-1)).toMatchObject({ type: 'contact.created', door: 'mcp', actor: { type: 'api_key' } })
    expect((await app.rest('GET', `/api/crm/v1/contacts/${ada.id}`, { key })).body.source).toBe('agent')
  })

  test('sells to a company: a deal is added and moved, with a note and a task', async () => {
    const { key } = await app.given.apiKey()
    const client = await connect(app, key)
    await client.listTools()
    const company = await call(client, 'create_company', { name: 'Engines' })
    const deal = await call(client, 'create_deal', { title: 'Ten engines', companyId: company.id, amount: '1500.50', currency: 'EUR' })
    const { stages } = await call(client, 'get_pipeline', { id: deal.pipeline.id })
    const won = stages.find(({ kind }: { kind: string }) => kind === 'won')
    const moved = await call(client, 'move_deal', { id: deal.id, stageId: won.id })
    const note = await call(client, 'create_note', { dealId: deal.id, text: 'They pay in May' })
    const task = await call(client, 'create_task', { companyId: company.id, title: 'Send the offer' })
    await call(client, 'update_task', { id: task.id, status: 'done' })

    const ada = await call(client, 'create_contact', { firstName: 'Ada', companyId: company.id })
    await call(client, 'update_contact', { id: ada.id, jobTitle: 'Buyer', companyId: company.id })

    expect((await call(client, 'find_contacts', { companyId: company.id })).found).toMatchObject([
      { id: ada.id, companyId: company.id, companyName: 'Engines', jobTitle: 'Buyer' },
    ])
    expect(deal).toMatchObject({ company: { name: 'Engines' }, amount: '1500.50', stage: { kind: 'open' }, wonAt: null })
    expect(moved).toMatchObject({ id: deal.id, stage: { id: won.id }, wonAt: expect.any(String) })
    expect((await call(client, 'find_deals', { companyId: [company.id], state: 'won' })).found).toEqual([moved])
    expect(note).toMatchObject({ dealId: deal.id, contactId: null, companyId: null })
    expect((await call(client, 'find_tasks', { companyId: company.id, status: 'done' })).found).toMatchObject([{ id: task.id }])
    const { timeline } = await call(client, 'get_deal', { id: deal.id })
    expect(timeline.latest.map(({ type }: { type: string }) => type)).toEqual(['deal.noted', 'deal.moved', 'deal.created'])
  })

  test('with dry_run tells what would change, and changes nothing', async () => {
    const { key } = await app.given.apiKey()
    const client = await connect(app, key)
    await client.listTools()
    const tried = await call(client, 'create_contact', { email: 'dry@example.com', dry_run: true })

    expect(tried).toMatchObject({ email: 'dry@example.com', dry_run: { eventCount: 1, events: [{ type: 'contact.created' }] } })
    expect((await call(client, 'find_contacts', { email: 'dry@example.com' })).found).toEqual([])
  })

  test.each([
    ['without the scope', 'get_contact', { id: '019a0000-0000-7000-8000-000000000000' }, 'FORBIDDEN', 'contacts:read'],
    ['with a field it does not take', 'log_note', { doNotCall: true }, 'INVALID', 'contactId, text'],
    ['with a value it does not take', 'create_contact', { email: 'nobody' }, 'INVALID', 'email'],
    ['with a text that cannot be stored', 'create_contact', { firstName: 'a\u0000b' }, 'INVALID', 'firstName'],
    ['with dry_run that is no boolean', 'create_contact', { dry_run: 'yes' }, 'INVALID', 'dry_run'],
    ['of what is not there', 'update_contact', { id: '019a0000-0000-7000-8000-000000000000', city: 'Bonn' }, 'NOT_FOUND', 'contact'],
  ])('%s is an error of the tool, with what to do', async (_what, name, input, code, about) => {
    const { key } = await app.given.apiKey({ scopes: ['contacts:write'] })
    const { error } = await call(await connect(app, key), name, input)

    expect(error).toMatchObject({ code, message: expect.stringContaining(about), whatToDo: expect.any(String) })
  })

  test('of an unknown tool is an error of the protocol', async () => {
    const { key } = await app.given.apiKey()
    const client = await connect(app, key)

    await expect(client.callTool({ name: 'constructor', arguments: {} })).rejects.toThrow('Unknown tool: constructor')
  })

  test('of another organization finds nothing, and a key of several names one by X-Org-Id', async () => {
    const mine = await app.given.apiKey()
    const other = await app.given.apiKey()
    const { id } = await call(await connect(app, other.key), 'create_contact', { firstName: 'Theirs' })

    expect((await call(await connect(app, mine.key), 'get_contact', { id })).error.code).toBe('NOT_FOUND')
    const foreign = await connect(app, mine.key, { 'x-org-id': other.orgId })
    expect((await call(foreign, 'get_contact', { id })).error.code).toBe('FORBIDDEN')
  })
})
