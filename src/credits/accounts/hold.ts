// Holds: credits reserved for work in progress. Each hold is resolved once: settled, released or expired.

import { type Context, inTransaction, organizationOf } from '../../kernel/context.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { storedJson } from '../../kernel/input/storable.ts'
import { creditsOf } from '../../kernel/money.ts'
import type { Principal } from '../../kernel/principal.ts'
import type { Line } from '../ledger/ledger.sql.ts'
import { post } from '../ledger/ledger.ts'
import type { Money } from '../money.ts'
import { applyDueChanges, debit, lock, openAccount, payerOf, returnToGrants, type Seen } from './account.ts'
import { closeHold, type Hold, selectHold, selectOpenHolds } from './hold.sql.ts'
import { moveAccount, successorOf } from './succession.ts'

/** Reserves credits for work that is about to begin. Null for an amount of 0. Throws INSUFFICIENT_CREDITS. */
async function reserve(context: Context, reservation: Parameters<Money['reserve']>[1]): Promise<{ holdId: string } | null> {
  const { userId, amountMicro, reference, expiresAt } = reservation
  const { principal } = context
  if (amountMicro === 0n) return null
  if (amountMicro < 0n) throw new RangeError(`${amountMicro} micro-credits cannot be reserved`)
  if (expiresAt <= context.now()) throw new RangeError(`A reservation until ${expiresAt.toISOString()} would have expired already`)
  const holdId = newId()
  const orgId = principal.kind === 'system' ? principal.orgId : isUnnamed(principal) ? null : organizationOf(context)
  const hold = { orgId, type: 'hold', reservedMicro: amountMicro, holdId, reference, dueAt: expiresAt } as const
  try {
    await debit(context, { userId, ...hold })
  } catch (error) {
    // The payer was read before a claim moved the credits.
    const successorId = error instanceof AppError && error.code === 'INSUFFICIENT_CREDITS' ? await successorOf(context, userId) : null
    if (successorId === null) throw error
    await debit(context, { userId: successorId, ...hold })
  }
  return { holdId }
}

// A backend that acts for nobody in particular acts in no organization.
const isUnnamed = (principal: Principal) => principal.kind === 'service' && principal.userId === null

/** An open hold, with its amount in credits. */
export type Reservation = Pick<Hold, 'id' | 'reference' | 'expiresAt' | 'createdAt'> & { amount: number }

/** The account's open holds that the caller may see, next to expire first; at most 200. */
export async function openHolds(context: Context, { userId, orgId }: Seen): Promise<Reservation[]> {
  const holds = await context.db.query(selectOpenHolds, [userId, orgId])
  return holds.map(({ id, amountMicro, reference, expiresAt, createdAt }) => ({
    id,
    amount: creditsOf(amountMicro),
    reference,
    expiresAt,
    createdAt,
  }))
}

/**
 * Charges the cost of the work and releases the rest. A hold that is already settled or released stays unchanged, and its charge is
 * returned. For an expired hold, charges at most the available credits. Throws RangeError for more than was reserved.
 */
async function settle(context: Context, holdId: string, amountMicro: bigint): Promise<{ chargedMicro: bigint }> {
  return resolve(context, holdId, async (inside, hold) => {
    const { userId, orgId, reference } = hold
    const asked = Number(amountMicro)
    if (asked < 0 || asked > hold.amountMicro)
      throw new RangeError(`${asked} of ${hold.amountMicro} reserved micro-credits cannot be settled`)
    if (hold.status === 'settled' || hold.status === 'released') return { chargedMicro: BigInt(hold.settledMicro) }

    if (hold.status === 'expired') {
      const charged = Math.min(asked, await availableOf(inside, userId))
      const lines = charged > 0 ? await charge(inside, hold, 'settle', charged) : []
      await close(inside, holdId, 'settled', charged, lines)
      return { chargedMicro: BigInt(charged) }
    }

    const [spent, rest] = split(hold.breakdown, asked)
    if (asked > 0) {
      const movement = { userId, orgId, type: 'settle', amountMicro: -amountMicro, reservedMicro: -amountMicro, holdId, reference } as const
      await post(inside, movement, spent)
    }
    await close(inside, holdId, 'settled', asked)
    await releaseRest(inside, holdId, hold, rest)
    return { chargedMicro: amountMicro }
  })
}

async function adjust(context: Context, holdId: string, amountMicro: bigint): Promise<{ chargedMicro: bigint }> {
  return resolve(context, holdId, async (inside, hold) => {
    const { userId, orgId, reference, settledMicro } = hold
    const asked = Number(amountMicro)
    if (asked < 0 || asked > hold.amountMicro)
      throw new RangeError(`${asked} of ${hold.amountMicro} reserved micro-credits cannot be charged`)
    if (hold.status === 'open') throw new Error(`The hold ${holdId} is not settled yet`)
    const lines = hold.settledLines ?? split(hold.breakdown, settledMicro)[0]
    const more = Math.min(asked - settledMicro, await availableOf(inside, userId))
    if (more > 0) {
      const added = await charge(inside, hold, 'adjust', more)
      await close(inside, holdId, 'settled', settledMicro + more, [...lines, ...added])
    } else if (more < 0) {
      const [kept, returned] = split(lines, asked)
      await returnToGrants(inside, returned)
      await post(inside, { userId, orgId, type: 'adjust', amountMicro: BigInt(-more), holdId, reference }, returned)
      await close(inside, holdId, 'settled', asked, kept)
      await applyDueChanges(inside, userId)
    }
    return { chargedMicro: BigInt(settledMicro + more) }
  })
}

// From any grants, in their order: the held credits have been released.
async function charge(context: Context, { id, userId, orgId, reference }: Hold, type: 'settle' | 'adjust', micro: number): Promise<Line[]> {
  const { breakdown } = await debit(context, { userId, orgId, type, amountMicro: -BigInt(micro), holdId: id, reference })
  return [...breakdown]
}

/** Releases the whole hold. Does nothing if it is already resolved. */
async function release(context: Context, holdId: string): Promise<void> {
  await resolve(context, holdId, async (inside, hold) => {
    if (hold.status !== 'open') return
    await close(inside, holdId, 'released', 0)
    await releaseRest(inside, holdId, hold, hold.breakdown)
  })
}

// Locks the account first, like every transaction, and then reads the hold again, because it may have changed before the lock.
function resolve<Result>(context: Context, holdId: string, work: (inside: Context, hold: Hold) => Promise<Result>): Promise<Result> {
  return context.db.transaction(async tx => {
    const inside = inTransaction(context, tx)
    const [known] = await tx.query(selectHold, [holdId])
    if (!known) throw notFound('hold', holdId)
    await lock(inside, known.userId)
    const [hold] = await tx.query(selectHold, [holdId])
    return work(inside, hold ?? known)
  })
}

const close = (context: Context, holdId: string, status: Hold['status'], settledMicro: number, lines: readonly Line[] | null = null) =>
  context.db.query(closeHold, [holdId, status, settledMicro, context.now().toISOString(), lines && storedJson(lines)])

async function releaseRest(context: Context, holdId: string, { userId, orgId, reference }: Hold, rest: readonly Line[]): Promise<void> {
  if (rest.length === 0) return
  await returnToGrants(context, rest)
  await post(context, { userId, orgId, type: 'release', reservedMicro: -BigInt(sum(rest)), holdId, reference }, rest)
  await applyDueChanges(context, userId)
}

const sum = (lines: readonly Line[]) => lines.reduce((total, { micro }) => total + micro, 0)

/** Splits a breakdown into the first parts, up to an amount, and the rest. */
function split(breakdown: readonly Line[], micro: number): [Line[], Line[]] {
  const first: Line[] = []
  const rest: Line[] = []
  let left = micro
  for (const line of breakdown) {
    const part = Math.min(left, line.micro)
    left -= part
    if (part > 0) first.push({ ...line, micro: part })
    if (part < line.micro) rest.push({ ...line, micro: line.micro - part })
  }
  return [first, rest]
}

async function availableOf({ db }: Context, userId: string): Promise<number> {
  const { balanceMicro, reservedMicro } = await db.prisma.creditAccount.findUniqueOrThrow({ where: { userId } })
  return Number(balanceMicro - reservedMicro)
}

/** The implementation of the port through which other domains spend credits. */
export const ledgerMoney: Money = { payerOf, openAccount, moveAccount, reserve, settle, adjust, release }
