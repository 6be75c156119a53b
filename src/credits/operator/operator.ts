// The operator's changes of accounts: grant credits, void a grant, correct a balance.

import type { Queries } from '../../database/client.ts'
import { type Context, inTransaction } from '../../kernel/context.ts'
import { AppError, invalid } from '../../kernel/errors.ts'
import { type Problem, problem, valueError } from '../../kernel/input/problem.ts'
import { amountCeiling, creditsOf, microOf } from '../../kernel/money.ts'
import { debit, lock } from '../accounts/account.ts'
import type { Grant } from '../accounts/grant.sql.ts'
import { addGrant, grantById, type NewGrant } from '../accounts/grant.ts'
import { amountProblems, checkAmount, referenceProblems } from '../ledger/amount.ts'
import { post } from '../ledger/ledger.ts'
import { type Transfer, transferOf } from '../ledger/transaction.ts'

export interface GrantCredits {
  userId: string
  /** In credits, above 0, with at most 6 decimals. */
  amount: number
  /** Default: paid. */
  category?: Grant['category'] | null
  /** From 0, which is debited first, to 100. Default: 50. */
  priority?: number | null
  /** Default: now. */
  effectiveAt?: Date | null
  /** Default: never. */
  expiresAt?: Date | null
  reference?: string | null
}

/** A new grant with its ledger entry, which is null for a future grant. */
export interface Granted {
  grant: Grant
  transfer: Transfer | null
}

/** Grants credits to a user. Throws NOT_FOUND for an unknown user. */
export function grantCredits(context: Context, input: GrantCredits): Promise<Granted> {
  const { userId, amount, category, priority, effectiveAt, expiresAt, reference = null } = input
  const problems = [
    ...amountProblems(amount),
    ...priorityProblems(priority ?? 50),
    ...periodProblems(context, input),
    ...referenceProblems(reference),
  ]
  const amountMicro = checkAmount(amount, problems)
  return give(context, {
    userId,
    amountMicro,
    category: category ?? 'paid',
    priority: priority ?? 50,
    reference,
    ...(effectiveAt && { effectiveAt }),
    ...(expiresAt && { expiresAt }),
  })
}

export interface AdjustCredits {
  userId: string
  /** The credits to add; negative to debit. */
  amount: number
  /** The reason. */
  reference: string
}

/**
 * Corrects a balance by an additional entry; the wrong entry stays. Throws INSUFFICIENT_CREDITS if the debit exceeds the available credits.
 */
export async function adjustCredits(context: Context, input: AdjustCredits): Promise<Transfer> {
  const { userId, amount, reference } = input
  const problems = [...amountProblems(amount, { allowNegative: true }), ...referenceProblems(reference)]
  const amountMicro = checkAmount(amount, problems)
  if (amountMicro < 0n) return transferOf(input, await debit(context, { userId, type: 'adjust', amountMicro, reference }))
  const { transfer } = await give(context, { userId, amountMicro, category: 'promotional', priority: 50, reference, type: 'adjust' })
  if (!transfer) throw new Error('a correction begins at once')
  return transfer
}

/** Voids the rest of a grant. Held parts become void when they are returned. Throws CONFLICT if the grant is used up, expired or voided. */
export function voidCreditGrant(context: Context, { id, reference = null }: { id: string; reference?: string | null }): Promise<Grant> {
  const problems = referenceProblems(reference)
  if (problems.length > 0) throw invalid(problems)
  return context.db.transaction(async tx => {
    const inside = inTransaction(context, tx)
    const { userId } = await grantById(inside, id)
    await lock(inside, userId)
    const grant = await grantById(inside, id)
    if (grant.status !== 'active' && grant.status !== 'pending')
      throw new AppError('CONFLICT', `The grant is ${grant.status}: nothing is left of it to void`)
    const now = context.now()
    // An active grant ends now, so that parts returned by holds later end at once.
    const ending = grant.status === 'active' && (grant.expiresAt === null || new Date(grant.expiresAt) > now) ? { expiresAt: now } : {}
    await tx.prisma.creditGrant.update({ where: { id }, data: { status: 'voided', remainingMicro: 0, ...ending } })
    if (grant.status === 'active') {
      const micro = Number(microOf(grant.remaining))
      const line = { grantId: grant.id, category: grant.category, micro }
      await post(inside, { userId, type: 'void', amountMicro: -BigInt(micro), reference: reference ?? grant.reference }, [line])
    }
    return grantById(inside, id)
  })
}

function give(context: Context, grant: NewGrant): Promise<Granted> {
  const { userId, amountMicro, reference } = grant
  return context.db.transaction(async tx => {
    const inside = inTransaction(context, tx)
    await lock(inside, userId)
    checkCeiling(creditsOf(await promisedMicro(tx, userId)), creditsOf(amountMicro))
    const { grantId, entry } = await addGrant(inside, grant)
    const transfer = entry && transferOf({ userId, amount: creditsOf(amountMicro), reference }, entry)
    return { grant: await grantById(inside, grantId), transfer }
  })
}

/** The balance including future grants. */
async function promisedMicro({ prisma }: Queries, userId: string): Promise<bigint> {
  const account = await prisma.creditAccount.findUniqueOrThrow({ where: { userId } })
  const { _sum } = await prisma.creditGrant.aggregate({ where: { userId, status: 'pending' }, _sum: { amountMicro: true } })
  return account.balanceMicro + (_sum.amountMicro ?? 0n)
}

function checkCeiling(promised: number, amount: number): void {
  if (promised + amount < amountCeiling) return
  const error = `the account would have ${amountCeiling} credits or more`
  throw invalid(valueError('amount', error, amount))
}

function priorityProblems(priority: number): Problem[] {
  if (priority < 0) return [problem('priority', 'greater_than_equal', priority, { ge: 0 })]
  return priority > 100 ? [problem('priority', 'less_than_equal', priority, { le: 100 })] : []
}

function periodProblems(context: Context, { effectiveAt, expiresAt }: GrantCredits): Problem[] {
  if (!expiresAt) return []
  const now = context.now()
  const error =
    expiresAt <= now ? 'it has passed already' : effectiveAt && expiresAt <= effectiveAt ? 'a grant ends after it has begun' : undefined
  return error ? [valueError('expiresAt', error, expiresAt.toISOString())] : []
}
