// The server that a command asks, and the credential that it asks with.

import { CommandError, type Environment, exitStatus } from '../../terminal.ts'
import { readStore } from './store.ts'

export interface ServerFlags {
  /** The server's address. */
  url?: string
  /** The organization, by its id. */
  org?: string
}

export interface Server {
  url: string
  /** An API key or a session's token; null if there is none for this server. */
  token: string | null
  organizationId: string | null
}

const localServer = 'http://127.0.0.1:4000'

/** `--url`, ROLOCOM_URL, the server of the last sign-in, or the one on this machine; with ROLOCOM_API_KEY, or the sign-in kept for it. */
export function serverOf(environment: Environment, flags: ServerFlags): Server {
  const store = readStore(environment)
  const url = addressOf(flags.url ?? (environment.ROLOCOM_URL || undefined) ?? store.current ?? localServer)
  const token = environment.ROLOCOM_API_KEY || store.servers[url]?.token || null
  return { url, token, organizationId: flags.org ?? (environment.ROLOCOM_ORG || null) }
}

/** Whether a server is named, or the user has signed in to one. */
export const isSignedIn = (environment: Environment, url: string | undefined): boolean =>
  url !== undefined || Boolean(environment.ROLOCOM_URL || environment.ROLOCOM_API_KEY) || readStore(environment).current !== null

/** The same with a credential. Throws CommandError if there is none. */
export function requireSignIn(environment: Environment, flags: ServerFlags): Server & { token: string } {
  const { token, ...server } = serverOf(environment, flags)
  if (token === null)
    throw new CommandError(
      `Not signed in to ${server.url}. Run: rolocom login --url ${server.url}, or set ROLOCOM_API_KEY`,
      exitStatus.notSignedIn,
    )
  return { ...server, token }
}

/** The address without a slash at its end; the path of a proxy is kept. */
export function addressOf(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : null
  if (!url || !/^https?:$/.test(url.protocol))
    throw new CommandError(`"${given}" is not the address of a server: it looks like https://crm.example.com`, exitStatus.usage)
  return `${url.origin}${url.pathname}`.replace(/(?<!\/)\/+$/, '')
}
