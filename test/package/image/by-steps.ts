// An image by the Dockerfile's steps, and its server in the last stage's root. It shares this machine's network.

import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Container, Image } from './container.ts'
import { type Rooted, runIn, spawnIn } from './rooted.ts'
import { type Built, runSteps } from './steps.ts'

export async function buildBySteps(context: string, dockerfile: string, scratch: string): Promise<Image> {
  const built = await runSteps(context, dockerfile, scratch)
  const mounted = volumesOf(built, join(scratch, 'volumes'))
  return {
    run: command => runIn(built, command),
    start: async settings => {
      const environment = { ...built.environment, ...settings, HOST: '127.0.0.1' }
      return startServer(built, { ...built, environment, mounted, isReadOnly: true })
    },
    remove: async () => rmSync(scratch, { recursive: true, force: true }),
  }
}

// A new volume holds what the image has at its place, with its owners, which `cp` keeps.
function volumesOf({ root, volumes }: Built, folder: string): Record<string, string> {
  mkdirSync(folder)
  return Object.fromEntries(
    volumes.map((place, index) => {
      const volume = join(folder, String(index))
      execFileSync('cp', ['--archive', join(root, place), volume])
      return [place, volume]
    }),
  )
}

function startServer({ entrypoint, command, health }: Built, rooted: Rooted): Container {
  const child = spawnIn(rooted, [...entrypoint, ...command], { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'close')
  let log = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', chunk => (log += chunk))
  return {
    isHealthy: async () => {
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`The server ended: ${child.exitCode ?? child.signalCode}\n${log.slice(-3_000)}`)
      return runIn(rooted, health).then(
        () => true,
        () => false,
      )
    },
    stop: async graceSeconds => {
      child.kill('SIGTERM')
      const waiting = new AbortController()
      const late = sleep(graceSeconds * 1000, undefined, { signal: waiting.signal }).then(
        () => child.kill('SIGKILL'),
        () => {},
      )
      await ended
      waiting.abort()
      await late
      // As a shell counts a signal.
      return child.exitCode ?? 128
    },
  }
}
