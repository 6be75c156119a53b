// npm run hooks -- test: what a hook would do, on the command line.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'rolocom-hooks-'))
beforeAll(() => {
  writeFileSync(
    join(folder, 'double.ts'),
    'export default ({ payload }: { payload: { n: number } }) => payload.n < 0 ? null : { message: "twice " + payload.n * 2 }',
  )
  writeFileSync(
    join(folder, 'gateway.json5'),
    JSON.stringify({
      hooks: {
        transformsDir: '.',
        presets: ['github'],
        presetSecrets: { github: 'github-secret-0123456789' },
        mappings: [{ id: 'double', match: { path: 'double' }, transform: { module: 'double.ts' }, scopes: ['contacts:read'] }],
      },
    }),
  )
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function hooks(words: string[], payload: unknown) {
  const file = join(folder, 'payload.json')
  writeFileSync(file, typeof payload === 'string' ? payload : JSON.stringify(payload))
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, 'hooks', ...words, '--file', file], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, GATEWAY_CONFIG: join(folder, 'gateway.json5'), DATA_DIR: join(folder, 'data') },
  })
  return { status, answer: status === 0 ? JSON.parse(stdout) : stderr.trim() }
}

test('a mapping with a transform', () => {
  expect(hooks(['test', 'double'], { n: 21 }).answer).toEqual({
    status: 202,
    mapping: 'double',
    opensWith: 'the hook token',
    scopes: ['contacts:read'],
    creditCeiling: 0,
    actions: [{ kind: 'agent', payload: { wakeMode: 'now', deliver: true, channel: 'last', message: 'twice 42' } }],
  })
  expect(hooks(['test', 'double'], { n: -1 }).answer).toMatchObject({ status: 204, actions: [] })
})

test('a preset, with headers', () => {
  const words = ['test', 'github', '--header', 'X-GitHub-Event: issues', '--header', 'X-GitHub-Delivery: d-1']
  const { answer } = hooks(words, { action: 'opened', repository: { full_name: 'a/b' }, sender: { login: 'ada' } })

  expect(answer).toMatchObject({
    status: 200,
    mapping: 'github',
    opensWith: 'a signature (github) in x-hub-signature-256',
    actions: [
      {
        kind: 'wake',
        payload: { text: expect.stringContaining('GitHub issues opened in a/b by ada'), mode: 'now' },
        idempotencyKey: 'github:d-1',
      },
    ],
  })
})

test('what is wrong is said', () => {
  expect(hooks(['test', 'wake'], { txt: 'a' }).answer).toEqual({ status: 400, error: 'txt: unknown field; allowed are text, mode' })
  expect(hooks(['test', 'unknown'], {}).answer).toMatchObject({ status: 404, error: 'No mapping takes this name with these headers' })
  expect(hooks(['test', 'double'], '{')).toMatchObject({ status: 1, answer: expect.stringContaining('The body is not JSON') })
  expect(hooks(['tset', 'double'], {})).toMatchObject({ status: 1, answer: expect.stringContaining('hooks knows test <name>') })
})
