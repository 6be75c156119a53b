// MCP over standard input and output: the command that clients start.

import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, test } from 'vitest'
import { openApp } from '../support/app.ts'
import { call } from './client.ts'

const main = join(import.meta.dirname, '../../src/main.ts')

const app = await openApp()

/** Runs the command with one message, and closes its input. */
function answerTo(message: object, env: Record<string, string>): Promise<{ status: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, [main, 'mcp'], { cwd: tmpdir(), env: { PATH: process.env.PATH ?? '', ...env } })
  const said = { out: '', err: '' }
  child.stdout.on('data', chunk => (said.out += chunk))
  child.stderr.on('data', chunk => (said.err += chunk))
  child.stdin.on('error', () => {})
  child.stdin.end(`${JSON.stringify(message)}\n`)
  return new Promise(resolve => child.on('close', status => resolve({ status, ...said })))
}

test('forwards tools, resources and prompts to a server', async () => {
  const { key } = await app.given.apiKey()
  const env = { PATH: process.env.PATH ?? '', ROLOCOM_URL: app.url, ROLOCOM_API_KEY: key }
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [main, 'mcp'], env, cwd: tmpdir() }))
  const { id } = await call(client, 'create_contact', { firstName: 'Ada' })
  const { contents } = await client.readResource({ uri: `rolocom://contact/${id}` })
  const { prompts } = await client.listPrompts()
  await client.close()

  expect(contents).toHaveLength(1)
  expect(prompts).toHaveLength(3)
})

test('answers the remaining messages when its input is closed, and says why a server does not answer', async () => {
  const { key } = await app.given.apiKey()
  const list = { jsonrpc: '2.0', id: 'a', method: 'tools/list' }
  const [listed, refused, alone, keyless] = await Promise.all([
    answerTo(list, { ROLOCOM_URL: app.url, ROLOCOM_API_KEY: key }),
    answerTo(list, { ROLOCOM_URL: app.url, ROLOCOM_API_KEY: 'rcm_wrong' }),
    answerTo(list, { ROLOCOM_URL: 'http://127.0.0.1:1', ROLOCOM_API_KEY: key }),
    answerTo(list, {}),
  ])

  expect(JSON.parse(listed.out)).toMatchObject({ id: 'a', result: { tools: expect.any(Array) } })
  expect(JSON.parse(refused.out)).toMatchObject({ id: 'a', error: { data: { code: 'UNAUTHENTICATED' } } })
  expect(JSON.parse(alone.out)).toMatchObject({
    id: 'a',
    error: { message: expect.stringContaining('Nothing answers at http://127.0.0.1:1') },
  })
  expect(listed.status).toBe(0)
  expect([keyless.status, keyless.err]).toEqual([1, expect.stringContaining('ROLOCOM_API_KEY')])
})
