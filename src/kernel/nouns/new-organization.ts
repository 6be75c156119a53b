// Gifts of the domains to every new organization. Domains declare them here, because identity, which makes organizations, imports none of them.

import type { Context } from '../context.ts'
import { declarations } from './declared.ts'

/** Runs in the transaction that makes the organization. */
type Gift = (tx: Context, orgId: string) => Promise<void>

const gifts = declarations<Gift>('gift to new organizations')

/** Declares what every new organization gets. */
export const whenOrganizationIsMade = (name: string, give: Gift): void => gifts.add(name, give)

export async function giveToNewOrganization(tx: Context, orgId: string): Promise<void> {
  for (const give of gifts.all().values()) await give(tx, orgId)
}
