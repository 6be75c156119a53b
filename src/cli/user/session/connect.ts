// Connects a command with its server.

import { type Client, type ClientOptions, createClient } from '../../../client/client.ts'
import type { Terminal } from '../../terminal.ts'
import { requireSignIn, type Server, type ServerFlags } from './server.ts'

/** Options of the client. */
export const optionsOf = ({ url, token, organizationId }: Server): ClientOptions => ({
  url,
  headers: { 'User-Agent': 'rolocom-cli' },
  ...(token !== null && { key: token }),
  ...(organizationId !== null && { orgId: organizationId }),
})

export const connectTo = (server: Server): Client => createClient(optionsOf(server))
/** The client of a signed-in user or an API key. Throws CommandError without a credential. */
export const connect = ({ environment }: Terminal, flags: ServerFlags): Client => connectTo(requireSignIn(environment, flags))
/** The client for what needs no credential, such as signing in. */
export const connectAsNobody = (url: string): Client => connectTo({ url, token: null, organizationId: null })
