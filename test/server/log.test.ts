// The production log: lines are queued; none may be lost, truncated or out of order, with any content and any reader.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { terminalLine } from '../../src/server/terminal-line.ts'

const messageOf = (i: number) => (i % 500 === 7 ? 'x'.repeat(100_000) : 'ü€😀'.repeat(i % 50))

test.each([
  ['ends by itself', ''],
  ['is ended once they are flushed', 'log.flush(() => process.exit(0)); setInterval(() => {}, 1000)'],
])('every line is written whole and in order, the last before the process %s, though the disk is busy and the reader is slow', async (_, end) => {
  const log = join(import.meta.dirname, '../../src/server/log.ts')
  const program = `
    const { createLog } = await import(${JSON.stringify(log)})
    const { pbkdf2 } = await import('node:crypto')
    const log = createLog({ LOG_LEVEL: 'info', isProduction: true }, { isTerminal: false })
    const messageOf = ${messageOf}
    // Delays writing: with UV_THREADPOOL_SIZE=1, files and key derivation share one thread.
    pbkdf2('', '', 300_000, 64, 'sha512', () => {})
    for (let i = 0; i < 3000; i++) log.info({ i }, messageOf(i))
    ${end}
  `
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, UV_THREADPOOL_SIZE: '1' },
  })
  const ended = once(child, 'exit')
  // Longer than writing takes; the lines are more than the pipe's buffer holds.
  await sleep(1_000)
  const output = await text(child.stdout)

  expect(await ended).toEqual([0, null])
  const lines = output
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as { i: number; msg: string })
  expect(lines.map(({ i, msg }) => [i, msg])).toEqual(Array.from({ length: 3000 }, (_, i) => [i, messageOf(i)]))
})

// /dev/full on Linux fails every write as a full disk does.
test.skipIf(!existsSync('/dev/full'))('a full disk prevents the process neither from continuing nor from ending', async () => {
  const log = join(import.meta.dirname, '../../src/server/log.ts')
  const program = `
    const { createLog } = await import(${JSON.stringify(log)})
    const log = createLog({ LOG_LEVEL: 'info', isProduction: true }, { isTerminal: false })
    for (let i = 0; i < 20; i++) {
      log.info('x'.repeat(5000))
      await new Promise(resolve => setTimeout(resolve, 50))
    }
    process.stderr.write('went on')
    process.exit(0)
  `
  const full = await open('/dev/full', 'w')
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', full.fd, 'pipe'], timeout: 10_000 })
  const ended = once(child, 'exit')

  expect([await text(child.stderr as Readable), await ended]).toEqual(['went on', [0, null]])
  await full.close()
})

describe('a line for a terminal', () => {
  const request = { method: 'GET', path: '/api/crm/v1/contacts', status: 200, durationMs: 2.1, requestId: 'r1', operation: 'ListContacts' }
  const line = (fields: Record<string, unknown>) => terminalLine({ level: 'info', time: 1, ...fields }, 'msg')

  test('has a request as one short line, and of a refused one its principal and id', () => {
    expect(line({ msg: 'request', ...request })).toBe('GET /api/crm/v1/contacts 200 2.1 ms')
    expect(line({ msg: 'request', ...request, status: 403, principal: { type: 'api_key', id: 'k', name: 'CI' } })).toBe(
      'GET /api/crm/v1/contacts 403 2.1 ms  ListContacts  api_key "CI"  request r1',
    )
    expect(line({ msg: 'request', ...request, status: 403, principal: { type: 'user', name: 'a\n\u001b[2JGET / 200' } })).toBe(
      'GET /api/crm/v1/contacts 403 2.1 ms  ListContacts  user "a\\n\\u001b[2JGET / 200"  request r1',
    )
    expect(line({ msg: 'request', ...request, aborted: true })).toBe(
      'GET /api/crm/v1/contacts 200 2.1 ms  aborted  ListContacts  request r1',
    )
  })

  test('has links and emails on lines of their own, and errors with their stack', () => {
    expect(line({ msg: 'the link', email: 'a@example.com', url: 'http://x/y?z' })).toBe('the link  {"email":"a@example.com"}\nhttp://x/y?z')
    expect(line({ msg: 'a mail', text: 'one\ntwo' })).toBe('a mail\none\ntwo')
    expect(line({ msg: 'it failed', err: { message: 'no', stack: 'Error: no\n  at here' } })).toBe('it failed\nError: no\n  at here')
    expect(line({ msg: 'ready' })).toBe('ready')
  })
})
