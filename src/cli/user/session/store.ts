// Sign-ins, kept per server in a file that only its user can read.

import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname } from 'node:path'
import { CommandError, type Environment } from '../../terminal.ts'
import { credentialsPath } from './place.ts'

export interface SignIn {
  token: string
  userId: string
  /** When the session ends unless it is used: UTC, ISO 8601. */
  expiresAt: string
}

interface Credentials {
  /** The server of the last sign-in, which commands without `--url` use. */
  current: string | null
  servers: Record<string, SignIn>
}

export const storePath = (environment: Environment) =>
  credentialsPath({ platform: process.platform, environment, home: environment.HOME || homedir() })

/** The kept sign-ins; none if there is no file. Throws CommandError for a file that is none of ours. */
export function readStore(environment: Environment): Credentials {
  const path = storePath(environment)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (isMissing(error)) return { current: null, servers: {} }
    throw new CommandError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
  const credentials = parseCredentials(text)
  if (!credentials) throw new CommandError(`${path} is not a file of sign-ins: delete it, and sign in again with rolocom login`)
  return credentials
}

export function keepSignIn(environment: Environment, url: string, signIn: SignIn): void {
  const { servers } = readStore(environment)
  write(environment, { current: url, servers: { ...servers, [url]: signIn } })
}

/** Forgets the sign-in of a server. The file is removed with the last one. */
export function forgetSignIn(environment: Environment, url: string): void {
  const { current, servers } = readStore(environment)
  const { [url]: _forgotten, ...others } = servers
  const [first = null] = Object.keys(others)
  if (first === null) rmSync(storePath(environment), { force: true })
  else write(environment, { current: current === url ? first : current, servers: others })
}

// Written beside it, synced and renamed, so that a reader never meets half a file, also after a power cut.
function write(environment: Environment, credentials: Credentials): void {
  const path = storePath(environment)
  const beside = `${path}.${process.pid}`
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeFileSync(beside, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600, flush: true })
    // A file that was left there keeps its own mode.
    chmodSync(beside, 0o600)
    renameSync(beside, path)
  } catch (error) {
    rmSync(beside, { force: true })
    throw new CommandError(`${path} cannot be written: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function parseCredentials(text: string): Credentials | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  if (!isObject(value) || !isObject(value.servers)) return null
  const servers = Object.entries(value.servers).filter((entry): entry is [string, SignIn] => isSignIn(entry[1]))
  return { current: typeof value.current === 'string' ? value.current : null, servers: Object.fromEntries(servers) }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const isSignIn = (value: unknown): value is SignIn =>
  isObject(value) && [value.token, value.userId, value.expiresAt].every(member => typeof member === 'string')
const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT'
