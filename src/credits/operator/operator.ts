// What operators do with accounts: grant, void a grant, correct a balance.

import { type Context, inTransaction } from '../context.ts'
import { statement } from '../database/client.ts'
import { AppError, invalid, type Problem } from '../errors.ts'
import { amountCeiling, creditsOf, microOf } from '../money.ts'
import { lock } from './account.ts'
import { amountProblems, checkedAmount, referenceProblems } from './credit-input.ts'
import { take } from './draw.ts'
import { addGrant, type Grant, grantById, type NewGrant } from './grant.ts'
import { post } from './ledger.ts'
import { type Transfer, transferOf } from './transaction.ts'

export interface GrantCredits {
  userId: string
  /** Credits, above 0, with at most 6 decimals. */
  amount: number
  /** Default: paid. */
  category?: Grant['category'] | null
  /** 0, drawn first, to 100. Default: 50. */
  priority?: number | null
  /** Default: now. */
  effectiveAt?: Date | null
  /** Default: never. */
  expiresAt?: Date | null
  reference?: string | null
}

/** A grant that was made. What it moved is null where it begins later: nothing yet. */
export interface Granted {
  grant: Grant
  transfer: Transfer | null
}

/** Gives credits to a user. Throws NOT_FOUND for a user nobody knows. */
export function grantCredits(context: Context, input: GrantCredits): Promise<Granted> {
  const { userId, amount, category, priority, effectiveAt, expiresAt, reference = null } = input
  const problems = [
    ...amountProblems(['amount'], amount),
    ...priorityProblems(priority ?? 50),
    ...periodProblems(context, input),
    ...referenceProblems(reference),
  ]
  const amountMicro = checkedAmount(amount, problems)
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
  /** Credits to add, or below 0 to take. */
  amount: number
  /** Why. */
  reference: string
}

/** Corrects a balance by an entry of its own; the one that was wrong stays. Throws INSUFFICIENT_CREDITS when there is less to take. */
export async function adjustCredits(context: Context, input: AdjustCredits): Promise<Transfer> {
  const { userId, amount, reference } = input
  const problems = [...amountProblems(['amount'], amount, { allowNegative: true }), ...referenceProblems(reference)]
  const amountMicro = checkedAmount(amount, problems)
  if (amountMicro < 0n) return transferOf(input, await take(context, { userId, type: 'adjust', amountMicro, reference }))
  const { transfer } = await give(context, { userId, amountMicro, category: 'promotional', priority: 50, reference, type: 'adjust' })
  if (!transfer) throw new Error('a correction begins at once')
  return transfer
}

/** Takes back what is left of a grant; what was spent stays spent, what is held ends when it is given back. Throws CONFLICT when nothing is left. */
export function voidCreditGrant(context: Context, { id, reference = null }: { id: string; reference?: string | null }): Promise<Grant> {
  const problems = referenceProblems(reference)
  if (problems.length > 0) throw invalid(problems)
  return context.db.transaction(async tx => {
    const inside = inTransaction(context, tx)
    const { userId } = await grantById(inside, id)
    await lock(inside, userId)
    const { grant } = await grantById(inside, id)
    if (grant.status !== 'active' && grant.status !== 'pending')
      throw new AppError('CONFLICT', `The grant is ${grant.status}: nothing is left of it to void`)
    await tx.query(markVoided, [id, context.now().toISOString()])
    if (grant.status === 'active') {
      const micro = Number(microOf(grant.remaining))
      const line = { grantId: id, category: grant.category, micro }
      await post(inside, { userId, type: 'void', amountMicro: -BigInt(micro), reference: reference ?? grant.reference }, [line])
    }
    return (await grantById(inside, id)).grant
  })
}

// It ends now, so that what its holds give back later ends at once.
const markVoided = statement<never>(
  'credits_void_grant',
  `update credit_grants set status = 'voided', remaining_micro = 0,
     expires_at = case when status = 'active' then least(expires_at, $2::timestamptz) else expires_at end where id = $1`,
)

const readPromised = statement<{ micro: number }>(
  'credits_promised',
  `select balance_micro + (select coalesce(sum(amount_micro), 0)::bigint from credit_grants where user_id = $1 and status = 'pending') as micro
   from credit_accounts where user_id = $1`,
)

function give(context: Context, grant: NewGrant): Promise<Granted> {
  const { userId, amountMicro, reference } = grant
  return context.db.transaction(async tx => {
    const inside = inTransaction(context, tx)
    await lock(inside, userId)
    const [promised] = await tx.query(readPromised, [userId])
    checkCeiling(creditsOf(promised?.micro ?? 0), creditsOf(amountMicro))
    const { grantId, entry } = await addGrant(inside, grant)
    const transfer = entry && transferOf({ userId, amount: creditsOf(amountMicro), reference }, entry)
    return { grant: (await grantById(inside, grantId)).grant, transfer }
  })
}

function checkCeiling(promised: number, amount: number): void {
  if (promised + amount < amountCeiling) return
  const error = `the account would have ${amountCeiling} credits or more`
  throw invalid({ path: ['amount'], type: 'value_error', message: `Value error, ${error}`, input: amount, context: { error } })
}

function priorityProblems(priority: number): Problem[] {
  const problem = (type: string, message: string, context: Record<string, unknown>) => [
    { path: ['priority'], type, message, input: priority, context },
  ]
  if (priority < 0) return problem('greater_than_equal', 'Input should be greater than or equal to 0', { ge: 0 })
  if (priority > 100) return problem('less_than_equal', 'Input should be less than or equal to 100', { le: 100 })
  return []
}

function periodProblems(context: Context, { effectiveAt, expiresAt }: GrantCredits): Problem[] {
  if (!expiresAt) return []
  const now = context.now()
  const error =
    expiresAt <= now ? 'it has passed already' : effectiveAt && expiresAt <= effectiveAt ? 'a grant ends after it has begun' : undefined
  return error
    ? [{ path: ['expiresAt'], type: 'value_error', message: `Value error, ${error}`, input: expiresAt.toISOString(), context: { error } }]
    : []
}
