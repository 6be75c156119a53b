// The enrichment of the demo organization: completed jobs, pending suggestions, and some that were accepted or rejected.

import { v7 as uuid } from 'uuid'
import type { Contact } from '../../src/contacts/contact/row.ts'
import { generator, type Random } from '../../src/contacts/sample/people.ts'
import { suggestionFor } from '../../src/enrichment/sample/suggestions.ts'
import type { Context } from '../../src/kernel/context.ts'
import { demoUsers } from './contacts.ts'

const hour = 3_600_000
// One job every seven hours: the last two weeks.
const jobs = 48

/** Writes jobs and suggestions for the contacts, as workers and users would have. */
export async function seedDemoEnrichment(context: Context, orgId: string, contacts: readonly Contact[]): Promise<void> {
  const { prisma } = context.db
  const now = context.now().getTime()
  const random = generator(19_790_302)
  const rows = contacts.slice(0, jobs).map((contact, index) => {
    const at = new Date(now - (index + 1) * 7 * hour)
    return { contact, index, at, id: uuid({ msecs: at.getTime() }) }
  })
  await prisma.enrichmentJob.createMany({
    data: rows.map(({ contact, index, at, id }) => {
      const isFailed = index % 16 === 11
      const finishedAt = new Date(at.getTime() + 1400 + index * 37)
      const step = {
        step: 'email',
        provider: 'email',
        credits: 0,
        durationMs: 40 + index,
        error: null,
        detail: { syntax: true, takes_mail: true },
      }
      return {
        ...{ id, orgId, hostApp: 'rolocom', targetId: contact.id, targetKind: 'contact', contactId: contact.id },
        ...{ recipe: 'contact', recipeVersion: 1, status: isFailed ? 'failed' : 'completed', result: isFailed ? null : 'found' },
        steps: isFailed ? [] : [{ ...step, status: 'found' }],
        error: isFailed ? 'Given up after 5 attempts: It took longer than 120 s' : null,
        ...{ suggestionCount: isFailed ? 0 : 1, attempts: isFailed ? 5 : 1, runAfter: at, servedAt: at },
        ...{
          createdByType: 'user',
          createdById: demoUsers[0].id,
          createdByName: demoUsers[0].name,
          createdAt: at,
          startedAt: at,
          finishedAt,
        },
      }
    }),
  })
  await prisma.suggestion.createMany({ data: rows.filter(({ index }) => index % 16 !== 11).map(row => suggestionOf(random, orgId, row)) })
}

function suggestionOf(
  random: Random,
  orgId: string,
  { contact, index, at, id: jobId }: { contact: Contact; index: number; at: Date; id: string },
) {
  // Every third suggestion is decided, most of them accepted.
  const status = index % 3 !== 2 ? 'pending' : index % 9 === 8 ? 'rejected' : 'accepted'
  const { provider, ...suggested } = suggestionFor(random, contact, index, status === 'accepted')
  const currentValue = contact[suggested.field]
  const by = demoUsers[index % demoUsers.length] ?? demoUsers[0]
  const decidedAt = new Date(at.getTime() + 5 * hour)
  return {
    ...{ id: uuid({ msecs: at.getTime() + 1 }), orgId, jobId, contactId: contact.id },
    ...{ hostApp: 'rolocom', targetId: contact.id, targetKind: 'contact', provider, recipeStep: provider, ...suggested },
    ...(currentValue !== null && { currentValue }),
    ...{ observedAt: at, status, createdAt: at, updatedAt: status === 'pending' ? at : decidedAt },
    ...(status !== 'pending' && { decidedByType: 'user', decidedById: by.id, decidedByName: by.name, decidedAt }),
    // Far in the future, so that a demo that runs for months still shows suggestions.
    expiresAt: new Date(at.getTime() + 3650 * 24 * hour),
  }
}
