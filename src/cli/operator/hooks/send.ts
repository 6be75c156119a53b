// Posts a payload to a hook of the running server, with the credential of its senders.

import { type Config, ConfigError, hookTokens } from '../../../config/environment.ts'
import type { Mapping } from '../../../config/gateway/mappings.ts'
import { userAgent } from '../../../config/user-agent.ts'
import { withoutEndSlash } from '../../../config/values.ts'
import { sign } from '../../../hooks/authentication/signatures.ts'
import { newId } from '../../../kernel/ids.ts'
import { cutText } from '../../../kernel/input/cut.ts'
import type { Command } from '../command.ts'

export interface Sent {
  name: string
  /** The secret of the mapping; without one the hook token is used. */
  auth: Mapping['auth']
  /** Names in lower case. */
  headers: Record<string, string>
  bytes: Buffer
}

// A minute: longer than any transform may take.
const timeoutMs = 60_000

/** Resolves with the response's body. Throws ConfigError when the request fails or is refused. */
export async function send({ config, options }: Command, { name, auth, headers, bytes }: Sent): Promise<string> {
  const base = withoutEndSlash(options.url ?? ownAddress(config))
  if (!URL.canParse(base)) throw new ConfigError([`--url ${base}: must look like http://127.0.0.1:4000`])
  const url = new URL(`${base}${config.gateway.hooks.path}/${name}`)
  url.search = options.query ?? ''
  const credential = auth?.hmac ? sign(auth.hmac, bytes, `msg_${newId()}`, new Date()) : bearer(auth?.token ?? hookTokens(config)[0])
  let response: Response
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': userAgent, ...headers, ...credential },
      body: new Uint8Array(bytes),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
  } catch (error) {
    const { cause } = error instanceof Error ? error : {}
    const reason = cause instanceof Error ? ` (${cause.message})` : ''
    throw new ConfigError([`nothing answers at ${base}${reason}: start the server with npm start, or name it with --url`])
  }
  const text = await response.text()
  if (!response.ok) throw new ConfigError([`${url.origin}${url.pathname} answered ${response.status}: ${cutText(text, 2000)}`])
  return text || String(response.status)
}

function bearer(token: string | undefined): Record<string, string> {
  if (token === undefined) throw new ConfigError(['HOOKS_TOKEN: is required to send to this hook, which takes no signature'])
  return { authorization: `Bearer ${token}` }
}

function ownAddress({ HOST, PORT }: Config): string {
  if (PORT === 0) throw new ConfigError(['PORT is 0, so nobody knows the server’s port: name its address with --url'])
  const host = HOST === '0.0.0.0' || HOST === '::' ? '127.0.0.1' : HOST
  return `http://${host.includes(':') ? `[${host}]` : host}:${PORT}`
}
