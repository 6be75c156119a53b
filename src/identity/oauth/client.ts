// OAuth clients: they register themselves (RFC 7591), have no secret, and are forgotten when nobody lets them in.

import type { OauthClient } from '../../generated/prisma/client.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { isId, newId } from '../../kernel/ids.ts'
import { Invalid } from '../../kernel/input/problem.ts'
import { dayMs } from '../../kernel/retention.sql.ts'
import { clientNameOf } from '../applications/request.ts'
import { clientOfDocument, isMetadataUrl } from './document.ts'
import { countUnusedClients } from './oauth.sql.ts'
import { registrable } from './redirect.ts'
import { Refused } from './refused.ts'

export interface NewClient {
  name: string
  redirectUris: readonly string[]
}

// A client that nobody lets in is deleted after a day (see retention.sql.ts), so only the clients of the last day have to be counted.
const maxUnused = 10_000

/** Registers a client. Throws Refused, and RATE_LIMITED while too many wait for somebody to let them in. */
export async function registerClient(context: Context, { name: given, redirectUris }: NewClient): Promise<OauthClient> {
  const { db, now } = context
  const { name, problems } = clientNameOf(given, 'client_name')
  if (problems[0]) throw new Refused('invalid_client_metadata', `client_name: ${problems[0].message}`)
  for (const redirectUri of redirectUris) {
    const redirect = registrable(redirectUri)
    if (redirect instanceof Invalid) throw new Refused('invalid_redirect_uri', `redirect_uris: ${redirect.problems[0]?.message}`)
  }
  const [unused] = await db.query(countUnusedClients, [maxUnused, new Date(now().getTime() - dayMs).toISOString()])
  if ((unused?.count ?? 0) >= maxUnused)
    throw new AppError('RATE_LIMITED', `${maxUnused} clients wait to be used; register later`, { retryAfter: 3600 })
  return db.prisma.oauthClient.create({ data: { id: newId(), name, redirectUris: [...new Set(redirectUris)], createdAt: now() } })
}

/** The client; null for an id that none has. Throws what `clientOfDocument` throws for one whose id is an address. */
export async function findClient(context: Context, id: string): Promise<OauthClient | null> {
  if (isMetadataUrl(id)) return clientOfDocument(context, id)
  return isId(id) ? context.db.prisma.oauthClient.findFirst({ where: { id, metadataUrl: null } }) : null
}

/** The id by which the client names itself. */
export const publicIdOf = ({ id, metadataUrl }: OauthClient): string => metadataUrl ?? id
