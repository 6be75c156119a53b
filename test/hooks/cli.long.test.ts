// npm run hooks: tries a mapping on the command line, and sends signed requests.

import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { hookToken } from '../support/app.ts'
import { startGateway } from '../support/gateway.ts'

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'rolocom-hooks-'))
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
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function hooks(words: string[], payload: unknown, env: Record<string, string> = { GATEWAY_CONFIG: join(folder, 'gateway.json5') }) {
  const file = join(folder, 'payload.json')
  writeFileSync(file, typeof payload === 'string' ? payload : JSON.stringify(payload))
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, 'hooks', ...words, '--file', file], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, DATA_DIR: join(folder, 'data'), ...env },
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
        idempotencyKey: 'the signed message',
      },
    ],
  })
})

test('problems are reported', () => {
  expect(hooks(['test', 'wake'], { txt: 'a' }).answer).toEqual({ status: 400, error: 'txt: unknown field; allowed are text, mode' })
  expect(hooks(['test', 'unknown'], {}).answer).toMatchObject({ status: 404, error: 'No mapping takes this name' })
  expect(hooks(['test', 'double'], '{')).toMatchObject({ status: 1, answer: expect.stringContaining('The body is not JSON') })
  expect(hooks(['tset', 'double'], {})).toMatchObject({ status: 1, answer: expect.stringContaining('is it `test`?') })
})

test('without GATEWAY_CONFIG there are no mappings, and that is an error', () => {
  expect(hooks(['test', 'github'], {}, {})).toEqual({
    status: 1,
    answer: `GATEWAY_CONFIG is not set, so there is no mapping or preset for github: name the gateway's file, as in GATEWAY_CONFIG=gateway.json5 npm run rolocom -- hooks test github --file ${join(folder, 'payload.json')}`,
  })
  expect(hooks(['test', 'wake'], { text: 'a' }, {}).answer).toMatchObject({ status: 200 })
})

test('send signs as the sender would, by every scheme, and posts to the running server', async () => {
  const secretOf = (scheme: string) => `whsec_${Buffer.from(`the secret of ${scheme}`).toString('base64')}`
  const schemes = ['github', 'stripe', 'slack', 'standard-webhooks', 'hex', 'base64']
  const gateway = await startGateway({
    works: false,
    config: {
      hooks: {
        mappings: [
          ...schemes.map(scheme => ({
            id: scheme,
            match: { path: scheme },
            action: 'wake',
            textTemplate: `${scheme} {{n}} {{headers.x-event}}`,
            auth: { hmac: { scheme, secret: secretOf(scheme), ...(/hex|base64/.test(scheme) && { header: 'x-signed' }) } },
          })),
          { id: 'own', match: { path: 'own' }, action: 'wake', textTemplate: 'own', auth: { token: 'a-token-of-its-own-0123' } },
        ],
      },
    },
  })
  onTestFinished(() => gateway.close())
  const file = join(gateway.folder, 'payload.json')
  writeFileSync(file, '{"n":1,"text":"typed"}')
  const send = (words: string[], url = gateway.url) =>
    new Promise<{ status: number; out: string }>(resolve => {
      const env = {
        PATH: process.env.PATH,
        GATEWAY_CONFIG: join(gateway.folder, 'gateway.json5'),
        HOOKS_TOKEN: hookToken,
        DATA_DIR: folder,
      }
      execFile(process.execPath, [main, 'hooks', 'send', ...words, '--file', file, '--url', url], { env }, (error, stdout, stderr) =>
        resolve({ status: error ? 1 : 0, out: (stdout || stderr).trim() }),
      )
    })

  for (const scheme of schemes) {
    const { status, out } = await send([scheme, '--header', 'X-Event: tried'])
    expect([scheme, status, JSON.parse(out).ok]).toEqual([scheme, 0, true])
  }
  expect(JSON.parse((await send(['own'])).out)).toMatchObject({ ok: true })
  const texts = (await gateway.ask('{ systemEvents(first: 50) { nodes { text } } }')).systemEvents.nodes.map(
    ({ text }: { text: string }) => text,
  )
  expect(texts.sort()).toEqual([...schemes.map(scheme => `${scheme} 1 tried`), 'own'].sort())

  expect(await send(['wake'])).toEqual({ status: 1, out: expect.stringMatching(/\/hooks\/wake answered 400: .*n: unknown field/) })
  expect(await send(['nobody'])).toEqual({ status: 1, out: expect.stringContaining('no mapping takes this payload') })
  expect(await send(['hex'], 'http://127.0.0.1:1')).toEqual({ status: 1, out: expect.stringContaining('start the server with npm start') })
})
