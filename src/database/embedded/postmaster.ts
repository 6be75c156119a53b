// The server process of a data directory: who it is, starting it, stopping it.

import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Cluster, isAlive, reasonIn } from './cluster.ts'
import { cannotRun, EmbeddedError, type Programs, run } from './program.ts'

export type ServerSettings = Readonly<Record<string, string>>

// PostgreSQL's own defaults are right for most; these are for a server beside its only application.
const settings: ServerSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '128MB',
  // Data sits on an SSD or in memory: an index read is hardly dearer than a sequential one.
  random_page_cost: '1.1',
  jit: 'off',
  // A statement whose client was killed ends soon after it.
  client_connection_check_interval: '5s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Errors go to the client, which logs them without the row that was refused.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
}

export interface Postmaster {
  pid: number
  port: number
  /** Empty until it listens: its port may still be taken. */
  status: '' | 'starting' | 'ready' | 'stopping'
}

/** The server running on this directory, if one is. A pid file whose process died, or is another program by now, counts as none. */
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

// Process ids come back: after a reboot the one in the file may be anybody's. A server was told its data directory.
function isServerOf(pid: number, data: string): boolean {
  if (!existsSync('/proc/self/cmdline')) return spawnSync('ps', ['-o', 'command=', '-p', String(pid)]).stdout.includes(data)
  try {
    // Not its working directory, which root in a container may not see of another user's process.
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(data)
  } catch {
    return false
  }
}

// PostgreSQL believes any living process of that number; the rest of the file guards memory that may still be in use, and stays.
function disownPidFile(data: string): void {
  const [first = '', ...rest] = pidFile(data)
  const pid = Number(first)
  if (pid > 0 && isAlive(pid) && !isServerOf(pid, data)) writeFileSync(pidFileOf(data), [`${2 ** 31 - 1}`, ...rest].join('\n'))
}

// It listens within milliseconds, on a machine that does nothing else within a second.
const startPatienceMs = 60_000

/**
 * Starts a server, on the port when one is given, else on the remembered or any free one. Resolves when it listens, or when it gave way
 * to somebody quicker: look again then. Throws EmbeddedError with the server's own reason.
 */
export async function startPostmaster(cluster: Cluster, programs: Programs, extra: ServerSettings, port?: number): Promise<void> {
  disownPidFile(cluster.data)
  const wanted = port ?? ((await isFree(remembered(cluster))) ? remembered(cluster) : await freePort())
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
  for (const deadline = Date.now() + startPatienceMs; !ended && !failure && !isUp(); await sleep(5))
    if (Date.now() > deadline) throw new EmbeddedError(`The embedded PostgreSQL does not start to listen: see ${cluster.logFile}.`)
  if (failure) throw cannotRun(programs.postgres, failure)
  if (!ended) return writeFileSync(cluster.portFile, String(wanted))

  const output = readFileSync(cluster.logFile).subarray(begin).toString()
  const isOvertaken = /lock file .* already exists|shared memory block .* still in use/.test(output)
  const isTaken = port === undefined && /could not (bind|create any TCP)/.test(output)
  if (!isOvertaken && !isTaken)
    throw new EmbeddedError(`The embedded PostgreSQL on ${cluster.data} did not start: ${reasonIn(output)}.`, { cause: output })
}

/** Ends the server without waiting for its clients, and waits until it has ended. At most `patienceMs`; it goes on ending after that. */
export async function stopPostmaster(cluster: Cluster, { pid }: Postmaster, patienceMs = 8_000): Promise<void> {
  try {
    process.kill(pid, 'SIGINT')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
  // The pid file goes a moment before the process does.
  for (const deadline = Date.now() + patienceMs; isAlive(pid) && isServerOf(pid, cluster.data) && Date.now() < deadline; ) await sleep(10)
}

// 10 MB: years of starts and stops, a day of a client that keeps using a wrong password.
const logLimitBytes = 10_000_000

/** Keeps the server's log from growing for ever. It is opened for appending: emptied, it is written on from its start. */
export function trimLog({ logFile }: Cluster): void {
  if (existsSync(logFile) && statSync(logFile).size > logLimitBytes) truncateSync(logFile)
}

const remembered = ({ portFile }: Cluster) => (existsSync(portFile) ? Number(readFileSync(portFile, 'utf8')) : 0)

async function isFree(port: number): Promise<boolean> {
  return port > 0 && (await listenOn(port)) === port
}
const freePort = () => listenOn(0)

// The port that could be listened on; 0 when it is taken.
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
