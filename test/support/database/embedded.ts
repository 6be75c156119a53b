// For tests of the embedded database: folders, processes that share one, and the server they share.

import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { type Embedded, startEmbedded } from '../../../src/database/embedded/embedded.ts'

export const isRoot = process.getuid?.() === 0

/** A new folder for a test. A server on it is stopped after the test. */
export function newFolder(mode = 0o755): string {
  const folder = mkdtempSync(join(tmpdir(), 'rolocom-embedded-'))
  chmodSync(folder, mode)
  onTestFinished(async () => {
    await killServer(folder)
    rmSync(folder, { recursive: true, force: true })
  })
  return folder
}

/** Starts or joins in this process. */
export async function enter(dataDir: string, log = pino({ level: 'silent' })): Promise<Embedded> {
  const embedded = await startEmbedded({ dataDir, log })
  onTestFinished(() => embedded.stop())
  return embedded
}

/** Starts or joins in a process of its own, optionally as another user. Throws its error output. */
export async function enterElsewhere(dataDir: string, as: { uid?: number; gid?: number } = {}) {
  const script = join(import.meta.dirname, 'member.ts')
  const child = spawn(process.execPath, [script, dataDir], { ...as, cwd: '/', stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  const ended = new Promise<number | null>(resolve => child.on('close', resolve))
  let complaint = ''
  child.stderr.on('data', chunk => (complaint += chunk))
  const url = await Promise.race([ended, new Promise(resolve => child.stdout.once('data', chunk => resolve(String(chunk).trim())))])
  if (typeof url !== 'string') throw new Error(complaint.trim())
  onTestFinished(() => void child.kill('SIGKILL'))
  const pid = child.pid ?? 0
  return {
    url,
    pid,
    /** Ends it by a signal; to the whole group, as a terminal does, when told. Resolves with its exit status. */
    async end(signal: NodeJS.Signals, { group = false } = {}): Promise<number | null> {
      process.kill(group ? -pid : pid, signal)
      return await ended
    },
  }
}

/** The process id of the server on this folder, running or not. */
export function serverPid(dataDir: string): number | undefined {
  const file = join(dataDir, 'postgres', 'data', 'postmaster.pid')
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : undefined
}

export function isAlive(pid: number | undefined): boolean {
  if (pid === undefined) return false
  try {
    process.kill(pid, 0)
    // A process that ended and was not yet collected by its parent counts as ended.
    return !existsSync('/proc/self/stat') || !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** Kills the server as a power cut would. */
export async function killServer(dataDir: string): Promise<void> {
  const pid = serverPid(dataDir)
  if (pid === undefined || pid === process.pid || !isAlive(pid)) return
  process.kill(pid, 'SIGKILL')
  while (isAlive(pid)) await sleep(10)
}
