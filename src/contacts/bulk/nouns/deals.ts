// Bulk changes of deals, and moves of many deals to a stage.

import { nextVersion } from '../../../kernel/input/version.ts'
import { manyDeals } from '../../deals/deal.sql.ts'
import { eventOf } from '../../deals/deal.ts'
import { applyTo, type DealChanges, differences, readDeal, searchTextOf } from '../../deals/input.ts'
import { type Deal, type DealFields, dealEvents } from '../../deals/row.ts'
import { writeMany } from '../../records/many.ts'
import { actsOf, type BulkActs } from '../act.ts'
import type { Reversal } from '../bulk.sql.ts'
import { type RecordsInBulk, sumOf } from '../records.ts'
import { undoMoves } from './moves.ts'

const deals: RecordsInBulk<Deal, DealFields, DealChanges> = {
  noun: 'deal',
  reversedAs: { ownerUserId: 'owner', expectedClose: 'expectedClose' },
  offers: 'an owner, or expectedClose',
  read: readDeal,
  lock: (tx, orgId, ids) => tx.db.query(manyDeals.lock, [orgId, ids]),
  apply: (deal, changes) => applyTo(deal, changes, null),
  differences,
  write: (tx, orgId, written) =>
    writeMany(
      tx,
      orgId,
      manyDeals,
      written.map(({ record, fields, changed }) => {
        const after = { ...record, ...fields, ...nextVersion(tx, record) }
        return {
          row: { ...after, searchText: searchTextOf(after) },
          event: { ...eventOf(after), type: dealEvents.updated, changes: changed },
        }
      }),
    ),
  mark(tx, orgId, records, deletedAt) {
    const type = deletedAt === null ? dealEvents.restored : dealEvents.deleted
    const writes = records.map(record => {
      const row = { ...record, ...nextVersion(tx, record), deletedAt, searchText: searchTextOf(record) }
      return { row, event: { ...eventOf(record), type } }
    })
    return writeMany(tx, orgId, manyDeals, writes)
  },
  hindrances: () => Promise.resolve(new Map()),
}

const acts = actsOf(deals)
const isMove = ([, { move }]: readonly [string, Reversal]) => move !== undefined

/** Moves are taken back first, because a stage is locked before its deals. */
export const dealActs: BulkActs = {
  ...acts,
  async undo(tx, orgId, reversals) {
    const moves = [...reversals].filter(isMove)
    const others = [...reversals].filter(one => !isMove(one))
    return sumOf([await undoMoves(tx, orgId, new Map(moves)), await acts.undo(tx, orgId, new Map(others))])
  },
}
