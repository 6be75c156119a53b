// The PostgreSQL server process of a data directory: finding, starting and stopping it.

import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Cluster, isAlive, reasonIn } from './cluster.ts'
import { cannotRun, EmbeddedError, type Programs, run } from './program.ts'

export type ServerSettings = Readonly<Record<string, string>>

// Settings that differ from PostgreSQL's defaults, for a server on the machine of its only application.
const settings: ServerSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '128MB',
  // On an SSD or in memory, a random read costs hardly more than a sequential one.
  random_page_cost: '1.1',
  // A statement that was prepared when its tables were new is planned again once they have been analyzed.
  autovacuum_naptime: '15s',
  jit: 'off',
  // A statement whose client was killed ends soon after it.
  client_connection_check_interval: '5s',
  // Syncs the file system before the recovery after a crash, instead of each of thousands of files: seconds sooner on a busy disk.
  ...(process.platform === 'linux' && { recovery_init_sync_method: 'syncfs' }),
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Errors go to the client, which logs them without the values of the row.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
}

export interface Postmaster {
  pid: number
  port: number
  /** Empty until the server listens: its port may still be in use. */
  status: '' | 'starting' | 'ready' | 'stopping'
}

/** The server that runs on this directory; null when the process in the pid file has died, or its id now belongs to another program. */
export function findPostmaster(data: string): Postmaster | null {
  const [pidLine = '', , , portLine = '', , , , status = ''] = pidFile(data)
  const pid = Number(pidLine)
  if (!(pid > 0) || !isAlive(pid) || !isServerOf(pid, data)) return null
  return { pid, port: Number(portLine), status: status.trim() as Postmaster['status'] }
}

const pidFileOf = (data: string) => join(data, 'postmaster.pid')

function pidFile(data: string): string[] {
  try {
    return readFileSync(pidFileOf(data), 'utf8').split('\n')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw new EmbeddedError(`${data} belongs to another user.`, { cause: error })
  }
}

// Process ids are reused, so the process may be another program. A server has its data directory on its command line.
function isServerOf(pid: number, data: string): boolean {
  if (!existsSync('/proc/self/cmdline')) return spawnSync('ps', ['-o', 'command=', '-p', String(pid)]).stdout.includes(data)
  try {
    // The command line, not the working directory: root in a container may not be allowed to read the folder of another user's process.
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(data)
  } catch {
    return false
  }
}

// Clears the process id, because PostgreSQL takes any living process with that id for a server. The rest of the file stays: it protects
// shared memory that may still be in use.
function disownPidFile(data: string): void {
  const [first = '', ...rest] = pidFile(data)
  const pid = Number(first)
  if (pid > 0 && isAlive(pid) && !isServerOf(pid, data)) writeFileSync(pidFileOf(data), [`${2 ** 31 - 1}`, ...rest].join('\n'))
}

// A server listens within milliseconds, on a busy machine within seconds.
const maxStartMs = 60_000

/**
 * Starts a server on the given port, otherwise on the stored port or any free one. Resolves when it listens, but also when another process
 * was quicker or has stopped it, or the port was taken; the caller then looks for a server again. Throws EmbeddedError with the server's own
 * reason.
 */
export async function startPostmaster(cluster: Cluster, programs: Programs, extra: ServerSettings, port?: number): Promise<void> {
  disownPidFile(cluster.data)
  const wanted = port ?? ((await isFree(lastPort(cluster))) ? lastPort(cluster) : await freePort())
  const flags = Object.entries({ ...settings, ...extra, port: String(wanted) }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const log = openSync(cluster.logFile, 'a', 0o600)
  const begin = statSync(cluster.logFile).size
  const child = run(programs.postgres, ['-D', cluster.data, ...flags], cluster.user, ['ignore', log, log])
  closeSync(log)
  child.unref()

  let ended = false
  let failure: unknown
  child.on('error', error => (failure = error))
  child.on('exit', () => (ended = true))
  const isUp = () => {
    const found = findPostmaster(cluster.data)
    return found !== null && found.pid === child.pid && found.status !== ''
  }
  for (const deadline = Date.now() + maxStartMs; !ended && !failure && !isUp(); await sleep(5))
    if (Date.now() > deadline) throw new EmbeddedError(`The embedded PostgreSQL does not start to listen: see ${cluster.logFile}.`)
  if (failure) throw cannotRun(programs.postgres, failure)
  if (!ended) return writeFileSync(cluster.portFile, String(wanted))

  const output = readFileSync(cluster.logFile).subarray(begin).toString()
  const isOvertaken = /lock file .{1,300} already exists|shared memory block .{1,300} still in use/.test(output)
  const isTaken = port === undefined && /could not (bind|create any TCP)/.test(output)
  // By the guardian of a process that was killed: it stops a server that has no member yet.
  const isStopped = /received (smart|fast|immediate) shutdown request/.test(output)
  if (!isOvertaken && !isTaken && !isStopped)
    throw new EmbeddedError(`The embedded PostgreSQL on ${cluster.data} did not start: ${reasonIn(output)}.`, { cause: output })
}

/** Stops the server without waiting for its clients. Waits for its end, at most `maxWaitMs`. */
export async function stopPostmaster(cluster: Cluster, { pid }: Postmaster, maxWaitMs = 8_000): Promise<void> {
  try {
    process.kill(pid, 'SIGINT')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
  // The pid file disappears a moment before the process ends.
  for (const deadline = Date.now() + maxWaitMs; isAlive(pid) && isServerOf(pid, cluster.data) && Date.now() < deadline; ) await sleep(10)
}

// 10 MB: years of starts and stops, or a day of a client that keeps trying a wrong password.
const logLimitBytes = 10_000_000

/** Empties the server's log when it is too large. The server appends to the file, so it continues at the beginning. */
export function trimLog({ logFile }: Cluster): void {
  if (existsSync(logFile) && statSync(logFile).size > logLimitBytes) truncateSync(logFile)
}

const lastPort = ({ portFile }: Cluster) => (existsSync(portFile) ? Number(readFileSync(portFile, 'utf8')) : 0)

async function isFree(port: number): Promise<boolean> {
  return port > 0 && (await listenOn(port)) === port
}
const freePort = () => listenOn(0)

// The port if it is free, any free one for port 0; 0 when the port is in use.
function listenOn(port: number): Promise<number> {
  return new Promise(resolve => {
    const server = createServer()
    server.once('error', () => resolve(0))
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(address !== null && typeof address === 'object' ? address.port : 0))
    })
  })
}
