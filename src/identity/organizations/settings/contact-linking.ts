// Whether new contacts of an organization are linked to companies by the domain of their address.

import { type Context, organizationOf } from '../../../kernel/context.ts'
import { recordEvent } from '../../../kernel/events/events.ts'
import { managing, reloadOrganization } from '../membership.ts'
import { organizationEvents } from '../organization.sql.ts'
import type { Organization } from '../organization.ts'

export async function linksContacts({ db }: Pick<Context, 'db'>, id: string): Promise<boolean> {
  return (await db.prisma.organization.findUnique({ where: { id }, select: { linksContacts: true } }))?.linksContacts ?? true
}

/** Throws FORBIDDEN. */
export function setContactLinking(context: Context, isOn: boolean): Promise<Organization> {
  return managing(context, organizationOf(context), 'admin', async ({ context: inside, organizationId: id }) => {
    const before = await linksContacts(inside, id)
    if (before !== isOn) {
      await inside.db.prisma.organization.update({ where: { id }, data: { linksContacts: isOn } })
      await recordEvent(inside, { type: organizationEvents.updated, entityId: id, orgId: id, changes: { linksContacts: [before, isOn] } })
    }
    return reloadOrganization(inside, id)
  })
}
