// The cost of runs: reserved from the owner's credits before a run begins, settled when it ends. With SESSION_API_URL the ledger belongs to
// another server: nothing is reserved, and a queue item asks that server for a debit.

import type { GatewaySettings } from '../../config/gateway/file.ts'
import { type Context, inTransaction } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { creditsOf, roundToMicro } from '../../kernel/money.ts'
import { type Claim, renew } from '../runs/claim.ts'
import type { Run } from '../runs/row.ts'
import { chargeItem } from './credit-api.ts'

export type Prices = Pick<GatewaySettings['agents'], 'pricePerRun' | 'pricePerThousandTokens'>

/** The run has no credits left. The message is shown with the run. */
export class Unaffordable extends Error {}

const isFree = ({ pricePerRun, pricePerThousandTokens }: Prices) => pricePerRun === 0 && pricePerThousandTokens === 0

/** The cost of a run with this many tokens, in micro-credits. */
export const costOf = ({ pricePerRun, pricePerThousandTokens }: Prices, tokens: number): number =>
  roundToMicro(pricePerRun) + Math.ceil((tokens * roundToMicro(pricePerThousandTokens)) / 1000)

interface Bill {
  tokens: number
  ceiling: number
  reserved: number
  charged: number
  held: number
  holdId: string | null
}

// An hour beyond the run's deadline, for workers that were down at the deadline.
const marginMs = 3_600_000

/** Reserves the most that the run may cost. Throws Unaffordable. */
export async function reserveCredits(context: Context, claim: Claim): Promise<void> {
  const { run } = claim
  const { config, money } = context.services
  const prices = config.gateway.agents
  if (isFree(prices)) return
  const bill = await billOf(context, run.id)
  if (bill.holdId !== null) return
  const left = bill.ceiling - bill.reserved - costOf(prices, bill.tokens)
  if (left < 0 || (left === 0 && prices.pricePerThousandTokens > 0)) throw atCeiling(bill)
  if (config.SESSION_API_URL) return

  const maxCost = prices.pricePerThousandTokens > 0 ? bill.ceiling - bill.reserved : costOf(prices, bill.tokens)
  const amountMicro = maxCost - bill.charged
  const expiresAt = new Date(context.now().getTime() + run.timeoutSeconds * 1000 + marginMs)
  try {
    await context.db.transaction(async db => {
      const tx = inTransaction(context, db)
      await renew(tx, claim)
      const userId = await money.payerOf(tx)
      const held = await money.reserve(tx, { userId, amountMicro: BigInt(amountMicro), reference: `run:${run.id}`, expiresAt })
      const data = { holdId: held?.holdId ?? null, creditsHeld: amountMicro }
      await db.prisma.gatewayRun.update({ where: { id: run.id }, data })
    })
  } catch (error) {
    if (error instanceof AppError && error.code === 'CONFLICT') throw new Unaffordable('nobody pays for its organization', { cause: error })
    if (!(error instanceof AppError && error.code === 'INSUFFICIENT_CREDITS')) throw error
    // The message does not tell the balance: it goes to the run's hook and channel, which may not read it.
    throw new Unaffordable(`its owner has too few credits: it may cost ${error.extras.required}`, { cause: error })
  }
}

/** The error for a run that exceeds its ceiling with the tokens of this answer; null otherwise. */
export async function refusalAfter(context: Context, run: Run, tokens: number): Promise<Unaffordable | null> {
  const prices = context.services.config.gateway.agents
  if (isFree(prices)) return null
  const bill = await billOf(context, run.id)
  return bill.reserved + costOf(prices, bill.tokens + tokens) > bill.ceiling ? atCeiling(bill) : null
}

/** Charges a finished run, in the context's transaction: its tokens, and the price of a run if it completed. Never beyond its ceiling. */
export async function chargeRun(context: Context, run: Run, { isCompleted }: { isCompleted: boolean }): Promise<void> {
  const { config, money, queue } = context.services
  const { pricePerRun, pricePerThousandTokens } = config.gateway.agents
  if (isFree({ pricePerRun, pricePerThousandTokens })) return
  const bill = await billOf(context, run.id)
  const cost = costOf({ pricePerRun: isCompleted ? pricePerRun : 0, pricePerThousandTokens }, bill.tokens)
  const due = Math.max(0, Math.min(cost, bill.ceiling - bill.reserved) - bill.charged)
  if (bill.holdId !== null) {
    const { chargedMicro } = await money.settle(context, bill.holdId, BigInt(Math.min(due, bill.held)))
    await noteCharge(context, run.id, chargedMicro)
  } else if (config.SESSION_API_URL && due > 0) {
    // A retried run is charged again, for the tokens since.
    const key = bill.charged === 0 ? run.id : `${run.id}:${bill.charged}`
    await queue.enqueue(chargeItem, { orgId: run.orgId, runId: run.id, amount: creditsOf(due), key }, { db: context.db })
    await noteCharge(context, run.id, due)
  }
}

const atCeiling = ({ ceiling }: Bill) => new Unaffordable(`its credit ceiling of ${creditsOf(ceiling)} was reached`)

/** The run's tokens and credits so far. */
export async function billOf({ db }: Context, id: string): Promise<Bill> {
  const run = await db.prisma.gatewayRun.findUniqueOrThrow({ where: { id } })
  return {
    tokens: run.inputTokens + run.outputTokens,
    ceiling: Number(run.creditCeiling),
    reserved: Number(run.creditsReserved),
    charged: Number(run.creditsCharged),
    held: Number(run.creditsHeld),
    holdId: run.holdId,
  }
}

const noteCharge = ({ db }: Context, id: string, chargedMicro: number | bigint) =>
  db.prisma.gatewayRun.update({
    where: { id },
    data: { creditsCharged: { increment: chargedMicro }, holdId: null, creditsHeld: 0 },
  })
