// Enrichment of many contacts: a bulk change that queues a job for each.

import type { BulkChange } from '../../../contacts/bulk/bulk.sql.ts'
import { startChange } from '../../../contacts/bulk/bulk.ts'
import type { EnrichContacts } from '../../../contacts/bulk/run.ts'
import type { Selected } from '../../../contacts/bulk/selection.ts'
import { type Context, requireScope } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import { ownApp } from '../../targets/target.ts'
import { checkJob } from '../job.ts'
import { enqueueJobs } from './batch.ts'

const targetOf = (id: string) => ({ hostApp: ownApp, id, kind: 'contact' })

/** Queues the enrichment of the selected contacts. Throws INVALID for an unknown recipe, and FORBIDDEN where contacts may not be read. */
export async function enrichInBulk(context: Context, { recipe, ...selected }: Selected & { recipe?: string | null }): Promise<BulkChange> {
  requireScope(context, 'contacts:read')
  const checked = checkJob(context, { target: targetOf('any'), recipe })
  if (Array.isArray(checked)) throw invalid(checked)
  return startChange(context, 'contact', 'enrich', { recipe: checked.recipe.name }, selected)
}

/** A job for each contact. One with an open job for the recipe is unchanged. */
export const enrichContacts: EnrichContacts = async (tx, contactIds, recipe) => {
  const { results } = await enqueueJobs(
    tx,
    contactIds.map(id => ({ target: targetOf(id), recipe })),
  )
  const count = (wanted: string) => results.filter(({ outcome }) => outcome === wanted).length
  const failures = results.flatMap(({ index, error }) =>
    error ? [{ contactId: contactIds[index] ?? '', code: error.code, message: error.message, otherId: null }] : [],
  )
  return { changed: count('created'), unchanged: count('skipped'), failures }
}
