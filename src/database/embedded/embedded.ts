// The embedded database: a PostgreSQL server that the first process starts and the last process stops.

import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'
import { type Cluster, openCluster, role } from './cluster.ts'
import { startGuardian } from './guardian.ts'
import { findPostmaster, type ServerSettings, startPostmaster, stopPostmaster, trimLog } from './postmaster.ts'
import { EmbeddedError, findPrograms, type Programs } from './program.ts'

export { EmbeddedError } from './program.ts'

export interface EmbeddedOptions {
  /** The folder that holds the database, in `postgres`. */
  dataDir: string
  log: Pick<Logger, 'info' | 'warn' | 'error'>
  /** Further server settings, by their names in postgresql.conf. They apply only if this process starts the server. */
  settings?: ServerSettings
}

export interface Embedded {
  url: string
  /** Stops using the server. The last process to do so stops the server. */
  stop(): Promise<void>
}

/**
 * Starts the server on this folder, or uses the running one, which belongs to another process or was left by a killed one. While this
 * process runs, a server that dies is restarted on its port. Throws EmbeddedError with one sentence.
 */
export async function startEmbedded({ dataDir, log, settings = {} }: EmbeddedOptions): Promise<Embedded> {
  const programs = await findPrograms()
  const cluster = await openCluster(resolve(dataDir), programs)
  const guardian = startGuardian(resolve(dataDir))
  const leaving = new AbortController()
  const server: Server = { cluster, programs, settings, log, signal: leaving.signal }
  trimLog(cluster)
  const trimming = setInterval(() => trimLog(cluster), 3_600_000).unref()

  let member = await enter(server)
  const { port } = member
  let revived: Promise<void> | undefined
  const watch = () =>
    member.connection.once('end', () => {
      if (!leaving.signal.aborted) revived = revive()
    })
  const revive = async () => {
    log.warn('the embedded database went away; bringing it back')
    for (let pauseMs = 50; !leaving.signal.aborted; pauseMs = Math.min(pauseMs * 2, 5_000)) {
      try {
        member = await enter(server, port)
        log.info('the embedded database is back')
        return void watch()
      } catch (error) {
        if (leaving.signal.aborted) return
        log.error({ err: error }, 'the embedded database does not start; trying again')
        await sleep(pauseMs)
      }
    }
  }
  watch()

  return {
    url: urlOf(cluster, port, database),
    async stop() {
      if (leaving.signal.aborted) return
      leaving.abort()
      clearInterval(trimming)
      await revived
      await leave(server, member)
      guardian.dismiss()
    },
  }
}

/**
 * Stops the server on this folder, on behalf of a process that was killed. Does nothing when no server runs or another process uses it.
 * Throws EmbeddedError with one sentence.
 */
export async function stopUnused(dataDir: string): Promise<void> {
  const cluster = await openCluster(resolve(dataDir), await findPrograms())
  for (const deadline = Date.now() + maxWaitMs; Date.now() < deadline; await sleep(100)) {
    const running = findPostmaster(cluster.data)
    if (!running) return
    const connection = running.status === 'ready' ? await connectAsMember(cluster, running.port) : null
    if (connection) return leave({ cluster }, { connection })
  }
}

interface Server {
  cluster: Cluster
  programs: Programs
  settings: ServerSettings
  log: EmbeddedOptions['log']
  signal: AbortSignal
}

/** A process that uses the server: its connection holds a shared advisory lock while the process lives. */
interface Member {
  connection: pg.Client
  port: number
}

const database = 'rolocom'
// Members connect to a database other than ours, so that ours can be renamed, dropped and used as a template.
const memberDatabase = 'postgres'
// An arbitrary number: no other program takes advisory locks in that database.
const memberLock = 4_170_118

// 5 minutes: recovery after a crash replays at most 1 GB of log, which takes less.
const maxWaitMs = 300_000

async function enter(server: Server, knownPort?: number): Promise<Member> {
  const { cluster, programs, settings, log, signal } = server
  const begin = Date.now()
  for (let told = false; Date.now() - begin < maxWaitMs && !signal.aborted; await sleep(10)) {
    if (!told && (told = Date.now() - begin > 3_000)) log.info('waiting for the embedded database')
    const running = findPostmaster(cluster.data)
    if (!running) {
      await startPostmaster(cluster, programs, settings, knownPort)
      continue
    }
    if (running.status !== 'ready') continue
    if (knownPort !== undefined && running.port !== knownPort)
      throw new EmbeddedError(`The embedded database moved from port ${knownPort} to ${running.port}: start this process again.`)
    const connection = await connectAsMember(cluster, running.port)
    if (connection) return { connection, port: running.port }
  }
  throw new EmbeddedError(`The embedded PostgreSQL on ${cluster.data} runs, but accepts no connections: see ${cluster.logFile}.`)
}

// Null when the server is starting, stopping or has no free connection: the caller tries again.
async function connectAsMember(cluster: Cluster, port: number): Promise<pg.Client | null> {
  const connection = new pg.Client({
    connectionString: urlOf(cluster, port, memberDatabase),
    application_name: 'rolocom member',
    keepAlive: true,
  })
  connection.on('error', () => {})
  try {
    await connection.connect()
    // Waits while the last member is stopping the server; this connection then ends, and this process starts the next server.
    await connection.query(`select pg_advisory_lock_shared(${memberLock})`)
    await ensureDatabase(connection)
    return connection
  } catch (error) {
    await connection.end().catch(() => {})
    const { code = '', message } = error as { code?: string; message: string }
    if (/^(57P0|53300|ECONN|EPIPE)/.test(code) || /terminated|not queryable/.test(message)) return null
    const wrong = code.startsWith('28') ? 'does not accept the password kept beside its data' : `does not work: ${message}`
    throw new EmbeddedError(`The embedded PostgreSQL on ${cluster.data} ${wrong}.`, { cause: error })
  }
}

async function ensureDatabase(connection: pg.Client): Promise<void> {
  const { rowCount } = await connection.query('select from pg_database where datname = $1', [database])
  if (rowCount) return
  await connection.query(`create database ${database}`).catch((error: { code?: string }) => {
    // Another member has created it in the meantime.
    if (error.code !== '42P04' && error.code !== '23505') throw error
  })
}

async function leave({ cluster }: Pick<Server, 'cluster'>, { connection }: Pick<Member, 'connection'>): Promise<void> {
  try {
    await connection.query(`select pg_advisory_unlock_shared(${memberLock})`)
    const isLast = await isLastMember(connection)
    const running = findPostmaster(cluster.data)
    // `isLastMember` keeps the lock until the server has ended: a process that starts now waits, and then starts the next server.
    if (isLast && running) await stopPostmaster(cluster, running)
  } catch {
    // The connection is closed, because the server has ended.
  }
  await connection.end().catch(() => {})
}

// Tries for 100 ms, because PostgreSQL needs a moment to notice that a member was killed.
async function isLastMember(connection: pg.Client): Promise<boolean> {
  for (let attempt = 0; attempt < 5; attempt++, await sleep(20)) {
    const { rows } = await connection.query<{ locked: boolean }>(`select pg_try_advisory_lock(${memberLock}) as locked`)
    if (rows[0]?.locked) return true
  }
  return false
}

const urlOf = ({ password }: Cluster, port: number, name: string) => `postgresql://${role}:${password}@127.0.0.1:${port}/${name}`
