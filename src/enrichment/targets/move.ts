// Moving jobs and suggestions with a contact that is merged into another.

import { type Context, organizationOf } from '../../kernel/context.ts'
import { lockTarget } from '../suggestions/suggestion.sql.ts'
import { moveJobs, moveSuggestions } from './move.sql.ts'

/**
 * Gives jobs and suggestions of a contact to another, in the context's transaction. `only`: the ids to move. Their targets stay what they are:
 * the target of a merged contact is the contact that it was merged into. Jobs and suggestions are locked before contacts wherever both are, so
 * this comes before the contacts are locked. Returns the ids of those that moved.
 */
export async function moveEnrichment(
  context: Context,
  fromContactId: string,
  toContactId: string,
  only?: { jobs: readonly string[]; suggestions: readonly string[] },
): Promise<{ jobs: string[]; suggestions: string[] }> {
  const between = [organizationOf(context), fromContactId, toContactId]
  const jobs = await context.db.query(moveJobs, [...between, only?.jobs ?? null])
  // Who writes suggestions about either waits, and then finds the merged contact.
  for (const id of [fromContactId, toContactId].toSorted()) await context.db.query(lockTarget, [`contact ${id}`])
  const suggestions = await context.db.query(moveSuggestions, [...between, only?.suggestions ?? null])
  return { jobs: jobs.map(({ id }) => id), suggestions: suggestions.map(({ id }) => id) }
}
