// Finds the record into which another was merged.

import { type Context, organizationOf } from '../../kernel/context.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { isId } from '../../kernel/ids.ts'
import { selectMergedInto } from './merge.sql.ts'
import type { MergedNoun } from './move.sql.ts'

/** The id of the record into which this one was merged; null for one that was not merged. */
export async function winnerOf(context: Context, id: string): Promise<string | null> {
  if (!isId(id)) return null
  const [found] = await context.db.query(selectMergedInto, [organizationOf(context), id])
  return found?.id ?? null
}

/** CONFLICT for a merged record that is to be restored. */
export const mergedConflict = (into: string, noun: MergedNoun = 'contact'): AppError =>
  new AppError('CONFLICT', `The ${noun} was merged into another; undo the merge instead`, { mergedInto: into })

/** NOT_FOUND for a deleted or unknown record; for a merged one with `mergedInto`. */
export async function noRecord(context: Context, noun: MergedNoun, id: string): Promise<AppError> {
  const into = await winnerOf(context, id)
  if (into === null) return notFound(noun, id)
  return new AppError('NOT_FOUND', `${noun === 'contact' ? 'Contact' : 'Company'} ${id} was merged into ${into}`, { mergedInto: into })
}

export const noContact = (context: Context, id: string): Promise<AppError> => noRecord(context, 'contact', id)
export const noCompany = (context: Context, id: string): Promise<AppError> => noRecord(context, 'company', id)
