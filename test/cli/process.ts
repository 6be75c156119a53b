// Processes of main.ts, each in a folder of its own.

import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished, vi } from 'vitest'
import { createTestDatabase } from '../support/database/database.ts'

export const main = join(import.meta.dirname, '../../src/main.ts')
export const secrets = {
  SVC_SERVICES_TOKEN: 'cli-service-token-0123456789',
  HOOKS_TOKEN: 'cli-hook-token-0123456789',
  IDENTITY_SECRET: 'cli-identity-secret-0123456789abcdef',
}

export const production = {
  ...secrets,
  NODE_ENV: 'production',
  // Without the pages, for which the web app would have to be built.
  ROLES: 'api,session,gateway,worker',
  PUBLIC_URL: 'https://crm.example',
  SMTP_URL: 'smtp://mail.example:25',
}

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rolocom-cli-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Runs a command in an empty folder, with nothing in its environment but what is said here. */
export const run = (words: string[], env: Record<string, string>) => watched(process.execPath, [main, ...words], newFolder(), env)

export function watched(file: string, args: string[], cwd: string, env: Record<string, string>) {
  const child = spawn(file, args, { cwd, env: { PATH: process.env.PATH ?? '', PORT: '0', ...env }, detached: true })
  const said = { out: '', err: '' }
  child.stdout.on('data', chunk => (said.out += chunk))
  child.stderr.on('data', chunk => (said.err += chunk))
  const ended = new Promise<number | null>(resolve => child.on('close', resolve))
  onTestFinished(() => {
    // Its whole group: what npm has started may have outlived npm.
    try {
      process.kill(-(child.pid as number), 'SIGKILL')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  })
  return {
    said,
    ended,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    /** Resolves with its address once it serves. */
    async ready(): Promise<string> {
      return await vi.waitFor(
        () => /ready at (\S+)/.exec(said.out)?.[1] ?? Promise.reject(new Error(`it does not serve: ${said.err}${said.out}`)),
        { timeout: 20_000 },
      )
    },
  }
}

export async function givenDatabase(options?: { empty: boolean }): Promise<string> {
  const database = await createTestDatabase(options)
  onTestFinished(() => database.drop())
  return database.url
}

/** The key of a first start that nobody looked at. */
export const keyIn = (dataDir: string) => /rcm_\w{38}/.exec(readFileSync(join(dataDir, 'first-start.txt'), 'utf8'))?.[0]
export const isFirst = (text: string) => text.includes('first-start.txt')
export const asJson = (text: string) =>
  text
    .split('\n')
    .filter(line => line.startsWith('{'))
    .map(line => JSON.parse(line) as Record<string, unknown>)
