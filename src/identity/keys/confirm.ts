// Confirming API keys: after a change of the payer, the keys that others made before work again only as the new payer says so.

import { type Context, organizationOf } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { managing } from '../organizations/membership.ts'
import { payersOf } from '../organizations/payer.ts'
import { type ApiKey, keyEvents, lockApiKey, recordForEach } from './key.ts'

/** Confirms a key in the organization of the request, whose payer the signed-in user must be. Throws NOT_FOUND, FORBIDDEN. */
export function confirmApiKey(context: Context, id: string): Promise<ApiKey> {
  return managing(context, organizationOf(context), 'owner', async ({ context: inside, organizationId, userId }) => {
    const [payer] = await payersOf(inside, [organizationId])
    if (payer !== userId) throw new AppError('FORBIDDEN', 'Only who pays for the organization confirms its API keys')
    const { organizations, ...key } = await lockApiKey(inside.db, id, [organizationId])
    if (key.isConfirmed) return key
    const where = { apiKeyId_organizationId: { apiKeyId: id, organizationId } }
    await inside.db.prisma.apiKeyOrganization.update({ where, data: { unconfirmedSince: null } })
    await recordForEach(inside, keyEvents.confirmed, key, { label: key.label })
    return { ...key, isConfirmed: true }
  })
}
