// What runs cost: kept of the owner's credits before a run begins, taken when it is over. Where the gateway runs apart from the ledger,
// nothing is kept, and what is due is asked for by a task.

import { type Context, inTransaction } from '../context.ts'
import { statement } from '../database/client.ts'
import { AppError } from '../errors.ts'
import { creditsOf } from '../money.ts'
import { type Claim, hold } from './claim.ts'
import type { Run } from './run.sql.ts'
import type { GatewaySettings } from './settings.ts'

export type Prices = Pick<GatewaySettings['agents'], 'pricePerRun' | 'pricePerThousandTokens'>

/** Thrown into a run that may not cost any more. The message may be read by whoever reads the run. */
export class Unaffordable extends Error {}

const micro = (credits: number) => Math.round(credits * 1_000_000)
const isFree = ({ pricePerRun, pricePerThousandTokens }: Prices) => pricePerRun === 0 && pricePerThousandTokens === 0

/** Micro-credits that a run and so many tokens cost. */
export const costOf = ({ pricePerRun, pricePerThousandTokens }: Prices, tokens: number): number =>
  micro(pricePerRun) + Math.ceil((tokens * micro(pricePerThousandTokens)) / 1000)

interface Bill {
  tokens: number
  ceiling: number
  reserved: number
  charged: number
  held: number
  holdId: string | null
}

const readBill = statement<Bill>(
  'gateway_read_bill',
  `select input_tokens + output_tokens as tokens, credit_ceiling as ceiling, credits_reserved as reserved, credits_charged as charged,
     credits_held as held, hold_id as "holdId" from gateway_runs where id = $1`,
)
const noteHold = statement<never>('gateway_note_hold', 'update gateway_runs set hold_id = $2, credits_held = $3 where id = $1')
const noteCharge = statement<never>(
  'gateway_note_charge',
  'update gateway_runs set credits_charged = credits_charged + $2, hold_id = null, credits_held = 0 where id = $1',
)

// A run ends at its deadline; an hour more is for workers that were away then.
const marginMs = 3_600_000

/** Keeps the most that the run may cost, before it costs anything. Throws Unaffordable. */
export async function keepCredits(context: Context, claim: Claim): Promise<void> {
  const { run } = claim
  const { config, money } = context.services
  const prices = config.gateway.agents
  if (isFree(prices)) return
  const bill = await billOf(context, run.id)
  if (bill.holdId !== null) return
  const left = bill.ceiling - bill.reserved - costOf(prices, bill.tokens)
  if (left < 0 || (left === 0 && prices.pricePerThousandTokens > 0)) throw atCeiling(bill)
  if (config.SESSION_API_URL) return

  const most = prices.pricePerThousandTokens > 0 ? bill.ceiling - bill.reserved : costOf(prices, bill.tokens)
  const amountMicro = most - bill.charged
  const expiresAt = new Date(context.now().getTime() + run.timeoutSeconds * 1000 + marginMs)
  try {
    await context.db.transaction(async db => {
      const tx = inTransaction(context, db)
      await hold(tx, claim)
      const userId = await money.payerOf(tx)
      const held = await money.reserve(tx, { userId, amountMicro: BigInt(amountMicro), reference: `run:${run.id}`, expiresAt })
      await db.query(noteHold, [run.id, held?.holdId ?? null, amountMicro])
    })
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'INSUFFICIENT_CREDITS')) throw error
    // How many there are is for those who may read credits; the summary of a run goes to its hook and its channel.
    throw new Unaffordable(`its owner has too few credits: it may cost ${error.extras.required}`, { cause: error })
  }
}

/** Why the run may not go on after an answer of so many tokens; null when it may. */
export async function refusalAfter(context: Context, run: Run, tokens: number): Promise<Unaffordable | null> {
  const prices = context.services.config.gateway.agents
  if (isFree(prices)) return null
  const bill = await billOf(context, run.id)
  return bill.reserved + costOf(prices, bill.tokens + tokens) > bill.ceiling ? atCeiling(bill) : null
}

/** Charges a run that is over, in the context's transaction: its tokens, and its price when it was completed. Never more than its ceiling. */
export async function chargeRun(context: Context, run: Run, { isCompleted }: { isCompleted: boolean }): Promise<void> {
  const { config, money, tasks } = context.services
  const { pricePerRun, pricePerThousandTokens } = config.gateway.agents
  if (isFree({ pricePerRun, pricePerThousandTokens })) return
  const bill = await billOf(context, run.id)
  const cost = costOf({ pricePerRun: isCompleted ? pricePerRun : 0, pricePerThousandTokens }, bill.tokens)
  const due = Math.max(0, Math.min(cost, bill.ceiling - bill.reserved) - bill.charged)
  if (bill.holdId !== null) {
    const { chargedMicro } = await money.settle(context, bill.holdId, BigInt(Math.min(due, bill.held)))
    await context.db.query(noteCharge, [run.id, String(chargedMicro)])
  } else if (config.SESSION_API_URL && due > 0) {
    // A run that was retried is charged a second time, for what it used since.
    const key = bill.charged === 0 ? run.id : `${run.id}:${bill.charged}`
    await tasks.enqueue('run-charge', { orgId: run.orgId, runId: run.id, amount: creditsOf(due), key }, { db: context.db })
    await context.db.query(noteCharge, [run.id, due])
  }
}

const atCeiling = ({ ceiling }: Bill) => new Unaffordable(`its credit ceiling of ${creditsOf(ceiling)} was reached`)

/** What the run has used and reserved so far. */
export async function billOf({ db }: Context, id: string): Promise<Bill> {
  const [bill] = await db.query(readBill, [id])
  if (!bill) throw new Error(`the run ${id} is gone`)
  return bill
}
