// Holds: credits kept for work under way, and resolved once: settled, released, or lapsed.

import { v7 as uuid } from 'uuid'
import { type Context, inTransaction } from '../context.ts'
import { statement } from '../database/client.ts'
import { notFound } from '../errors.ts'
import { creditsOf, type Reservation } from '../money.ts'
import { doWhatIsDue, giveBack, lock } from './account.ts'
import { take } from './draw.ts'
import type { Line } from './ledger.sql.ts'
import { post } from './ledger.ts'

/** Keeps credits for work that is about to begin. Null when it costs nothing. Throws INSUFFICIENT_CREDITS. */
export async function reserve(context: Context, reservation: Reservation): Promise<{ holdId: string } | null> {
  const { userId, amountMicro, reference, expiresAt } = reservation
  if (amountMicro === 0n) return null
  if (amountMicro < 0n) throw new RangeError(`${amountMicro} micro-credits cannot be reserved`)
  if (expiresAt <= context.now()) throw new RangeError(`A reservation until ${expiresAt.toISOString()} would have lapsed already`)
  const holdId = uuid()
  await take(context, { userId, type: 'hold', reservedMicro: amountMicro, holdId, reference, dueAt: expiresAt })
  return { holdId }
}

/** Credits that are kept, as people see them. */
export interface Reserved {
  id: string
  amount: number
  reference: string
  expiresAt: string
  createdAt: string
}

const readOpenHolds = statement<Omit<Reserved, 'amount'> & { amountMicro: number }>(
  'credits_open_holds',
  `select id, amount_micro as "amountMicro", reference, expires_at as "expiresAt", created_at as "createdAt"
   from credit_holds where user_id = $1 and status = 'open' order by expires_at, id limit 200`,
)

/** The account's open holds, those that lapse first before the others; at most 200. */
export async function openHolds(context: Context, userId: string): Promise<Reserved[]> {
  const holds = await context.db.query(readOpenHolds, [userId])
  return holds.map(({ amountMicro, ...hold }) => ({ ...hold, amount: creditsOf(amountMicro) }))
}

interface Hold {
  userId: string
  amountMicro: number
  settledMicro: number
  status: 'open' | 'settled' | 'released' | 'expired'
  breakdown: Line[]
  reference: string
}

const readHold = statement<Hold>(
  'credits_read_hold',
  `select user_id as "userId", amount_micro as "amountMicro", settled_micro as "settledMicro", status, breakdown, reference
   from credit_holds where id = $1`,
)
const closeHold = statement<never>(
  'credits_close_hold',
  `update credit_holds set status = $2, settled_micro = $3, closed_at = $4 where id = $1`,
)

/**
 * Takes what the work did cost, and gives back the rest. A hold that is resolved already stays as it is, and answers what was charged
 * then. One that lapsed is charged late, with as much as is available. Throws RangeError for more than was reserved.
 */
export async function settle(context: Context, holdId: string, amountMicro: bigint): Promise<{ chargedMicro: bigint }> {
  return resolve(context, holdId, async (inside, hold) => {
    const { userId, reference } = hold
    const asked = Number(amountMicro)
    if (asked < 0 || asked > hold.amountMicro)
      throw new RangeError(`${asked} of ${hold.amountMicro} reserved micro-credits cannot be settled`)
    if (hold.status === 'settled' || hold.status === 'released') return { chargedMicro: BigInt(hold.settledMicro) }

    if (hold.status === 'expired') {
      const charged = Math.min(asked, await availableOf(inside, userId))
      if (charged > 0) await take(inside, { userId, type: 'settle', amountMicro: -BigInt(charged), holdId, reference })
      await close(inside, holdId, 'settled', charged)
      return { chargedMicro: BigInt(charged) }
    }

    const [spent, rest] = split(hold.breakdown, asked)
    if (asked > 0) {
      const movement = { userId, type: 'settle', amountMicro: -amountMicro, reservedMicro: -amountMicro, holdId, reference } as const
      await post(inside, movement, spent)
    }
    await close(inside, holdId, 'settled', asked)
    await giveUp(inside, holdId, hold, rest)
    return { chargedMicro: amountMicro }
  })
}

/** Gives everything back. Does nothing when the hold is resolved already. */
export async function release(context: Context, holdId: string): Promise<void> {
  await resolve(context, holdId, async (inside, hold) => {
    if (hold.status !== 'open') return
    await close(inside, holdId, 'released', 0)
    await giveUp(inside, holdId, hold, hold.breakdown)
  })
}

// The account's lock is the first one taken, as everywhere; what the hold says counts once it is held.
function resolve<Result>(context: Context, holdId: string, work: (inside: Context, hold: Hold) => Promise<Result>): Promise<Result> {
  return context.db.transaction(async tx => {
    const inside = inTransaction(context, tx)
    const [known] = await tx.query(readHold, [holdId])
    if (!known) throw notFound('hold', holdId)
    await lock(inside, known.userId)
    const [hold] = await tx.query(readHold, [holdId])
    return work(inside, hold ?? known)
  })
}

const close = (context: Context, holdId: string, status: Hold['status'], settledMicro: number) =>
  context.db.query(closeHold, [holdId, status, settledMicro, context.now().toISOString()])

async function giveUp(context: Context, holdId: string, { userId, reference }: Hold, rest: readonly Line[]): Promise<void> {
  if (rest.length === 0) return
  await giveBack(context, rest)
  await post(context, { userId, type: 'release', reservedMicro: -BigInt(sum(rest)), holdId, reference }, rest)
  await doWhatIsDue(context, userId)
}

const sum = (lines: readonly Line[]) => lines.reduce((total, { micro }) => total + micro, 0)

/** The first part of a breakdown, up to an amount, and the rest. */
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

const readAvailable = statement<{ available: number }>(
  'credits_available',
  `select balance_micro - reserved_micro as available from credit_accounts where user_id = $1`,
)
const availableOf = async (context: Context, userId: string) => (await context.db.query(readAvailable, [userId]))[0]?.available ?? 0
