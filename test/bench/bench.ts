// Measures the project beside its peers, in one run, on one machine: `npm run bench`.
//
// The harness (folder PEERS, default ../shared/bench) starts each server in turn, pinned to one core, and loads it with wrk; PostgreSQL
// and wrk have the other core. It prints requests per second, their ratio to the peer, and CPU per request.
//
//   CONTACTS=1000000 npm run bench     a larger table (100,000 by default)
//   WORK=W1,W6 ROUNDS=1 SEC=3 npm run bench

import { spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { prepare } from './prepare.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const peers = resolve(root, process.env.PEERS ?? '../shared/bench')
const contacts = Number(process.env.CONTACTS ?? 100_000)
const calls = Number(process.env.CALLS ?? 50_000)

/** The harness with its packages, in a folder that may be written to. */
function installed(): string {
  if (!existsSync(join(peers, 'run.mjs'))) throw new Error(`There is no harness in ${peers}; name its folder in PEERS`)
  const folder = join(root, 'node_modules', '.cache', 'peers')
  if (!existsSync(join(folder, 'generated', 'pothos.mjs'))) {
    cpSync(peers, folder, { recursive: true, mode: 0 })
    spawnSync('chmod', ['-R', 'u+w', folder])
    for (const words of [['install'], ['run', 'generate']])
      if (spawnSync('npm', words, { cwd: folder, stdio: 'inherit' }).status !== 0) throw new Error('The peers could not be installed')
  }
  writeFileSync(join(folder, 'run.mjs'), withKeys(readFileSync(join(peers, 'run.mjs'), 'utf8')))
  return folder
}

// The harness makes bodies differ, not headers: here each create gets an Idempotency-Key of its own, as it would from a careful client.
function withKeys(source: string): string {
  const changed = source
    .replace(
      'if dyn then return wrk.format(',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it stands in a template there
      "if dyn then if h['idempotency-key'] then h['idempotency-key']='${id}'..n end return wrk.format(",
    )
    .replace(
      '...r.headers }, body });',
      "...r.headers, ...(r.headers['idempotency-key'] && { 'idempotency-key': 'check' + Math.random() }) }, body });",
    )
  if (changed.split('idempotency-key').length !== 5) throw new Error('The harness has changed: its requests can no longer be given keys')
  return changed
}

// As `npm start` has it, from whatever folder. The shell's `exec` is npm's: the harness starts the program without a shell.
function startCommand(): string {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } }
  return scripts.start.replace(/^.*exec node /, `${process.execPath} `).replace('src/main.ts', join(root, 'src', 'main.ts'))
}

interface Harness {
  startPostgres(options: { tmp: string; pin: string }): Promise<{ url: string; pid: number; bin: string; stop(): Promise<void> }>
  seed(db: unknown, size: { contacts: number; calls: number }): Promise<void>
}

const folder = installed()
const scratch = mkdtempSync(join(tmpdir(), 'rolocom-bench-'))
const { startPostgres, seed } = (await import(join(folder, 'lib', 'pg.mjs'))) as Harness
const postgres = await startPostgres({ tmp: scratch, pin: '1' })
let status = 1
try {
  await seed(postgres, { contacts, calls })
  const project = await prepare(postgres.url, contacts, calls)
  const requests = join(scratch, 'requests.json')
  writeFileSync(requests, JSON.stringify(project.requests))

  const harness = spawn(process.execPath, [join(folder, 'run.mjs')], {
    cwd: folder,
    stdio: 'inherit',
    env: {
      ONLY: 'pgbench|^fastify.pg$|^postgraphile$|project',
      WORK: 'W1,W1d,W2,W3,W4,W5,W6',
      ROUNDS: '3',
      SEC: '5',
      // A server of this size is compiled by its engine for seconds after its start; one that runs for days is not measured by them.
      WARM: '8',
      ...process.env,
      CONTACTS: String(contacts),
      PGURL: postgres.url,
      PGPID: String(postgres.pid),
      PROJECT_CMD: startCommand(),
      PROJECT_REQUESTS: requests,
      ...project.environment,
    },
  })
  status = await new Promise<number>(end => harness.once('exit', code => end(code ?? 1)))
} finally {
  await postgres.stop()
  rmSync(scratch, { recursive: true, force: true })
}
process.exit(status)
