// A PostgreSQL cluster of a row's own: made, started, paused, stopped hard, and started again on its port.

import { chmodSync, chownSync, cpSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { run, userFor } from '../../src/database/embedded/program.ts'
import { applyMigrations } from '../../src/database/migrations/migrate.ts'
import { freePort } from '../support/free-port.ts'
import { descendants, signal } from './processes.ts'
import { postgresPrograms } from './tools.ts'

export interface Cluster {
  port: number
  /** Of PostgreSQL's own files. */
  data: string
  /** Address of a database on it; by another port when there is something in between. */
  url(database?: string, port?: number): string
  /** Sends one statement on a connection of its own, and returns the rows. */
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[], database?: string): Promise<Row[]>
  /** Stops all of its processes where they are (SIGSTOP), and lets them go on. */
  pause(): void
  resume(): void
  start(): Promise<void>
  /** `immediate` is a crash. */
  stop(mode?: 'fast' | 'immediate'): Promise<void>
}

type Settings = Readonly<Record<string, string>>

/** Starts a cluster in the folder, with a migrated database `rolocom`. */
export async function startCluster(folder: string, settings: Settings = {}): Promise<Cluster> {
  const programs = await postgresPrograms()
  const data = join(folder, 'data')
  const user = userFor(data, programs)
  mkdirSync(data, { mode: 0o700 })
  if (user) chownSync(data, user.uid, user.gid)
  const init = ['-D', data, '--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync', '--no-instructions']
  await ended(run(programs.initdb, init, user, 'ignore'))
  const cluster = await clusterOn(data, settings)
  await cluster.start()
  await cluster.query('create database rolocom', [], 'postgres')
  await applyMigrations(cluster.url())
  return cluster
}

/** Starts a copy that follows the cluster, which is stopped for a moment. It takes no writes until it is promoted. */
export async function startStandby(folder: string, primary: Cluster): Promise<Cluster> {
  const data = join(folder, 'data')
  await primary.stop('fast')
  cpSync(primary.data, data, { recursive: true })
  rmSync(join(data, 'postmaster.pid'), { force: true })
  writeFileSync(join(data, 'standby.signal'), '')
  const { uid, gid } = statSync(primary.data)
  for (const path of [data, ...readdirSync(data, { recursive: true, encoding: 'utf8' }).map(name => join(data, name))])
    chownSync(path, uid, gid)
  chmodSync(data, 0o700)
  await primary.start()
  const standby = await clusterOn(data, {
    primary_conninfo: `host=127.0.0.1 port=${primary.port} user=postgres application_name=standby`,
  })
  await standby.start()
  return standby
}

async function clusterOn(data: string, settings: Settings): Promise<Cluster> {
  const programs = await postgresPrograms()
  const user = userFor(data, programs)
  const port = await freePort()
  const all = { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: String(port), max_connections: '100', ...settings }
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const url = (database = 'rolocom', at = port) => `postgresql://postgres@127.0.0.1:${at}/${database}`
  let postmaster: ReturnType<typeof run> | undefined
  const pids = () => (postmaster?.pid ? [postmaster.pid, ...descendants(postmaster.pid)] : [])

  const query: Cluster['query'] = async (text, values = [], database = 'rolocom') => {
    const client = new pg.Client({ connectionString: url(database), connectionTimeoutMillis: 3_000 })
    client.on('error', () => {})
    await client.connect()
    return await client
      .query(text, values)
      .then(({ rows }) => rows)
      .finally(() => client.end())
  }
  return {
    port,
    data,
    url,
    query,
    pause() {
      // The postmaster first, or it would bring forth others meanwhile.
      for (const pid of pids()) signal(pid, 'SIGSTOP')
    },
    resume() {
      for (const pid of pids().reverse()) signal(pid, 'SIGCONT')
    },
    async start() {
      postmaster = run(programs.postgres, ['-D', data, ...flags], user, 'ignore')
      for (const deadline = Date.now() + 60_000; Date.now() < deadline && postmaster.exitCode === null; await sleep(20)) {
        const isUp = await query('select 1', [], 'postgres').catch(() => undefined)
        if (isUp) return
      }
      throw new Error('the cluster did not start')
    },
    async stop(mode = 'immediate') {
      const stopping = postmaster
      postmaster = undefined
      if (stopping?.pid === undefined || stopping.exitCode !== null || stopping.signalCode !== null) return
      const exited = new Promise(resolve => stopping.once('exit', resolve))
      for (const pid of [stopping.pid, ...descendants(stopping.pid)].reverse()) signal(pid, 'SIGCONT')
      signal(stopping.pid, mode === 'fast' ? 'SIGINT' : 'SIGQUIT')
      await exited
    },
  }
}

function ended(child: ReturnType<typeof run>): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', status => (status === 0 ? resolve() : reject(new Error(`${child.spawnfile} ended with ${status}`))))
  })
}
