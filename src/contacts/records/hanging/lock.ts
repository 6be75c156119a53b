// Locks the record on which something hangs, and says which timelines show its events.

import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { isId } from '../../../kernel/ids.ts'
import { idsOf, type RecordIds, type RecordRef, recordOf } from './ref.ts'
import { lockPlaces, places } from './row.sql.ts'

/** The timelines that show an event. */
export type Timelines = RecordIds

/** Locks a record until the end of the transaction. Undefined if there is none or it is deleted. */
export async function lockRecord({ db }: Context, orgId: string, ref: RecordRef): Promise<Timelines | undefined> {
  const [place] = isId(ref.id) ? await db.query(lockPlaces[ref.noun], [orgId, ref.id]) : []
  return place && timelinesIn(ref, place.companyId)
}

/** Locks a record, so that nothing is hung on one that is being deleted or merged into another. Throws NOT_FOUND. */
export async function lockToHang(context: Context, orgId: string, ref: RecordRef): Promise<Timelines> {
  const timelines = await lockRecord(context, orgId, ref)
  if (!timelines) throw notFound(ref.noun, ref.id)
  return timelines
}

/** The timelines of a row's record, which may be deleted. */
export async function timelinesOf({ db }: Context, orgId: string, row: RecordIds): Promise<Timelines> {
  const ref = recordOf(row)
  if (ref.noun === 'contact') return timelinesIn(ref, null)
  const [place] = await db.query(places[ref.noun], [orgId, ref.id])
  return timelinesIn(ref, place?.companyId ?? null)
}

/** `companyId`: the company of a deal. */
const timelinesIn = (ref: RecordRef, companyId: string | null): Timelines => ({ ...idsOf(ref), ...(ref.noun === 'deal' && { companyId }) })
