// The server as a process of its own, to be killed.

import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../support/free-port.ts'
import type { Disk } from './disk.ts'

/** This project. */
export const projectRoot = fileURLToPath(new URL('../..', import.meta.url))

export interface Server {
  url: string
  /** The API key printed by the first start. */
  key: string
  readyMs: number
  pid: number
  /** What it has printed so far, its log included. */
  output(): string
  /** SIGKILL; with postgres also its postmaster; with the disk that holds its folder, power is cut off just before. */
  kill(options?: { postgres?: boolean; disk?: Disk }): Promise<void>
  /** SIGTERM, and the embedded database with it. Resolves with the exit status; -1 where a signal ended it. */
  stop(): Promise<number>
}

let starting: ChildProcess | undefined

/** Starts the server on the data folder and waits until it is ready. `key` is known from the second start on. `root`: of its sources. */
export async function startServer(
  dataDir: string,
  key?: string,
  environment: Record<string, string> = {},
  root = projectRoot,
): Promise<Server> {
  const port = Number(environment.PORT ?? (await freePort()))
  const started = performance.now()
  const child = spawn(process.execPath, [join(root, 'src/main.ts')], {
    cwd: root,
    env: { PATH: process.env.PATH, PORT: String(port), DATA_DIR: dataDir, RATE_LIMIT: '0', LOG_LEVEL: 'warn', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  starting = child
  let output = ''
  child.stdout.on('data', chunk => {
    output += chunk
  })
  child.stderr.on('data', chunk => {
    output += chunk
  })
  const exited = new Promise<number>(resolve => child.once('exit', status => resolve(status ?? -1)))
  const url = `http://127.0.0.1:${port}`
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null) {
      // Another process of the machine may have taken the free port since.
      if (output.includes('PORT: another process listens') && !environment.PORT) return startServer(dataDir, key, environment, root)
      throw new Error(`the server ended: ${child.exitCode ?? child.signalCode}\n${output}`)
    }
    const ready =
      /Rolocom is ready/.test(output) &&
      (await fetch(`${url}/readyz`).then(
        answer => answer.ok,
        () => false,
      ))
    if (ready) break
    if (performance.now() - started > 60_000) throw new Error(`the server is not ready after a minute:\n${output}`)
    await sleep(10)
  }
  starting = undefined
  const first = join(dataDir, 'first-start.txt')
  const written = key ?? /rcm_[0-9A-Za-z]{38}/.exec(existsSync(first) ? readFileSync(first, 'utf8') : '')?.[0]
  if (!written) throw new Error(`the first start has written no key:\n${output}`)
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    return await exited
  }
  return {
    url,
    key: written,
    readyMs: performance.now() - started,
    pid: child.pid ?? 0,
    output: () => output,
    async kill({ postgres = false, disk } = {}) {
      const postmaster = postgres || disk ? postmasterOf(dataDir) : undefined
      disk?.cut()
      // The backends of a killed postmaster end by themselves, but not while they wait for one that has failed on the cut disk.
      if (postmaster !== undefined) for (const pid of [postmaster, ...(disk ? childrenOf(postmaster) : [])]) killPostgres(pid)
      await end('SIGKILL')
    },
    stop: () => end('SIGTERM'),
  }
}

/** Kills a server that has not become ready yet. */
startServer.killStarting = async () => {
  const child = starting
  starting = undefined
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const exited = new Promise(resolve => child.once('exit', resolve))
  child.kill('SIGKILL')
  await exited
}

/** Undefined where none runs. */
function postmasterOf(dataDir: string): number | undefined {
  const path = join(dataDir, 'postgres', 'data', 'postmaster.pid')
  return existsSync(path) ? Number(readFileSync(path, 'utf8').split('\n')[0]) : undefined
}

/** On Linux, which the disks are made on too. */
function childrenOf(parent: number): number[] {
  const processes = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  return processes.map(Number).filter(pid => {
    try {
      // "pid (program) state parent ...", and a program's name may have parentheses.
      const [, parentOf] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
      return Number(parentOf) === parent
    } catch {
      // It has ended meanwhile.
      return false
    }
  })
}

function killPostgres(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
