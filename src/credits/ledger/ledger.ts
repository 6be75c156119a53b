// The ledger: every change of a balance is an entry with its actor, reason and grants. Entries are never changed.

import { batcher } from '../../database/batcher.ts'
import type { Queries } from '../../database/client.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { announce } from '../../kernel/events/events.ts'
import { newId } from '../../kernel/ids.ts'
import { storedJson } from '../../kernel/input/storable.ts'
import { creditsOf, microOf } from '../../kernel/money.ts'
import { perObject } from '../../kernel/per-object.ts'
import { actorOf } from '../../kernel/principal.ts'
import { creditEvents, type Line, type Move, type Moved, moveCredits } from './ledger.sql.ts'

// The types of entries, and the type of event that each writes to the outbox.
const eventOf = {
  grant: creditEvents.granted,
  debit: creditEvents.debited,
  hold: creditEvents.held,
  settle: creditEvents.settled,
  release: creditEvents.released,
  expire: creditEvents.expired,
  void: creditEvents.voided,
  adjust: creditEvents.adjusted,
} as const
export type EntryType = keyof typeof eventOf

export interface Movement {
  userId: string
  /** The organization whose work it is for. Default: none, for movements of the account itself. */
  orgId?: string | null
  type: EntryType
  /** Added to the balance. Default 0. */
  amountMicro?: bigint
  /** Added to the reserved amount. Default 0. */
  reservedMicro?: bigint
  holdId?: string | null
  reference: string | null
  /** When the account has its next due change after the movement. */
  dueAt?: Date | null
}

/** A written entry. */
export interface Entry {
  transactionId: string
  balanceBeforeMicro: number
  balanceAfterMicro: number
  availableMicro: number
  breakdown: readonly Line[]
  createdAt: string
}

/** Writes an entry for grants that the caller has changed. The caller has locked the account. */
export async function post(context: Context, movement: Movement, breakdown: readonly Line[]): Promise<Entry> {
  const { entry, moved } = await move(context, movement, breakdown)
  if (moved.outcome !== 'moved') throw new Error(`${movement.userId} has no account to post to`)
  return entryOf(entry, movement, moved)
}

/**
 * Debits the account's grants in their order, either finally or into a hold, all or nothing. For an account that is absent or has due
 * changes, does nothing and returns `absent` or `due`. Throws INSUFFICIENT_CREDITS.
 */
export async function debitIfCurrent(context: Context, movement: Movement): Promise<Entry | 'absent' | 'due'> {
  const { entry, moved } = await move(context, movement, null)
  switch (moved.outcome) {
    case 'moved':
      return entryOf(entry, movement, moved)
    case 'insufficient': {
      const required = Number((movement.reservedMicro ?? 0n) - (movement.amountMicro ?? 0n))
      const available = moved.balanceAfter - moved.reservedAfter
      throw new AppError('INSUFFICIENT_CREDITS', `${creditsOf(required)} credits are needed, and fewer are available`, {
        required: creditsOf(required),
        available: creditsOf(available),
        shortfall: creditsOf(required - available),
      })
    }
    default:
      return moved.outcome
  }
}

interface Written {
  id: string
  createdAt: string
}

async function move(context: Context, movement: Movement, given: readonly Line[] | null): Promise<{ entry: Written; moved: Moved }> {
  const { userId, orgId = null, type, amountMicro = 0n, reservedMicro = 0n, holdId = null, reference, dueAt } = movement
  const actor = actorOf(context.principal)
  const entry: Written = { id: newId(), createdAt: context.now().toISOString() }
  const asked: Move = {
    user: userId,
    org: orgId,
    amount: String(amountMicro),
    reserved: String(reservedMicro),
    given,
    now: entry.createdAt,
    due: dueAt?.toISOString() ?? null,
    low: String(microOf(context.services.config.CREDITS_LOW_BALANCE)),
    entry: entry.id,
    type,
    hold: holdId,
    reference,
    actor_type: actor.type,
    actor_id: actor.id,
    actor_name: actor.name,
    door: context.door,
    operation: context.operation,
    request: context.requestId,
    event: newId(),
    event_type: eventOf[type],
    low_event: newId(),
  }
  const moved = await batcherOf(context.db)(asked)
  if (moved.outcome === 'moved') await announce(context)
  return { entry, moved }
}

// One batcher per database or open transaction. Movements that arrive while a statement runs are batched into the next statement, which
// locks their accounts in one order.
const batcherOf = perObject((db: Queries) => batcher<Move, Moved>(all => db.query(moveCredits, [storedJson(all)])))

function entryOf({ id, createdAt }: Written, { amountMicro = 0n }: Movement, { balanceAfter, reservedAfter, breakdown }: Moved): Entry {
  return {
    transactionId: id,
    balanceBeforeMicro: balanceAfter - Number(amountMicro),
    balanceAfterMicro: balanceAfter,
    availableMicro: balanceAfter - reservedAfter,
    breakdown,
    createdAt,
  }
}
