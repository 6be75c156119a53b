// A catalogue with more tools than are listed is searched.

import { expect, test } from 'vitest'
import { openApp } from '../support/app.ts'
import { call, connect, toolsOfContacts } from './client.ts'

const app = await openApp({ env: { MCP_LISTED_TOOLS: String(toolsOfContacts().length) } })

test('a key that may call more tools is listed two that search and call them, and is told so', async () => {
  const { key } = await app.given.apiKey()
  const client = await connect(app, key)

  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['search_tools', 'call_tool'])
  expect(client.getInstructions()).toContain('search_tools')
})

test('a key that may call as many is listed them', async () => {
  const { key } = await app.given.apiKey({ scopes: ['contacts:read', 'contacts:write'] })
  const client = await connect(app, key)
  const { tools } = await client.listTools()

  expect(tools).toHaveLength(toolsOfContacts().length)
  expect(tools.map(({ name }) => name)).not.toContain('search_tools')
  expect(client.getInstructions()).not.toContain('search_tools')
})

test('search_tools finds by words of names and descriptions, described as a list would, within the scopes of the key', async () => {
  const whole = await connect(app, (await app.given.apiKey()).key)
  const part = await connect(app, (await app.given.apiKey({ scopes: ['contacts:read'] })).key)

  const found = await call(whole, 'search_tools', { query: 'add a new contact' })
  const elsewhere = await call(part, 'search_tools', { query: 'add a new contact' })

  expect(found.tools[0]).toMatchObject({
    name: 'create_contact',
    inputSchema: { properties: { email: expect.anything(), dry_run: expect.anything() } },
    annotations: { readOnlyHint: false },
    _meta: { 'rolocom/reversible': true },
  })
  expect(found.tools.length).toBeLessThanOrEqual(5)
  expect(found.names).toEqual(expect.arrayContaining(['create_contact', 'merge_records', 'find_contacts']))
  expect(elsewhere.names).not.toContain('create_contact')
  expect((await call(whole, 'search_tools', { query: 'zyxw' })).tools).toEqual([])
  expect(await call(whole, 'search_tools', {})).toMatchObject({ error: { code: 'INVALID' } })
})

test('call_tool calls a found tool, with its receipt, scopes and errors', async () => {
  const { key } = await app.given.apiKey()
  const client = await connect(app, key)
  const reader = await connect(app, (await app.given.apiKey({ scopes: ['contacts:read'] })).key)
  const create = { name: 'create_contact', arguments: { email: 'found@example.com' } }

  const tried = await call(client, 'call_tool', { ...create, arguments: { ...create.arguments, dry_run: true } })
  const made = await client.callTool({ name: 'call_tool', arguments: create })
  const { body } = await app.rest('GET', '/api/crm/v1/contacts?q=found@example.com', { key })

  expect(tried.dry_run.eventCount).toBe(1)
  expect(made._meta).toMatchObject({ 'rolocom/operationId': expect.any(String), 'rolocom/replayed': false })
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual([(made.structuredContent as { id: string }).id])
  expect(await call(reader, 'call_tool', create)).toMatchObject({ error: { code: 'FORBIDDEN' } })
  expect(await call(client, 'call_tool', { arguments: {} })).toMatchObject({ error: { code: 'INVALID' } })
  await expect(call(client, 'call_tool', { name: 'call_tool', arguments: create })).rejects.toThrow('Unknown tool')
})
