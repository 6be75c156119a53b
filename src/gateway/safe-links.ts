// Which links of a reply are believed: all of them where only people of the organization have spoken, else the platform's own.

import type { Context } from '../context.ts'
import { statement } from '../database/client.ts'
import { addressesIn, defanged } from './links.ts'
import type { Run } from './run.sql.ts'
import { selectOwnTurns } from './turn.sql.ts'

// Heartbeats see events from outside; tools answer with records that outsiders wrote into.
const selectUntrusted = statement<{ isUntrusted: boolean }>(
  'gateway_is_untrusted',
  `select exists (select from gateway_runs where session_id = $1 and (kind = 'heartbeat' or origin is not null))
     or exists (select from gateway_turns where session_id = $1 and role = 'tool') as "isUntrusted"`,
)

/** The reply as it may leave. */
export async function withSafeLinks({ db, services }: Context, { sessionId, id }: Run, reply: string): Promise<string> {
  if (!/[./\\:\u3002]/.test(reply.normalize('NFKC'))) return reply
  const [found] = await db.query(selectUntrusted, [sessionId])
  if (!found?.isUntrusted) return reply
  const { PUBLIC_URL, gateway } = services.config
  const turns = (await db.query(selectOwnTurns, [sessionId, id])).filter(({ role }) => role === 'tool')
  // What the model itself wrote into a record does not become the platform's own by being told back.
  const written = JSON.stringify(turns.map(({ toolInput }) => toolInput))
  const known = new Set([...addressesIn(turns.map(({ toolOutput }) => toolOutput))].filter(address => !written.includes(address)))
  const own = PUBLIC_URL === undefined ? [] : [new URL(PUBLIC_URL).hostname]
  return defanged(reply, { allowedHosts: [...own, ...(gateway.channels.allowedLinkHosts ?? [])], known })
}
