// The servers of the bench: this one, alone or behind a pooler, and its peers, which are installed with a lock file of their own.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../support/free-port.ts'
import type { Name } from './cases/case.ts'
import { cpuSeconds, pinned, residentMiB, serverCpu } from './processes.ts'

const peers = join(import.meta.dirname, 'peers')
const root = join(import.meta.dirname, '../..')

export interface Server {
  name: Name
  url: string
  /** Milliseconds from the start to the first answer. */
  startedMs: number
  cpuSeconds(): number
  residentMiB(): number
  /** Why it no longer runs; null while it does. */
  failure(): string | null
  stop(): Promise<void>
}

/** Installs the peers' packages unless they are newer than their lock file. */
export function installPeers(): void {
  const timeOf = (file: string) => statSync(join(peers, file), { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (timeOf('node_modules/.package-lock.json') > timeOf('package-lock.json')) return
  console.error('installing test/bench/peers')
  const { status } = spawnSync('npm', ['ci', '--prefix', peers, '--ignore-scripts'], { stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) throw new Error('npm ci --prefix test/bench/peers failed')
}

const peer = (file: string) => [process.execPath, join(peers, file)]
const programs: Record<Name, () => string[]> = {
  project: startCommand,
  'project pooled': startCommand,
  'fastify+pg': () => peer('fastify-pg.js'),
  mercurius: () => peer('mercurius.js'),
  postgraphile: () => peer('postgraphile.js'),
}

// As `npm start` has it, from whatever folder.
function startCommand(): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } }
  const [, options = ''] = /exec node (.*) src\/entry\.js$/.exec(scripts.start) ?? []
  return [
    'env',
    `NODE_COMPILE_CACHE=${join(tmpdir(), 'node-compile-cache')}`,
    process.execPath,
    ...options.split(' '),
    join(root, 'src/main.ts'),
  ]
}

/** Starts a server on the CPU of servers. Resolves when it answers HTTP. `scratch`: a folder for logs. */
export async function startServer(name: Name, environment: Record<string, string>, scratch: string): Promise<Server> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const logFile = join(scratch, `${name}.log`)
  const log = openSync(logFile, 'w')
  const begun = performance.now()
  const child = spawn(...pinned(serverCpu, programs[name]()), {
    cwd: scratch,
    env: { ...process.env, NODE_ENV: 'production', GRAPHILE_ENV: 'production', PORT: String(port), ...environment },
    stdio: ['ignore', log, log],
  })
  const ended = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGTERM')
    const late = setTimeout(() => child.kill('SIGKILL'), 5_000)
    await ended
    clearTimeout(late)
  }
  // Any answer will do: the cases check theirs.
  while (
    !(await fetch(url)
      .then(answer => answer.text())
      .then(
        () => true,
        () => false,
      ))
  ) {
    if (performance.now() - begun > 120_000 || child.exitCode !== null) {
      await stop()
      throw new Error(`${name} did not start: ${readFileSync(logFile, 'utf8').slice(-1500)}`)
    }
    await sleep(5)
  }
  const failure = () => {
    const code = child.exitCode ?? child.signalCode
    return code === null ? null : `${name} has ended with ${code}: ${readFileSync(logFile, 'utf8').slice(-1500)}`
  }
  const { pid = 0 } = child
  const startedMs = performance.now() - begun
  return { name, url, startedMs, cpuSeconds: () => cpuSeconds(pid), residentMiB: () => residentMiB(pid), failure, stop }
}
