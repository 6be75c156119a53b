// Whether a request for a socket comes from the carrier of the call.

import type { IncomingMessage } from 'node:http'
import type { Services } from '../../../kernel/context.ts'
import type { ProviderName } from '../../providers/telephony.ts'
import { relayUrl } from './address.ts'
import { hashOf } from './line.ts'

/**
 * Checks the carrier's signature of the address, where the carrier signs it. The provider of the call is looked up by the token, which is not
 * used up here.
 */
export async function isFromCarrier({ database, telephony, config }: Services, token: string, req: IncomingMessage): Promise<boolean> {
  if (token === '' || token.length > 100) return false
  const row = await database.prisma.conversation.findUnique({ where: { tokenHash: hashOf(token) }, select: { callId: true, orgId: true } })
  const call = row?.callId
    ? await database.prisma.call.findFirst({ where: { id: row.callId, orgId: row.orgId }, select: { provider: true } })
    : null
  if (!call) return false
  const provider = telephony[call.provider as ProviderName]
  if (!provider) return false
  const header = (name: string) => {
    const value = req.headers[name]
    return typeof value === 'string' ? value : undefined
  }
  return provider.verifySocket?.(relayUrl(config, token), header) ?? true
}
