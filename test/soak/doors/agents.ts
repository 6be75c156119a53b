// Gateway hooks with the messages they lead to, and MCP.

import { randomUUID } from 'node:crypto'
import type { Json, SoakClient, Target } from '../client.ts'
import type { Door } from '../load.ts'

export function agentDoors({ hookToken }: Target, { ask }: SoakClient): Door[] {
  const hook = { credential: hookToken }
  const hooks = async (turn: number) => {
    await ask('POST', '/hooks/wake', { ...hook, body: { text: `Soak ${turn}`, mode: turn % 10 === 0 ? 'now' : 'next-heartbeat' } })
    const body = {
      message: `Soak ${turn}`,
      name: 'Soak',
      channel: 'telegram',
      wakeMode: 'next-heartbeat',
      sessionKey: `hook:soak-${turn % 5}`,
    }
    await ask('POST', '/hooks/agent', { ...hook, body, headers: { 'idempotency-key': randomUUID() }, status: 202 })
  }

  const headers = { accept: 'application/json, text/event-stream' }
  let session = ''
  const message = async (method: string, params: object = {}): Promise<Json> => {
    const body = { jsonrpc: '2.0', id: randomUUID(), method, params }
    const text = await ask('POST', '/mcp', { body, headers: { ...headers, ...(session && { 'mcp-session-id': session }) } })
    const answer =
      typeof text === 'string'
        ? JSON.parse(
            text
              .split('\n')
              .find(line => line.startsWith('data: {'))
              ?.slice(6) ?? '{}',
          )
        : text
    if (answer.error || answer.result?.isError) throw new Error(`${method}: ${JSON.stringify(answer).slice(0, 300)}`)
    return answer.result
  }
  const mcp = async () => {
    session = ''
    await message('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'soak', version: '1' } })
    await message('tools/list')
    const email = `${randomUUID()}@soak.example`
    const { structuredContent } = await message('tools/call', { name: 'create_contact', arguments: { email, firstName: 'Mia' } })
    await message('tools/call', { name: 'find_contacts', arguments: { email } })
    await ask('DELETE', `/api/crm/v1/contacts/${structuredContent.id}`)
  }
  return [
    { name: 'hooks', everyMs: 1000, act: hooks },
    { name: 'MCP', everyMs: 1000, act: mcp },
  ]
}
