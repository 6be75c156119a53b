// Clients whose id is the HTTPS address of their metadata (OAuth Client ID Metadata Document): read when a person is asked, kept for an hour.

import { z } from 'zod'
import type { OauthClient } from '../../generated/prisma/client.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, invalid } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { Invalid, valueError } from '../../kernel/input/problem.ts'
import { OutgoingError } from '../../kernel/outgoing/answer.ts'
import { clientNameOf } from '../applications/request.ts'
import { countOne } from '../provider/counted.ts'
import { registrable } from './redirect.ts'

const keptMs = 3_600_000
const timeoutMs = 5_000
// The draft's advice is 5 KB.
const maxBytes = 10_240

const metadata = z.object({
  client_id: z.string(),
  client_name: z.string().max(1000),
  redirect_uris: z.array(z.string()).min(1).max(10),
  client_secret: z.never().optional(),
})

/** Whether the id of a client is the address of its metadata: HTTPS, with a path, written as it will be asked for. */
export function isMetadataUrl(id: string): boolean {
  const url = id.length <= 500 ? URL.parse(id) : null
  return url?.href === id && url.protocol === 'https:' && url.pathname !== '/' && url.hash === '' && url.username === ''
}

/**
 * The client whose metadata is at the address. Only signed-in users have this server read it, so that strangers cannot send requests from
 * here. Throws UNAUTHENTICATED, RATE_LIMITED for a user who names too many, and INVALID when the document is not there or does not name its
 * own address.
 */
export async function clientOfDocument(context: Context, metadataUrl: string): Promise<OauthClient> {
  const { db, now, principal } = context
  const known = await db.prisma.oauthClient.findUnique({ where: { metadataUrl } })
  if (known?.readAt && now().getTime() - known.readAt.getTime() < keptMs) return known
  if (principal.kind !== 'session') throw new AppError('UNAUTHENTICATED', 'Sign in first: the metadata of this client is not known yet')
  const retryAfter = await countOne(context.services, { what: 'clientMetadata', who: principal.userId })
  if (retryAfter !== null) throw new AppError('RATE_LIMITED', 'Too many clients were named; wait before the next one', { retryAfter })
  const read = { ...(await readDocument(context, metadataUrl)), readAt: now() }
  return db.prisma.oauthClient.upsert({
    where: { metadataUrl },
    update: read,
    create: { id: newId(), metadataUrl, createdAt: now(), ...read },
  })
}

async function readDocument({ services }: Context, url: string): Promise<{ name: string; redirectUris: string[] }> {
  const refusal = (sentence: string) => invalid(valueError('clientId', sentence, url))
  try {
    const answer = await services.outgoing.send(url, { timeoutMs, maxBytes, headers: { accept: 'application/json' } })
    if (answer.status !== 200) throw refusal(`its address answers ${answer.status} and not 200`)
    const parsed = metadata.safeParse(answer.json())
    if (!parsed.success) throw refusal('its address has no metadata of a client without a secret')
    const { client_id, client_name, redirect_uris: redirectUris } = parsed.data
    if (client_id !== url) throw refusal('its metadata has another client_id')
    const { name, problems } = clientNameOf(client_name, 'clientId')
    if (problems.length > 0) throw refusal('its client_name is not a name of 1 to 100 characters')
    if (redirectUris.some(one => registrable(one) instanceof Invalid))
      throw refusal(
        'its metadata has a redirect address that is neither https://, nor a loopback address, nor of the scheme of an application',
      )
    return { name, redirectUris }
  } catch (error) {
    if (error instanceof OutgoingError) throw refusal(`its metadata could not be read: ${error.message}`)
    throw error
  }
}
