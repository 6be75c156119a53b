// MCP over standard input and output, for clients that start a command: forwards every message to a server's /mcp, with an API key.

import { SdkHttpError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'
import { CommandError, exitStatus, type Terminal } from '../terminal.ts'
import { type ServerFlags, serverOf } from './session/server.ts'

// 30 s: the longest that a call of a tool takes, which is placing a call at a slow provider.
const lastAnswersMs = 30_000

// JSON-RPC's first code for errors that servers define.
const serverError = -32000
const refusal = z.object({ error: z.object({ code: z.number(), message: z.string(), data: z.unknown() }) })

/** Resolves when the client has closed standard input and all its requests are answered. Throws CommandError without a credential. */
export async function mcp(this: Terminal, flags: ServerFlags): Promise<void> {
  const { url: address, token, organizationId } = serverOf(this.environment, flags)
  if (token === null)
    throw new CommandError(
      'ROLOCOM_API_KEY: is required: an API key of the organization that the tools act in; or rolocom login',
      exitStatus.failed,
    )

  const headers = {
    authorization: `Bearer ${token}`,
    'user-agent': 'rolocom-cli',
    ...(organizationId !== null && { 'x-org-id': organizationId }),
  }
  const server = new StreamableHTTPClientTransport(new URL(`${address}/mcp`), { requestInit: { headers } })
  const client = new StdioServerTransport()
  const open = new Set<RequestId>()
  const [ended, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let isEnded = false
  // Written here: the transport closes with standard input, when answers are still to come.
  const answer = (message: JSONRPCMessage) => {
    this.process.stdout.write(`${JSON.stringify(message)}\n`)
    if ('id' in message && message.id !== undefined && !('method' in message)) open.delete(message.id)
    if (isEnded && open.size === 0) answered.resolve()
  }

  server.onmessage = message => {
    // Later requests name the revision that this answer to `initialize` agreed on.
    if ('result' in message && typeof message.result.protocolVersion === 'string') server.setProtocolVersion(message.result.protocolVersion)
    answer(message)
  }
  // Errors about streams that the server does not offer.
  server.onerror = () => {}
  client.onmessage = message => {
    if ('method' in message && 'id' in message) open.add(message.id)
    server.send(message).catch((error: unknown) => {
      if (!('id' in message) || message.id === undefined) return
      answer({ jsonrpc: '2.0', id: message.id, error: failureOf(error, address) })
    })
  }
  client.onclose = () => ended.resolve()
  await server.start()
  await client.start()
  await ended.promise
  isEnded = true
  const late = setTimeout(answered.resolve, lastAnswersMs)
  if (open.size > 0) await answered.promise
  clearTimeout(late)
  await server.close()
}

/** The server's own error, if it refused the request with one. */
function failureOf(error: unknown, address: string): { code: number; message: string; data?: unknown } {
  if (error instanceof TypeError)
    return { code: serverError, message: `Nothing answers at ${address}: start the server, or name it in ROLOCOM_URL` }
  if (!(error instanceof SdkHttpError))
    return { code: serverError, message: error instanceof Error ? error.message : 'The server did not answer' }
  try {
    return refusal.parse(JSON.parse(String(error.data.text))).error
  } catch {
    // A proxy's page, for example.
    return { code: serverError, message: `${address} answered ${error.status}: is ROLOCOM_URL the address of a Rolocom server?` }
  }
}
