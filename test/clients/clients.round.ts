// Runs third-party clients, code generators and linters against a running server, and prints the result of each.
//
//   npm run round -- clients             installs them (test/clients has its own lock file) and runs all
//   npm run round -- clients -t relay    runs those with the word in their name or file

import { execFile, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, test } from 'vitest'
import { type Server, startServer } from '../crash/server.ts'
import type { Row, Served } from './row.ts'

const here = import.meta.dirname
const root = path.resolve(here, '../..')
const work = path.join(here, '.work')
const run = promisify(execFile)

const data = await mkdtemp(path.join(tmpdir(), 'rolocom-clients-'))
const secrets = {
  github: 'github-secret',
  stripe: 'whsec_stripe-secret',
  shop: `whsec_${Buffer.from('a secret of the shop').toString('base64')}`,
}
const serviceToken = 'clients-service-token-0123456789'
const hookToken = 'clients-hook-token-0123456789'
let server: Server
beforeAll(async () => {
  server = await startServer(data, undefined, {
    SVC_SERVICES_TOKEN: serviceToken,
    HOOKS_TOKEN: hookToken,
    SIMULATOR_SPEED: '20',
    GATEWAY_CONFIG: await gatewayFile(),
  })
})
afterAll(async () => {
  await server?.stop()
  await rm(data, { recursive: true, force: true })
  await rm(work, { recursive: true, force: true })
})

// Rows import what is installed.
await install()
tryRow('types.ts', {
  name: 'rows and uses compile strict',
  packages: [],
  run: served => served.tool('tsc', ['-p', here]).then(() => 'no error'),
})
for (const file of (await readdir(path.join(here, 'rows'))).toSorted())
  tryRow(file, ((await import(path.join(here, 'rows', file))) as { row: Row }).row)

// Installs the packages of the lock file, unless they are installed already.
async function install(): Promise<void> {
  const [lock, installed] = await Promise.all(
    [path.join(here, 'package-lock.json'), path.join(here, 'node_modules/.package-lock.json')].map(file =>
      stat(file).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    ),
  )
  if ((installed ?? 0) > (lock ?? 0)) return
  console.log('installing test/clients')
  // No package needs its install script.
  const { status } = spawnSync('npm', ['ci', '--prefix', here, '--ignore-scripts', '--no-audit', '--no-fund'], { stdio: 'inherit' })
  if (status !== 0) throw new Error('npm ci --prefix test/clients failed')
}

async function gatewayFile(): Promise<string> {
  const { github, stripe, shop } = secrets
  const mapping = {
    id: 'shop',
    match: { path: 'shop' },
    action: 'wake',
    textTemplate: 'Shop: {{type}}',
    auth: { hmac: { scheme: 'standard-webhooks', secret: shop } },
  }
  const file = path.join(data, 'gateway.json5')
  await writeFile(
    file,
    JSON.stringify({ hooks: { presets: ['github', 'stripe'], presetSecrets: { github, stripe }, mappings: [mapping] } }),
  )
  return file
}

function tryRow(file: string, row: Row): void {
  test(`${file}: ${row.name}`, async ({ skip }) => {
    const missing = row.packages.filter(name => !existsSync(path.join(here, 'node_modules', name, 'package.json')))
    if (missing.length > 0) skip(`${missing.join(' and ')} is not installed`)
    console.log(await row.run(await servedTo(file)))
  })
}

async function servedTo(file: string): Promise<Served> {
  const folder = path.join(work, path.basename(file, '.ts'))
  await mkdir(folder, { recursive: true })
  const tool = async (name: string, args: readonly string[]) => {
    const at = [here, root].map(where => path.join(where, 'node_modules/.bin', name)).find(existsSync) ?? name
    return output(at, args, folder)
  }
  const use = async (name: string) => {
    await copyFile(path.join(here, 'uses', name), path.join(folder, 'use.ts'))
    const strict = { extends: '../../tsconfig.json', include: ['**/*.ts'] }
    await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(strict))
    await tool('tsc', ['-p', folder])
    return (await output(process.execPath, [path.join(folder, 'use.ts')], folder)).trim()
  }
  return { url: server.url, key: server.key, serviceToken, hookToken, secrets, folder, tool, use }
}

async function output(program: string, args: readonly string[], cwd: string): Promise<string> {
  // 120 s: generators are slow on a busy machine, but a longer run hangs.
  const options = { cwd, timeout: 120_000, maxBuffer: 20_000_000, env: { ...process.env, URL: server.url, KEY: server.key, NO_COLOR: '1' } }
  const { stdout } = await run(program, args, options).catch((failed: { stdout?: string; stderr?: string; message: string }) => {
    throw new Error(`${path.basename(program)}: ${failed.stdout || failed.stderr || failed.message}`.slice(0, 4000))
  })
  return stdout
}
