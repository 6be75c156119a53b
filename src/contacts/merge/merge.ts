// Merging two records of a noun, with all rows of any domain that refer to them, and undoing it.

import { inOwnTransaction } from '../../kernel/batching/together.ts'
import { type Context, organizationOf } from '../../kernel/context.ts'
import { AppError, invalid, notFound } from '../../kernel/errors.ts'
import { type NewEvent, recordEvent } from '../../kernel/events/events.ts'
import { isId, newId } from '../../kernel/ids.ts'
import { valueError } from '../../kernel/input/problem.ts'
import type { EventType } from '../../kernel/nouns/events.ts'
import { actorOf, createdByColumns } from '../../kernel/principal.ts'
import type { MergedField } from './decide.ts'
import { undoableMs } from './merge.sql.ts'
import { noRecord, winnerOf } from './merged.ts'
import { type MergedNoun, type Moved, moveRows } from './move.sql.ts'

type FieldChanges = Readonly<Record<string, readonly [unknown, unknown]>>
interface MergedRow {
  id: string
  orgId: string
  deletedAt: string | null
}

/** The rules of a noun whose records are merged. */
export interface RecordsToMerge<Row extends MergedRow, Fields, Choices> {
  noun: MergedNoun
  events: { merged: EventType; unmerged: EventType }
  /** Throws NOT_FOUND. */
  get(context: Context, id: string): Promise<Row>
  /** In the order of ids, so that two merges of the same records cannot deadlock. Deleted ones included. */
  lock(context: Context, orgId: string, ids: readonly string[]): Promise<Row[]>
  preview(winner: Row, loser: Row, choices: Choices): MergedField[]
  /** The fields of the winner after the merge. */
  merge(context: Context, winner: Row, loser: Row, choices: Choices): Promise<Fields>
  /** The fields of the winner without the values from the merge that nobody has changed since. */
  unmerge(context: Context, winner: Row, changes: FieldChanges): Promise<Fields>
  differences(row: Row, fields: Fields): Record<string, [unknown, unknown]>
  /** Writes no event, because the merge has one. Throws ALREADY_EXISTS. */
  writeFields(context: Context, row: Row, fields: Fields): Promise<Row>
  setDeleted(context: Context, row: Row, deletedAt: string | null): Promise<Row>
  /** The timeline of the event. */
  timeline(winner: Row): Pick<NewEvent, 'contactId' | 'companyId'>
  /** Runs when rows have moved. */
  moved?(context: Context, records: readonly Row[]): Promise<void>
}

export interface Merge<Row> {
  noun: MergedNoun
  id: string
  winner: Row
  loser: Row
  moved: Moved
  createdAt: string
  undoableUntil: string
  undoneAt: string | null
}

interface StoredMerge {
  id: string
  orgId: string
  winnerId: string
  loserId: string
  changes: FieldChanges
  moved: Moved
  createdAt: Date
  undoneAt: Date | null
}

interface Pair<Row> {
  winner: Row
  loser: Row
}

interface MergeInput<Choices> {
  winnerId: string
  loserId: string
  fields?: Choices | null
}

export interface MergePreview<Row> extends Pair<Row> {
  fields: MergedField[]
}

export interface Merging<Row, Choices> {
  /** The result that a merge would have; writes nothing. Throws NOT_FOUND, and INVALID when both records are the same. */
  preview(context: Context, input: MergeInput<Choices>): Promise<MergePreview<Row>>
  /**
   * Merges the loser into the winner: the winner gets the loser's values where it has none, or where `fields` says so, and all rows that
   * refer to the loser. The loser is deleted. Throws NOT_FOUND, with `mergedInto` for a merged record.
   */
  merge(context: Context, input: MergeInput<Choices>): Promise<Merge<Row>>
  /**
   * Restores the loser with its values, and returns the moved rows that still belong to the winner. Rows added since stay with the winner,
   * and so do values that somebody has changed since. Throws NOT_FOUND, CONFLICT after 30 days, and ALREADY_EXISTS if an address or a domain is
   * taken meanwhile.
   */
  undo(context: Context, id: string): Promise<Merge<Row>>
}

/** `none`: the choices of an input without any. */
export function mergingOf<Row extends MergedRow, Fields, Choices extends object>(
  records: RecordsToMerge<Row, Fields, Choices>,
  none: Choices,
): Merging<Row, Choices> {
  const { noun, events } = records

  // Rows that every transaction locks before the records.
  const moveBeforeLocking = async (context: Context, fromId: string, toId: string, only?: Moved): Promise<Moved> =>
    // Nothing refers to malformed ids. Locking the records then throws NOT_FOUND.
    isId(fromId) && isId(toId) ? moveRows(context, noun, [fromId.toLowerCase(), toId.toLowerCase()], true, only) : {}

  const lock = async (context: Context, ...ids: [string, string]): Promise<(Row | undefined)[]> => {
    const found = await records.lock(context, organizationOf(context), ids.filter(isId))
    return ids.map(id => found.find(row => row.id === id.toLowerCase()))
  }

  /** Locks both until the end of the transaction. Throws NOT_FOUND unless both are live. */
  const lockPair = async (context: Context, winnerId: string, loserId: string): Promise<Pair<Row>> => {
    const [winner, loser] = await lock(context, winnerId, loserId)
    if (!winner || winner.deletedAt !== null) throw await noRecord(context, noun, winnerId)
    if (!loser || loser.deletedAt !== null) throw await noRecord(context, noun, loserId)
    return { winner, loser }
  }

  /** Writes the merge of two locked records with its event. `moved`: the rows that went with them. */
  const writeMerge = async (context: Context, { winner, loser }: Pair<Row>, choices: Choices, moved: Moved): Promise<Merge<Row>> => {
    const fields = await records.merge(context, winner, loser, choices)
    const changes = records.differences(winner, fields)
    const now = context.now()
    const id = newId()
    // Written first, because the winner may take the address or the domain of the loser.
    const gone = await records.setDeleted(context, loser, now.toISOString())
    const kept = await records.writeFields(context, winner, fields)
    await records.moved?.(context, [kept])
    await context.db.prisma.contactMerge.create({
      data: {
        ...{ id, noun, orgId: winner.orgId, winnerId: winner.id, loserId: loser.id, createdAt: now },
        // `as`: plain JSON, made above.
        ...{ changes: changes as object, moved: moved as object },
        ...createdByColumns(actorOf(context.principal)),
      },
    })
    await recordEvent(context, {
      type: events.merged,
      entityId: winner.id,
      ...records.timeline(winner),
      changes: { mergeId: id, loserId: loser.id, fields: changes, moved: countsOf(moved) },
    })
    return { noun, id, winner: kept, loser: gone, moved, ...timesOf({ createdAt: now, undoneAt: null }) }
  }

  /** A merge that can be undone. Throws NOT_FOUND, and CONFLICT for a merge that is undone already or older than 30 days. */
  const undoableMerge = async (context: Context, id: string): Promise<StoredMerge> => {
    const orgId = organizationOf(context)
    const found = isId(id) ? await context.db.prisma.contactMerge.findUnique({ where: { id, orgId, noun } }) : null
    if (!found) throw notFound('merge', id)
    if (found.undoneAt !== null) throw new AppError('CONFLICT', 'The merge is undone already')
    if (context.now().getTime() - found.createdAt.getTime() > undoableMs)
      throw new AppError('CONFLICT', 'A merge can be undone for 30 days; this one is older')
    // `as`: `writeMerge` wrote these columns.
    return { ...found, changes: found.changes as unknown as StoredMerge['changes'], moved: found.moved as unknown as Moved }
  }

  /** Locks both records of a merge. Throws CONFLICT unless the winner is live and the loser is unchanged since the merge. */
  const lockMerged = async (context: Context, { id, winnerId, loserId }: StoredMerge): Promise<Pair<Row>> => {
    const [winner, loser] = await lock(context, winnerId, loserId)
    // Checked again under the lock: of two concurrent requests only the first may undo the merge.
    await undoableMerge(context, id)
    if (!winner || !loser || loser.deletedAt === null) throw new AppError('CONFLICT', `One of the two ${pluralOf[noun]} is gone`)
    if (winner.deletedAt === null) return { winner, loser }
    const into = await winnerOf(context, winnerId)
    if (into === null) throw new AppError('CONFLICT', 'The winner is deleted; restore it first')
    throw new AppError('CONFLICT', `The winner was merged into another ${noun} since; undo that first`, { mergedInto: into })
  }

  /** Restores the loser, with one event. Throws ALREADY_EXISTS if another record meanwhile has its address or domain, or the winner's former one. */
  const writeUndo = async (context: Context, merge: StoredMerge, { winner, loser }: Pair<Row>, moved: Moved): Promise<Merge<Row>> => {
    const fields = await records.unmerge(context, winner, merge.changes)
    const changes = records.differences(winner, fields)
    const kept = await records.writeFields(context, winner, fields)
    const back = await records.setDeleted(context, loser, null)
    await records.moved?.(context, [kept, back])
    const now = context.now()
    await context.db.prisma.contactMerge.update({ where: { id: merge.id, orgId: merge.orgId }, data: { undoneAt: now } })
    await recordEvent(context, {
      type: events.unmerged,
      entityId: winner.id,
      ...records.timeline(winner),
      changes: { mergeId: merge.id, loserId: loser.id, fields: changes, moved: countsOf(moved) },
    })
    return { noun, id: merge.id, winner: kept, loser: back, moved, ...timesOf({ createdAt: merge.createdAt, undoneAt: now }) }
  }

  return {
    async preview(context, { winnerId, loserId, fields }) {
      checkPair(winnerId, loserId)
      const [winner, loser] = await Promise.all([records.get(context, winnerId), records.get(context, loserId)])
      return { winner, loser, fields: records.preview(winner, loser, fields ?? none) }
    },
    async merge(context, { winnerId, loserId, fields }) {
      checkPair(winnerId, loserId)
      // Rows of the loser may be changed at the same moment, several in one transaction.
      return inOwnTransaction(context, async tx => {
        const first = await moveBeforeLocking(tx, loserId, winnerId)
        const pair = await lockPair(tx, winnerId, loserId)
        // Moves rows that were added to the loser since the first move, for example by another merge. Now that the loser is locked, none can
        // follow.
        const second = await moveBeforeLocking(tx, loserId, winnerId)
        const others = await moveRows(tx, noun, [pair.loser.id, pair.winner.id], false)
        return writeMerge(tx, pair, fields ?? none, { ...combineMoved(first, second), ...others })
      })
    },
    async undo(context, id) {
      organizationOf(context)
      return inOwnTransaction(context, async tx => {
        const merge = await undoableMerge(tx, id)
        const { winnerId, loserId, moved } = merge
        const first = await moveBeforeLocking(tx, winnerId, loserId, moved)
        const pair = await lockMerged(tx, merge)
        const others = await moveRows(tx, noun, [winnerId, loserId], false, moved)
        return writeUndo(tx, merge, pair, { ...first, ...others })
      })
    },
  }
}

const pluralOf: Readonly<Record<MergedNoun, string>> = { contact: 'contacts', company: 'companies' }

const combineMoved = (first: Moved, second: Moved): Moved =>
  Object.fromEntries(Object.keys(first).map(noun => [noun, [...(first[noun] ?? []), ...(second[noun] ?? [])]]))

/** Throws INVALID when a record would be merged into itself. */
function checkPair(winnerId: string, loserId: string): void {
  if (winnerId.toLowerCase() === loserId.toLowerCase()) throw invalid(valueError('loserId', 'it is the winner itself', loserId))
}

const countsOf = (moved: Moved) => Object.fromEntries(Object.entries(moved).map(([noun, ids]) => [noun, ids.length]))

const timesOf = ({ createdAt, undoneAt }: Pick<StoredMerge, 'createdAt' | 'undoneAt'>) => ({
  createdAt: createdAt.toISOString(),
  undoableUntil: new Date(createdAt.getTime() + undoableMs).toISOString(),
  undoneAt: undoneAt?.toISOString() ?? null,
})
