// One process builds in dist/ at a time.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive } from '../../database/embedded/cluster.ts'

/** Runs `work` while this process has the lock, a file with its id. The lock of a process that has died is removed. */
export async function exclusively<Result>(lock: string, work: () => Promise<Result>): Promise<Result> {
  mkdirSync(dirname(lock), { recursive: true })
  while (!tryCreate(lock)) {
    if (!isAlive(holderOf(lock))) rmSync(lock, { force: true })
    else await sleep(100)
  }
  try {
    return await work()
  } finally {
    rmSync(lock, { force: true })
  }
}

function tryCreate(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

// 0, a signal's own process group, counts as alive: the file was made a moment ago, or is gone already.
function holderOf(lock: string): number {
  try {
    return Number(readFileSync(lock, 'utf8'))
  } catch {
    return 0
  }
}
