// MCP clients of tests: the SDK's own, and one that sends single messages.

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { entriesNamed } from '../../src/tools/entries.ts'
import type { Json, TestApp } from '../support/app.ts'

/** A connected client. `headers` are sent beside the key. */
export async function connect(app: TestApp, key: string, headers: Record<string, string> = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' })
  const requestInit = { headers: { authorization: `Bearer ${key}`, ...headers } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${app.url}/mcp`), { requestInit }))
  return client
}

/** The result of a tool: what it answered, or its error. */
export async function call(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
  _meta?: Record<string, unknown>,
): Promise<Json> {
  const result = await client.callTool({ name, arguments: args, ...(_meta && { _meta }) })
  const [content] = result.content
  return result.isError ? JSON.parse(content?.type === 'text' ? content.text : 'null') : result.structuredContent
}

/** Sends one JSON-RPC message, as a client without an SDK does. */
export async function post(app: TestApp, message: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${app.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  })
  const text = await response.text()
  const data = text.split('\n').find(line => line.startsWith('data: {'))
  const body: Json = data ? JSON.parse(data.slice(6)) : text ? JSON.parse(text) : null
  return { status: response.status, headers: response.headers, body }
}

/** The names of the tools that need one of the scopes. */
export const toolsOf = (...scopes: string[]): string[] =>
  [...entriesNamed('Tool').values(), ...entriesNamed('McpTool').values()].flatMap(({ name, scope }) => (scopes.includes(scope) ? name : []))
export const toolsOfContacts = (): string[] => toolsOf('contacts:read', 'contacts:write')
