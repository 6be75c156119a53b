// Drawing from an account: at once when it is ready, after seeing to it when something is due.

import type { Context } from '../context.ts'
import { NotInCompany } from '../once.ts'
import { bringUpToDate } from './account.ts'
import { draw, type Entry, type Movement } from './ledger.ts'

/** Takes credits for good or into a hold, all or nothing. Throws INSUFFICIENT_CREDITS, and NOT_FOUND for nobody. */
export async function take(context: Context, movement: Movement): Promise<Entry> {
  for (;;) {
    const drawn = await draw(context, movement)
    if (typeof drawn !== 'string') return drawn
    // The others hold their accounts already: locking this one now could close a circle with those who wait for them.
    if (context.isInCompany) throw new NotInCompany(`The account of ${movement.userId} must be seen to first`)
    await bringUpToDate(context, movement.userId)
  }
}
