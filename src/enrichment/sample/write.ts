// Writes and deletes the suggestions of sample data.

import type { Random } from '../../contacts/sample/people.ts'
import { type Context, organizationOf } from '../../kernel/context.ts'
import { newId } from '../../kernel/ids.ts'
import { deleteSampleJobs, deleteSampleSuggestions } from './remove.sql.ts'
import { type SuggestedContact, suggestionFor } from './suggestions.ts'

// 90 days, as suggestions of a call have.
const openMs = 90 * 86_400_000

/** Writes a pending suggestion for each contact. */
export async function writeSampleSuggestions(
  context: Context,
  random: Random,
  contacts: readonly (SuggestedContact & { id: string })[],
): Promise<void> {
  const orgId = organizationOf(context)
  const now = context.now()
  await context.db.prisma.suggestion.createMany({
    data: contacts.map((contact, index) => {
      const { provider, ...suggested } = suggestionFor(random, contact, index)
      const current = contact[suggested.field]
      return {
        ...{ id: newId(), orgId, contactId: contact.id, hostApp: 'rolocom', targetId: contact.id, targetKind: 'contact' },
        ...{ provider, recipeStep: provider, ...suggested, ...(current !== null && { currentValue: current }) },
        ...{ observedAt: now, createdAt: now, updatedAt: now, expiresAt: new Date(now.getTime() + openMs) },
      }
    }),
  })
}

export async function deleteSampleEnrichment({ db }: Context, orgId: string, contactIds: readonly string[]): Promise<void> {
  await db.query(deleteSampleSuggestions, [orgId, contactIds])
  await db.query(deleteSampleJobs, [orgId, contactIds])
}
