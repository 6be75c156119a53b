// How long a second start takes to its first answer, beside PostgreSQL's own start on the same data in the same round, and what the process
// weighs while it is idle.
//
//   npm run bench -- start               the sources and the bundle, five rounds each
//   npm run bench -- start 20         more rounds

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbedded } from '../../src/database/embedded/embedded.ts'
import { isCurrentBuild } from '../../src/server/bundle/current.ts'
import { freePort } from '../support/free-port.ts'
import { median } from '../support/median.ts'
import { cpuSeconds, residentMiB } from './processes.ts'

const rounds = Number(process.argv[2] ?? 5)
const root = join(import.meta.dirname, '../..')
const dataDir = mkdtempSync(join(tmpdir(), 'rolocom-bench-start-'))
const log = { info() {}, warn() {}, error() {} }
// Long enough for the process to settle.
const idleMs = 30_000

interface Start {
  ms: number
  cpuSeconds: number
}

if (!isCurrentBuild(root, 'server')) throw new Error('The bundle is not current. Run: npm run build')
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } }

try {
  // The first start of each makes the database and compiles what later starts take from V8's cache.
  for (const bundle of ['0', '1']) await startServer(bundle, costOfStart)
  const results: { postgres: number; sources: Start; bundle: Start }[] = []
  for (let round = 0; round < rounds; round++)
    results.push({
      postgres: await startPostgres(),
      sources: await startServer('0', costOfStart),
      bundle: await startServer('1', costOfStart),
    })
  const own = median(results.map(({ postgres }) => postgres))
  console.log(`PostgreSQL itself starts in ${own.toFixed(0)} ms. Medians of ${rounds} second starts:`)
  console.log('          first answer   beyond 1.2 x PostgreSQL   CPU     RSS idle for 30 s')
  for (const kind of ['sources', 'bundle'] as const) {
    const of = (figure: keyof Start) => median(results.map(result => result[kind][figure]))
    const beyond = of('ms') - 1.2 * own
    const rssMiB = await startServer(kind === 'sources' ? '0' : '1', idleMemory)
    console.log(
      `${kind.padEnd(10)}${of('ms').toFixed(0).padStart(9)} ms${beyond.toFixed(0).padStart(22)} ms${of('cpuSeconds').toFixed(2).padStart(9)} s${rssMiB.toFixed(0).padStart(9)} MiB`,
    )
  }
} finally {
  rmSync(dataDir, { recursive: true, force: true })
}

async function startPostgres(): Promise<number> {
  const begin = performance.now()
  const { stop } = await startEmbedded({ dataDir, log })
  const ms = performance.now() - begin
  await stop()
  return ms
}

/** `bundle`: 0 for the sources. The answer is that of a GraphQL request, which needs the schema and the database. `of` is asked at that moment. */
async function startServer<Figure>(bundle: string, of: (pid: number, ms: number) => Figure | Promise<Figure>): Promise<Figure> {
  const port = await freePort()
  const path = `${join(root, 'node_modules/.bin')}:${process.env.PATH}`
  const env = { ...process.env, PATH: path, BUNDLE: bundle, PORT: String(port), DATA_DIR: dataDir, ROLES: 'web,api,session,gateway,worker' }
  const begin = performance.now()
  // The shell becomes the server, as with npm.
  const child = spawn('sh', ['-c', scripts.start], { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = once(child, 'close')
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error('The server ended')
    await sleep(5)
  }
  const figure = await of(child.pid ?? 0, performance.now() - begin)
  child.kill()
  await ended
  return figure
}

function costOfStart(pid: number, ms: number): Start {
  return { ms, cpuSeconds: cpuSeconds(pid) }
}

async function idleMemory(pid: number): Promise<number> {
  await sleep(idleMs)
  return residentMiB(pid)
}

async function answers(port: number): Promise<boolean> {
  const body = '{"query":"{ nodes(ids: []) { id } }"}'
  const answer = await fetch(`http://127.0.0.1:${port}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  }).catch(() => null)
  await answer?.text()
  return answer !== null
}
