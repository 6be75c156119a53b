// Finds the contact into which another was merged.

import { type Context, organizationOf } from '../../kernel/context.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { isId } from '../../kernel/ids.ts'
import { selectMergedInto } from './merge.sql.ts'

/** The id of the contact into which this one was merged; null for one that was not merged. */
export async function winnerOf(context: Context, id: string): Promise<string | null> {
  if (!isId(id)) return null
  const [found] = await context.db.query(selectMergedInto, [organizationOf(context), id])
  return found?.id ?? null
}

/** CONFLICT for a merged contact that is to be restored. */
export const mergedConflict = (into: string): AppError =>
  new AppError('CONFLICT', 'The contact was merged into another; undo the merge instead', { mergedInto: into })

/** NOT_FOUND for a deleted or unknown contact; for a merged one with `mergedInto`. */
export async function noContact(context: Context, id: string): Promise<AppError> {
  const into = await winnerOf(context, id)
  if (into === null) return notFound('contact', id)
  return new AppError('NOT_FOUND', `Contact ${id} was merged into ${into}`, { mergedInto: into })
}
