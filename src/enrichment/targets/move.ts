// Moves the jobs and suggestions of a contact that is merged into another.

import type { Context } from '../../kernel/context.ts'
import { lockTargets } from '../suggestions/suggestion.sql.ts'
import { moveJobs, moveSuggestions } from './move.sql.ts'

/**
 * Moves jobs and suggestions of a contact to another contact, in the context's transaction. `only`: the ids to move. Their targets are not
 * changed, because a merged contact's target leads to the contact into which it was merged. Must run before the contacts are locked,
 * because every transaction locks jobs and suggestions before contacts. Returns the ids of the moved rows.
 */
export async function moveEnrichment(
  context: Context,
  fromContactId: string,
  toContactId: string,
  only?: { jobs: readonly string[]; suggestions: readonly string[] },
): Promise<{ jobs: string[]; suggestions: string[] }> {
  const jobs = await moveJobs(context, fromContactId, toContactId, only?.jobs)
  // A transaction that writes suggestions for either contact waits for this lock, and then finds the merged contact.
  await context.db.query(lockTargets, [[fromContactId, toContactId].map(id => `contact ${id}`).toSorted()])
  return { jobs, suggestions: await moveSuggestions(context, fromContactId, toContactId, only?.suggestions) }
}
