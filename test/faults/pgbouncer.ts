// PgBouncer in front of a database, in transaction mode unless `settings` say otherwise.

import { spawn } from 'node:child_process'
import { chownSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../support/free-port.ts'
import { pathOf } from './tools.ts'

export interface PgBouncer {
  port: number
  /** The address of the database through it. */
  url: string
  pid: number
  stop(): Promise<void>
}

// It refuses to run as root; any other user will do.
const nobody = 65534

export async function startPgBouncer(
  folder: string,
  databaseUrl: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<PgBouncer> {
  const port = await freePort()
  const isRoot = process.getuid?.() === 0
  const users = join(folder, 'users.txt')
  const { hostname, port: databasePort, username, password } = new URL(databaseUrl)
  const url = Object.assign(new URL(databaseUrl), { hostname: '127.0.0.1', port: String(port) }).href
  writeFileSync(users, `"${username}" "${password}"\n`)
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    unix_socket_dir: '',
    auth_type: 'trust',
    auth_file: users,
    pool_mode: 'transaction',
    max_client_conn: '500',
    default_pool_size: '20',
    ...settings,
  }
  const file = join(folder, 'pgbouncer.ini')
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`)
  writeFileSync(file, `[databases]\n* = host=${hostname} port=${databasePort || 5432}\n\n[pgbouncer]\n${lines.join('\n')}\n`)
  if (isRoot) for (const path of [folder, users, file]) chownSync(path, nobody, nobody)
  const child = spawn(pathOf('pgbouncer') ?? 'pgbouncer', [file], {
    stdio: 'ignore',
    cwd: '/',
    ...(isRoot && { uid: nobody, gid: nobody }),
  })
  for (const deadline = Date.now() + 20_000; ; await sleep(50)) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
    client.on('error', () => {})
    const isUp = await client.connect().then(
      () => true,
      () => false,
    )
    await client.end().catch(() => {})
    if (isUp) break
    if (Date.now() > deadline || child.exitCode !== null) throw new Error('PgBouncer did not start')
  }
  return {
    port,
    url,
    pid: child.pid ?? 0,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exited = new Promise(resolve => child.once('exit', resolve))
      child.kill('SIGKILL')
      await exited
    },
  }
}
