// The embedded PostgreSQL of a process that root started, and on a full disk.

import { execFileSync } from 'node:child_process'
import { chownSync, existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { query } from '../../support/database/database.ts'
import { enter, enterElsewhere, isRoot, killServer, newFolder, serverPid } from '../../support/database/embedded.ts'

const data = (folder: string) => join(folder, 'postgres', 'data')
const one = async (url: string, text: string) => Object.values((await query(url, text))[0] ?? {})[0]
const remember = (url: string) => query(url, 'create table remembered as select 42 as answer')
const remembered = (url: string) => one(url, 'select answer from remembered')

describe.runIf(isRoot)('started by root', () => {
  const nobody = 65534
  // daemon: a user that exists on every system and owns no files here.
  const user = { uid: 1, gid: 1 }
  const ownerOf = (pid: number | undefined) => statSync(`/proc/${pid}`).uid

  test('runs as nobody', async () => {
    const folder = newFolder()

    await enter(folder)

    expect(ownerOf(serverPid(folder))).toBe(nobody)
    expect(statSync(data(folder)).uid).toBe(nobody)
    expect(statSync(join(folder, 'postgres', 'password')).uid).toBe(0)
  })

  test('in a folder that only root may enter', async () => {
    const folder = newFolder(0o700)

    const first = await enter(folder)
    await remember(first.url)
    expect(ownerOf(serverPid(folder))).toBe(nobody)
    await first.stop()

    expect(await remembered((await enter(folder)).url)).toBe(42)
  })

  test('on the folder of an ordinary user runs as that user, who can use it again afterwards', async () => {
    const folder = newFolder()
    chownSync(folder, user.uid, user.gid)
    const first = await enterElsewhere(folder, user)
    await remember(first.url)
    expect(ownerOf(serverPid(folder))).toBe(user.uid)
    await first.end('SIGTERM')

    const asRoot = await enter(folder)
    expect(ownerOf(serverPid(folder))).toBe(user.uid)
    await asRoot.stop()

    const again = await enterElsewhere(folder, user)
    expect(await remembered(again.url)).toBe(42)
  })

  test('refuses an ordinary user with a sentence', async () => {
    const folder = newFolder()
    await (await enter(folder)).stop()

    await expect(enterElsewhere(folder, user)).rejects.toThrow(`${folder} cannot be used: it belongs to another user.`)
  })
})

describe.runIf(isRoot && canMount())('a full disk', () => {
  const mount = (folder: string, megabytes: number, ...options: string[]) =>
    execFileSync('mount', ['-t', 'tmpfs', '-o', [`size=${megabytes}m`, 'mode=755', ...options].join(','), 'tmpfs', folder])

  function smallDisk(megabytes: number): string {
    const folder = newFolder()
    mount(folder, megabytes)
    onTestFinished(async () => {
      await killServer(folder)
      execFileSync('umount', ['-l', folder])
    })
    return folder
  }

  test('at the first start is reported in a sentence, and leaves no files', async () => {
    const folder = smallDisk(20)

    await expect(enter(folder)).rejects.toThrow(`The embedded database could not be made in ${folder}: the disk is full.`)

    expect(readdirSync(folder)).toEqual([])
    mount(folder, 300, 'remount')
    await enter(folder)
  })

  test('refuses writes and answers reads, and needs no restart once there is room', async () => {
    const folder = smallDisk(300)
    const { url } = await enter(folder)
    await remember(url)
    await query(url, `create table filler (text text); alter table filler alter text set storage external`)
    const ballast = join(folder, 'ballast')
    execFileSync('sh', ['-c', `dd if=/dev/zero of=${ballast} bs=1M 2>/dev/null || true`])

    const written = query(url, `insert into filler select repeat('x', 1000000) from generate_series(1, 50)`)
    await expect(written).rejects.toMatchObject({ code: '53100' })
    expect(await remembered(url)).toBe(42)

    execFileSync('rm', [ballast])
    await vi.waitFor(() => query(url, `insert into filler select repeat('x', 1000000)`), 20_000)
    expect(await remembered(url)).toBe(42)
  })
})

function canMount(): boolean {
  try {
    execFileSync('unshare', ['--mount', 'true'], { stdio: 'ignore' })
    return existsSync('/proc/mounts')
  } catch {
    return false
  }
}
