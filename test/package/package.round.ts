// The package: packed, installed into an empty folder, started by its command, asked what a newcomer asks, on the oldest and the newest Node
// that it is for.
//
//   npm run round -- package
//   SHORT=1 npm run round -- package   on the oldest alone
//
// Where npm's registry cannot be reached, what needs it is skipped by name.

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, globSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll } from 'vitest'
import { check, ensure } from './checks.ts'
import { ask } from './newcomer.ts'

const root = join(import.meta.dirname, '../..')
const scratch = mkdtempSync(join(tmpdir(), 'rolocom-package-'))
const maxBytes = 250_000_000
// The first release of the oldest line that is supported, and the one that runs this.
const nodes = process.env.SHORT === '1' ? ['22'] : ['22', '24']

/** Neither this project's packages nor its settings; the user's npm cache and registry. */
const environment = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => /^(npm_config_(cache|registry)|https?_proxy|no_proxy|HOME)$/i.test(name)),
  ),
  PATH: (process.env.PATH ?? '')
    .split(':')
    .filter(folder => !folder.includes('node_modules'))
    .join(':'),
  NO_COLOR: '1',
}
/** With this Node first. Not for installing: npm looks for its global settings, such as the registry, beside the Node that runs it. */
const withNode = { ...environment, PATH: `${dirname(process.execPath)}:${environment.PATH}` }
const run = (folder: string, command: string, ...args: string[]) => runIn(environment, folder, command, ...args)
const runIn = (env: Record<string, string | undefined>, folder: string, command: string, ...args: string[]) =>
  promisify(execFile)(command, args, { cwd: folder, env, maxBuffer: 50_000_000 })

const bytesIn = (folder: string) =>
  globSync('**/*', { cwd: folder }).reduce((sum, name) => {
    const found = lstatSync(join(folder, name))
    return sum + (found.isFile() ? found.size : 0)
  }, 0)

async function installed(folder: string, ...packages: string[]): Promise<void> {
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  await run(folder, 'npm', 'install', '--no-audit', '--no-fund', '--prefer-offline', ...packages)
}

/** Runs `rolocom start`, or another command that starts, until `work` has ended, then stops it. */
async function started(
  folder: string,
  work: (url: string) => Promise<void>,
  [command = '', ...words]: string[] = ['npx', '--no-install', 'rolocom', 'start'],
): Promise<void> {
  const settings = { ...(command === 'npm' ? withNode : environment), PORT: '0', DATA_DIR: join(folder, 'data') }
  const child = spawn(command, words, {
    cwd: folder,
    env: settings,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close')
  let output = ''
  child.stderr.on('data', chunk => (output += chunk))
  try {
    const url = await new Promise<string>((resolve, reject) => {
      child.stdout.on('data', chunk => {
        output += chunk
        const [, ready] = /Rolocom is ready at (\S+)/.exec(output) ?? []
        if (ready && output.includes('first-start.txt')) resolve(ready)
      })
      child.once('close', () => reject(new Error(`it ended: ${output.slice(-3_000)}`)))
    })
    ensure(output.includes(`Sign in as owner: ${command === 'npm' ? 'npm run rolocom --' : 'npx rolocom'} claim`), output)
    await work(url)
  } finally {
    // npx and what it runs.
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
    await ended
  }
}

/** `rolocom build` where nothing can be built. */
async function refusesToBuild(folder: string, command: string, ...words: string[]): Promise<void> {
  const { code, stderr } = await runIn(command === 'npm' ? withNode : environment, folder, command, ...words, 'build').then(
    ({ stderr }) => ({ code: 0, stderr }),
    (error: { code: number; stderr: string }) => error,
  )
  ensure(code === 1 && /^Only a checkout with the development packages can build[^\n]+\n$/.test(stderr), `${code}: ${stderr}`)
}

/** What an operator and a user type beside the server. */
async function command(folder: string, url: string): Promise<void> {
  const rolocom = async (more: Record<string, string>, ...args: string[]) => {
    const env = { ...environment, DATA_DIR: join(folder, 'data'), ...more }
    return (await promisify(execFile)('npx', ['--no-install', 'rolocom', ...args], { cwd: folder, env })).stdout
  }
  const status = await rolocom({}, 'migrate', 'status')
  ensure(
    status
      .trim()
      .split('\n')
      .every(line => line.startsWith('applied  ')),
    status,
  )
  const made = await rolocom({}, 'keys', '--database', 'create', '--label', 'CI', '--scopes', 'contacts:read')
  const [key] = /rcm_\S+/.exec(made) ?? []
  ensure(key, made)
  const contacts = await rolocom({ ROLOCOM_URL: url, ROLOCOM_API_KEY: key }, 'contacts', 'list', '--json')
  ensure(contacts.includes('alan@example.com'), contacts)
  const help = await rolocom({}, 'login', '--help')
  ensure(help.includes('rolocom login --url'), help)
  await refusesToBuild(folder, 'npx', '--no-install', 'rolocom')
}

let archive = ''
check('npm pack makes an archive', async () => {
  await run(root, process.execPath, join(root, 'src/main.ts'), 'build')
  const { stdout } = await run(root, 'npm', 'pack', '--json', '--ignore-scripts', '--pack-destination', scratch)
  const described = JSON.parse(stdout) as { filename: string }[] | Record<string, { filename: string }>
  const [packed] = Object.values(described)
  ensure(packed, stdout.slice(0, 500))
  archive = join(scratch, packed.filename)
})

const folder = join(scratch, 'app')
check(`it installs in less than ${maxBytes / 1e6} MB, without development packages`, async () => {
  await installed(folder, archive)
  const bytes = bytesIn(join(folder, 'node_modules'))
  console.log(`         ${(bytes / 1e6).toFixed(0)} MB, ${(lstatSync(archive).size / 1e6).toFixed(0)} MB packed`)
  ensure(bytes < maxBytes, `it has ${bytes} bytes`)
  for (const name of ['vite', 'typescript', 'prisma', 'react', '@scarf/scarf'])
    ensure(!existsSync(join(folder, 'node_modules', name)), `${name} is installed`)
  ensure(
    globSync('node_modules/rolocom/**/*.ts', { cwd: folder }).every(file => file.endsWith('.d.ts')),
    'it has sources',
  )
  const licenses = readFileSync(join(folder, 'node_modules/rolocom/dist/server/licenses.md'), 'utf8')
  for (const name of ['express', 'graphql', 'pg', '@prisma/client']) ensure(licenses.includes(`## ${name} - `), `no licence of ${name}`)
})

for (const node of nodes)
  check(
    `rolocom start on Node ${node}: the first start, pages, documents, a contact, a user, commands beside it; the database stops with it`,
    async () => {
      const home = join(scratch, `node-${node}`)
      await installed(home, archive, `node@${node}`)
      await started(home, async url => {
        await ask(url, readFileSync(join(home, 'data/first-start.txt'), 'utf8'))
        await command(home, url)
      })
      ensure(!existsSync(join(home, 'data/postgres/data/postmaster.pid')), 'the database still runs')
    },
  )

check('rolocom on Node 20 says which Node it needs', async () => {
  const home = join(scratch, 'node-20')
  await installed(home, archive, 'node@20')
  const { code, stderr } = await run(home, 'npx', '--no-install', 'rolocom', 'start').then(
    ({ stderr }) => ({ code: 0, stderr }),
    (error: { code: number; stderr: string }) => error,
  )
  ensure(code === 1 && /^Rolocom needs Node 22 or newer; this is Node 20[\d.]+\n$/.test(stderr), `${code}: ${stderr}`)
})

check('a checkout without the development packages, beside which the build was laid, starts by npm start', async () => {
  const home = join(scratch, 'checkout')
  await run(root, 'git', 'clone', '--quiet', '--depth', '1', `file://${root}`, home)
  cpSync(join(root, 'dist'), join(home, 'dist'), { recursive: true })
  await run(home, 'npm', 'ci', '--omit=dev', '--no-audit', '--no-fund', '--prefer-offline')
  ensure(!existsSync(join(home, 'node_modules/vite')), 'it has development packages')
  await started(home, url => ask(url, readFileSync(join(home, 'data/first-start.txt'), 'utf8')), ['npm', 'start'])
  await refusesToBuild(home, 'npm', 'run', '-s', 'rolocom', '--')
})

check('rolocom/client is imported with its types', async () => {
  writeFileSync(
    join(folder, 'use.ts'),
    `import { createClient } from 'rolocom/client'
const client = createClient({ url: 'http://127.0.0.1', key: 'rcm_x' })
export const isClient: boolean = typeof client === 'object'
// @ts-expect-error an address is a string
export const wrong: Parameters<typeof createClient>[0] = { url: 1 }
`,
  )
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const options = [
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--lib',
    'es2022,dom',
    '--strict',
    '--types',
    '',
    '--outDir',
    '.',
    'use.ts',
  ]
  await run(folder, process.execPath, compiler, ...options)
  const { stdout } = await run(folder, process.execPath, '--eval', "import('./use.js').then(({ isClient }) => console.log(isClient))")
  ensure(stdout.trim() === 'true', stdout)
})

afterAll(() => rmSync(scratch, { recursive: true, force: true }))
