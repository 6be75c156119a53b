// Sample data: contacts, companies, deals, tasks, an agent and its calls that fill a new organization, and that one mutation removes again. The organization
// keeps the ids of its sample data. So a contact with another name or without the tag is still known as sample data.

import { deleteSample, lockSample } from '../../contacts/sample/remove.ts'
import { deleteSampleEnrichment } from '../../enrichment/sample/write.ts'
import { managing, reloadOrganization } from '../../identity/organizations/membership.ts'
import { organizationEvents } from '../../identity/organizations/organization.sql.ts'
import type { Organization } from '../../identity/organizations/organization.ts'
import { type Context, organizationOf } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { deleteSampleVoice } from '../../voice/sample/remove.ts'
import { writeSample } from './write.ts'

/** Throws FORBIDDEN, and CONFLICT where sample data is there already. */
export function addSampleData(context: Context): Promise<Organization> {
  return managing(context, organizationOf(context), 'admin', async ({ context: inside, organizationId: orgId, userId }) => {
    if (await hasSampleData(inside, orgId))
      throw new AppError('CONFLICT', 'There is sample data already: remove it before you add it again')
    const added = await writeSample(inside, userId)
    await inside.db.prisma.sampleData.create({ data: { orgId, ...added, createdAt: inside.now() } })
    const changes = { contacts: added.contactIds.length, companies: added.companyIds.length, deals: added.dealIds.length }
    await recordEvent(inside, { type: organizationEvents.sample_data_added, entityId: orgId, orgId, changes })
    return reloadOrganization(inside, orgId)
  })
}

/**
 * Deletes what `addSampleData` has added for good, with what hangs on it. A contact that was merged with a person's own stays, and so does an
 * agent that has called others, and a company that a person's own contacts or deals have. Throws FORBIDDEN, and CONFLICT where there is none, or while a call is under way.
 */
export function removeSampleData(context: Context): Promise<Organization> {
  return managing(context, organizationOf(context), 'admin', async ({ context: inside, organizationId: orgId }) => {
    const added = await inside.db.prisma.sampleData.findUnique({ where: { orgId } })
    if (!added) throw new AppError('CONFLICT', 'There is no sample data: it was removed already, or never added')
    const contactIds = await lockSample(inside, orgId, added.contactIds)
    await deleteSampleVoice(inside, orgId, { ...added, contactIds })
    await deleteSampleEnrichment(inside, orgId, contactIds)
    await deleteSample(inside, orgId, { ...added, contactIds })
    await inside.db.prisma.sampleData.delete({ where: { orgId } })
    const changes = { contacts: contactIds.length }
    await recordEvent(inside, { type: organizationEvents.sample_data_removed, entityId: orgId, orgId, changes })
    return reloadOrganization(inside, orgId)
  })
}

export async function hasSampleData({ db }: Pick<Context, 'db'>, orgId: string): Promise<boolean> {
  return (await db.prisma.sampleData.findUnique({ where: { orgId }, select: { orgId: true } })) !== null
}
