// etcd, and two PostgreSQL nodes that Patroni makes primary and synchronous standby, on loopback addresses.

import { chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { run, userFor } from '../../src/database/embedded/program.ts'
import { applyMigrations } from '../../src/database/migrations/migrate.ts'
import { freePort } from '../support/free-port.ts'
import { descendants, signal } from './processes.ts'
import { pathOf, postgresPrograms } from './tools.ts'

export interface Patroni {
  /** Names both nodes, and wants the primary. */
  url: string
  /** Kills the node that is the primary: its Patroni and its PostgreSQL at once. */
  killPrimary(): Promise<void>
  stop(): Promise<void>
}

/** How long etcd keeps the primary's key after its last renewal; Patroni's least. Until then no other node becomes the primary. */
export const ttlSeconds = 20
const startMs = 120_000

/** Resolves when the database `rolocom` is migrated and each commit waits for the standby. */
export async function startPatroni(folder: string): Promise<Patroni> {
  const programs = await postgresPrograms()
  const [etcd, etcdPeers] = [await freePort(), await freePort()]
  const user = userFor(join(folder, 'node1'), programs)
  if (user) chownSync(folder, user.uid, user.gid)
  const address = (port: number) => `http://127.0.0.1:${port}`
  const keeper = run(
    pathOf('etcd') ?? 'etcd',
    [
      ...['--data-dir', join(folder, 'etcd'), '--listen-client-urls', address(etcd), '--advertise-client-urls', address(etcd)],
      ...['--listen-peer-urls', address(etcdPeers), '--initial-advertise-peer-urls', address(etcdPeers)],
      ...['--initial-cluster', `default=${address(etcdPeers)}`],
    ],
    user,
    'ignore',
  )
  const nodes = [await startNode('node1'), await startNode('node2')]
  const url = (database: string) =>
    `postgresql://postgres:postgres@${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}/${database}?target_session_attrs=read-write`

  const stop = async () => {
    // Patroni first, or it would start PostgreSQL again.
    for (const node of nodes) kill(node)
    if (keeper.pid && keeper.exitCode === null) signal(keeper.pid, 'SIGKILL')
    for (const { data } of nodes)
      for (const until = Date.now() + 10_000; isAlive(postmasterOf(data)) && Date.now() < until; ) await sleep(50)
  }
  try {
    await eventually('one standby is synchronous', async () => {
      const states = await ask(await primaryOf(), 'select 1 from pg_stat_replication where sync_state = $1', ['sync'])
      return states.length === 1
    })
    await ask(await primaryOf(), 'create database rolocom')
    await applyMigrations(url('rolocom'))
  } catch (error) {
    await stop()
    throw error
  }
  return {
    url: url('rolocom'),
    async killPrimary() {
      kill(await primaryOf())
    },
    stop,
  }

  async function startNode(name: string) {
    const [port, api] = [await freePort(), await freePort()]
    const data = join(folder, name)
    mkdirSync(data, { mode: 0o700 })
    const file = join(folder, `${name}.json`)
    const log = join(folder, `${name}.log`)
    const account = { username: 'postgres', password: 'postgres' }
    // JSON is YAML too.
    const settings = {
      scope: 'rolocom',
      name,
      restapi: { listen: `127.0.0.1:${api}`, connect_address: `127.0.0.1:${api}` },
      etcd3: { host: `127.0.0.1:${etcd}` },
      bootstrap: {
        dcs: {
          ...{ ttl: ttlSeconds, loop_wait: 2, retry_timeout: 5, synchronous_mode: true },
          postgresql: { use_pg_rewind: false, parameters: { max_connections: 100, wal_level: 'replica', hot_standby: 'on' } },
        },
        initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'no-sync'],
      },
      postgresql: {
        ...{ listen: `127.0.0.1:${port}`, connect_address: `127.0.0.1:${port}`, data_dir: data, bin_dir: dirname(programs.postgres) },
        ...{ pgpass: join(folder, `${name}.pgpass`), parameters: { unix_socket_directories: folder } },
        authentication: { superuser: account, replication: account },
        pg_hba: ['local all all trust', 'host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
      },
    }
    writeFileSync(file, JSON.stringify(settings))
    writeFileSync(log, '')
    if (user) for (const path of [data, file, log]) chownSync(path, user.uid, user.gid)
    const child = run('/bin/sh', ['-c', `exec "${pathOf('patroni') ?? 'patroni'}" "${file}" >"${log}" 2>&1`], user, 'ignore')
    return { port, data, log, child }
  }

  type Node = Awaited<ReturnType<typeof startNode>>

  async function primaryOf(): Promise<Node> {
    let found: Node | undefined
    await eventually('one node is the primary', async () => {
      for (const node of nodes) {
        const [row] = await ask(node, 'select pg_is_in_recovery() as "isStandby"').catch(() => [])
        if (row?.isStandby === false) found = node
      }
      return found !== undefined
    })
    return found as Node
  }

  async function ask({ port }: Node, text: string, values: unknown[] = []) {
    const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres', connectionTimeoutMillis: 3_000 })
    client.on('error', () => {})
    await client.connect()
    return await client
      .query<{ isStandby?: boolean }>(text, values)
      .then(({ rows }) => rows)
      .finally(() => client.end())
  }

  async function eventually(what: string, isSo: () => Promise<boolean>): Promise<void> {
    for (const deadline = Date.now() + startMs; !(await isSo().catch(() => false)); await sleep(200))
      if (Date.now() > deadline)
        throw new Error(`not in time: ${what}\n${nodes.map(({ log }) => readFileSync(log, 'utf8').slice(-1500)).join('\n')}`)
  }
}

function kill({ data, child }: { data: string; child: ReturnType<typeof run> }): void {
  const postmaster = postmasterOf(data)
  const pids = [child.pid, postmaster].flatMap(pid => (pid ? [pid, ...descendants(pid)] : []))
  for (const pid of pids) signal(pid, 'SIGKILL')
}

/** Its first line is the process of PostgreSQL, which is no child of Patroni's. */
function postmasterOf(data: string): number | undefined {
  const file = join(data, 'postmaster.pid')
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) || undefined : undefined
}

function isAlive(pid: number | undefined): boolean {
  try {
    return pid !== undefined && process.kill(pid, 0)
  } catch {
    return false
  }
}
