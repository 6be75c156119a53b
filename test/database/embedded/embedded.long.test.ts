// The embedded PostgreSQL: its first start, restarts, crashes, and folders that cannot be used.

import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { findPrograms } from '../../../src/database/embedded/program.ts'
import { query } from '../../support/database/database.ts'
import { enter, enterElsewhere, isAlive, killServer, newFolder, serverPid } from '../../support/database/embedded.ts'

const data = (folder: string) => join(folder, 'postgres', 'data')
const one = async (url: string, text: string) => Object.values((await query(url, text))[0] ?? {})[0]
const remember = (url: string) => query(url, 'create table remembered as select 42 as answer')
const remembered = (url: string) => one(url, 'select answer from remembered')

describe('the first start', () => {
  test('creates a database with a generated password, reachable from this machine only', async () => {
    const folder = newFolder()

    const { url } = await enter(folder)

    const setting = (name: string) => one(url, `show ${name}`)
    expect(new URL(url)).toMatchObject({ protocol: 'postgresql:', hostname: '127.0.0.1', username: 'rolocom', pathname: '/rolocom' })
    expect(await setting('listen_addresses')).toBe('127.0.0.1')
    expect(await setting('unix_socket_directories')).toBe('')
    expect(await setting('fsync')).toBe('on')
    expect(await setting('server_encoding')).toBe('UTF8')
    expect(await one(url, `select string_agg(distinct auth_method, ',') from pg_hba_file_rules`)).toBe('scram-sha-256')
    expect(statSync(join(folder, 'postgres', 'password')).mode & 0o777).toBe(0o600)
    expect(statSync(data(folder)).mode & 0o777).toBe(0o700)
    const wrong = new URL(url)
    wrong.password = 'wrong'
    await expect(query(wrong.href, 'select 1')).rejects.toThrow('password authentication failed')
  })

  test('by several processes at once ends with one server for all of them', async () => {
    const folder = newFolder()

    const members = await Promise.all([enter(folder), enterElsewhere(folder), enterElsewhere(folder)])

    expect(new Set(members.map(({ url }) => url)).size).toBe(1)
    expect(readdirSync(folder)).toEqual(['postgres'])
  })

  test('under a strict umask', async () => {
    const folder = newFolder()
    const before = process.umask(0o077)
    onTestFinished(() => void process.umask(before))

    const { url } = await enter(join(folder, 'deeper', 'data'))
    onTestFinished(() => killServer(join(folder, 'deeper', 'data')))

    expect(await one(url, 'select 1')).toBe(1)
  })

  test('can be repeated after it was interrupted', async () => {
    const folder = newFolder()
    const dead = execFileSync('sh', ['-c', 'echo $$'], { encoding: 'utf8' }).trim()
    for (const pid of [dead, process.pid]) mkdirSync(join(folder, `postgres.${pid}.new`, 'data'), { recursive: true })

    await enter(folder)

    expect(readdirSync(folder)).toEqual(['postgres'])
  })
})

describe('a restart', () => {
  test('keeps the data and the address', async () => {
    const folder = newFolder()
    const first = await enter(folder)
    await remember(first.url)
    await first.stop()
    expect(serverPid(folder)).toBeUndefined()

    const second = await enter(folder)

    expect(second.url).toBe(first.url)
    expect(await remembered(second.url)).toBe(42)
  })

  test('takes another port when the old one is taken', async () => {
    const folder = newFolder()
    const first = await enter(folder)
    await remember(first.url)
    await first.stop()
    const squatter = createServer().listen(Number(new URL(first.url).port), '127.0.0.1')
    onTestFinished(() => void squatter.close())

    const second = await enter(folder)

    expect(new URL(second.url).port).not.toBe(new URL(first.url).port)
    expect(await remembered(second.url)).toBe(42)
  })
})

describe('a process killed with -9', () => {
  test('leaves its server running, and the next one adopts it', async () => {
    const folder = newFolder()
    const killed = await enterElsewhere(folder)
    await remember(killed.url)
    const server = serverPid(folder)
    await killed.end('SIGKILL')
    expect(isAlive(server)).toBe(true)

    const next = await enter(folder)

    expect(serverPid(folder)).toBe(server)
    expect(await remembered(next.url)).toBe(42)
    await next.stop()
    // Its memory is freed before the process has ended.
    await vi.waitFor(() => expect(isAlive(server)).toBe(false), 20_000)
  })

  test('and not started again leaves no server behind', async () => {
    const folder = newFolder()
    const killed = await enterElsewhere(folder)
    const server = serverPid(folder)

    await killed.end('SIGKILL', { group: true })

    await vi.waitFor(() => expect(isAlive(server)).toBe(false), 20_000)
    expect(serverPid(folder)).toBeUndefined()
  })

  test('leaves the server to a process that uses it too', async () => {
    const folder = newFolder()
    const killed = await enterElsewhere(folder)
    const other = await enter(folder)
    await remember(other.url)
    const server = serverPid(folder)

    await killed.end('SIGKILL')
    // Longer than the guardian of the killed process waits.
    await sleep(6_000)

    expect(isAlive(server)).toBe(true)
    expect(await remembered(other.url)).toBe(42)
  })

  test('together with its server loses nothing that was committed', async () => {
    const folder = newFolder()
    const killed = await enterElsewhere(folder)
    await remember(killed.url)
    await killed.end('SIGKILL')
    await killServer(folder)
    expect(serverPid(folder)).toBeDefined()

    const next = await enter(folder)

    expect(await remembered(next.url)).toBe(42)
  })

  test('whose id in the pid file now belongs to another process does not prevent a start', async () => {
    const folder = newFolder()
    const first = await enterElsewhere(folder)
    await remember(first.url)
    await first.end('SIGKILL')
    await killServer(folder)
    const file = join(data(folder), 'postmaster.pid')
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^\d+/, String(process.pid)))

    const next = await enter(folder)

    expect(await remembered(next.url)).toBe(42)
  })
})

describe('several processes', () => {
  test('share one server, which the last one stops, whichever started it', async () => {
    const folder = newFolder()
    const starter = await enterElsewhere(folder)
    const server = serverPid(folder)
    const second = await enter(folder)
    expect(second.url).toBe(starter.url)

    await starter.end('SIGTERM')
    expect(isAlive(server)).toBe(true)
    expect(await one(second.url, 'select 1')).toBe(1)

    await second.stop()
    // Its memory is freed before the process has ended.
    await vi.waitFor(() => expect(isAlive(server)).toBe(false), 20_000)
  })

  test('get a server even when one starts while the last one is stopping it', async () => {
    const folder = newFolder()
    const leaving = await enter(folder)
    await remember(leaving.url)

    const [, coming] = await Promise.all([leaving.stop(), enterElsewhere(folder)])

    expect(await remembered(coming.url)).toBe(42)
  })

  test('one gets a server though another stops the one that it has just started', async () => {
    const folder = newFolder()
    const former = await enter(folder)
    await remember(former.url)
    await former.stop()
    // As the guardian of a killed process does, while the starting one is busy: loading the program blocks it for a second.
    const stopIt = 'until [ -s "$0" ]; do sleep 0.01; done; sleep 0.1; kill -INT "$(head -n 1 "$0")"'
    spawn('/bin/sh', ['-c', stopIt, join(data(folder), 'postmaster.pid')], { stdio: 'ignore' })

    const entering = enter(folder)
    while (serverPid(folder) === undefined) await sleep(1)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000)

    expect(await remembered((await entering).url)).toBe(42)
  })

  test('a killed one does not count', async () => {
    const folder = newFolder()
    const killed = await enterElsewhere(folder)
    const last = await enter(folder)
    await killed.end('SIGKILL')
    const server = serverPid(folder)

    // PostgreSQL notices the killed process when its connection ends, which takes a moment.
    await vi.waitFor(async () => {
      expect(await one(last.url, `select count(*)::int from pg_stat_activity where application_name = 'rolocom member'`)).toBe(1)
    }, 20_000)
    await last.stop()

    // Its parent was killed, so another process has to collect its exit status.
    await vi.waitFor(() => expect(isAlive(server)).toBe(false), 20_000)
  })

  test('Ctrl-C in the terminal reaches the process, not its server', async () => {
    const folder = newFolder()
    const interrupted = await enterElsewhere(folder)

    const status = await interrupted.end('SIGINT', { group: true })

    expect(status).toBe(0)
    expect(serverPid(folder)).toBeUndefined()
  })
})

describe('a server that dies while it is used', () => {
  test('is started again on its port', async () => {
    const folder = newFolder()
    const messages: string[] = []
    const { url } = await enter(folder, pino({ base: undefined }, { write: (line: string) => void messages.push(JSON.parse(line).msg) }))
    await remember(url)
    const server = serverPid(folder)

    await killServer(folder)

    await vi.waitFor(async () => expect(await remembered(url)).toBe(42), 20_000)
    expect(serverPid(folder)).not.toBe(server)
    await vi.waitFor(
      () => expect(messages).toEqual(['the embedded database went away; bringing it back', 'the embedded database is back']),
      20_000,
    )
  })
})

describe('a folder that cannot be used', () => {
  test('because another major version wrote it', async () => {
    const folder = newFolder()
    await (await enter(folder)).stop()
    writeFileSync(join(data(folder), 'PG_VERSION'), '17\n')

    await expect(enter(folder)).rejects.toThrow(
      `${data(folder)} was written by PostgreSQL 17, and this release brings 18. Dump it with the release that wrote it and restore the dump here, or set DATA_DIR to another folder.`,
    )
  })

  test('because its password does not fit', async () => {
    const folder = newFolder()
    await (await enter(folder)).stop()
    writeFileSync(join(folder, 'postgres', 'password'), 'another')

    await expect(enter(folder)).rejects.toThrow('does not accept the password kept beside its data')
  })

  test('because it is a file', async () => {
    const folder = newFolder()
    writeFileSync(join(folder, 'taken'), '')

    await expect(enter(join(folder, 'taken'))).rejects.toThrow(/taken.*cannot be used/)
  })

  test('because a setting is refused: the reason is the server’s own', async () => {
    const folder = newFolder()
    await (await enter(folder)).stop()
    writeFileSync(join(data(folder), 'postgresql.conf'), 'work_mem = lots\n')

    await expect(enter(folder)).rejects.toThrow(/did not start: configuration file .* contains errors/)
  })
})

test('on a platform without an embedded PostgreSQL the error says what to do instead', async () => {
  await expect(findPrograms('linux-riscv64')).rejects.toThrow(
    'There is no embedded PostgreSQL for linux-riscv64. Set DATABASE_URL to a PostgreSQL 15 or newer instead.',
  )
})
