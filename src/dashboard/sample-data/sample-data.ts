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
import { inTwoSteps } from '../../kernel/idempotency/idempotency.ts'
import { deleteSampleVoice } from '../../voice/sample/remove.ts'
import { endsWithin } from '../../voice/time-limit.ts'
import { addLater, addSteps } from './add.ts'
import { lockSampleData } from './sample-data.sql.ts'

// 4 s: nearly always all of it is there by then, and the caller has an answer within 6 s.
const waitMs = 4000

/**
 * Begins to add sample data, and resolves when all of it is there, or after four seconds; then the rest follows. Throws FORBIDDEN, and CONFLICT
 * where sample data is there already.
 */
export function addSampleData(context: Context): Promise<Organization> {
  const begin = (inside: Context) =>
    managing(inside, organizationOf(context), 'admin', async ({ context: tx, organizationId: orgId }) => {
      if (await hasSampleData(tx, orgId)) throw new AppError('CONFLICT', 'There is sample data already: remove it before you add it again')
      await tx.db.prisma.sampleData.create({ data: { orgId, contactIds: [], agentIds: [], nextStep: 0, createdAt: tx.now() } })
      await addLater(tx, orgId)
      return reloadOrganization(tx, orgId)
    })
  const goOn = async (outside: Context, organization: Organization): Promise<Organization> => {
    // After a failure the queue item goes on.
    const adding = addSteps(outside, organization.id).catch(error =>
      outside.services.log.warn({ err: error, orgId: organization.id }, 'sample data is added later'),
    )
    await endsWithin(waitMs, adding)
    return organization
  }
  return inTwoSteps(context, begin, goOn, waitMs)
}

/**
 * Deletes what `addSampleData` has added for good, with what hangs on it, also while it is being added. A contact that was merged with a
 * person's own stays, and so does an agent that has called others, and a company that a person's own contacts or deals have. Throws FORBIDDEN,
 * and CONFLICT where there is none, or while a call is under way.
 */
export function removeSampleData(context: Context): Promise<Organization> {
  return managing(context, organizationOf(context), 'admin', async ({ context: inside, organizationId: orgId }) => {
    // Waits for the running step. The next one finds no row, and ends.
    await inside.db.query(lockSampleData, [orgId])
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
