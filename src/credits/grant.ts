// Grants: credits that come in, in the order in which they are drawn, and end.

import { v7 as uuid } from 'uuid'
import { isId } from '../contacts/page.ts'
import type { Context } from '../context.ts'
import { statement } from '../database/client.ts'
import { notFound } from '../errors.ts'
import { creditsOf } from '../money.ts'
import type { Line } from './ledger.sql.ts'
import { type Entry, post } from './ledger.ts'

/** Credits that came in at once. */
export interface Grant {
  id: string
  amount: number
  /** What is neither spent nor held of it. */
  remaining: number
  category: Line['category']
  /** 0, drawn first, to 100. */
  priority: number
  status: 'pending' | 'active' | 'used' | 'expired' | 'voided'
  reference: string | null
  effectiveAt: string
  expiresAt: string | null
  createdAt: string
}

/** The columns of a grant `g`, with amounts still in micro-credits. */
export const grantColumns = `g.id, g.amount_micro as amount, g.remaining_micro as remaining, g.category, g.priority, g.status, g.reference,
  g.effective_at as "effectiveAt", g.expires_at as "expiresAt", g.created_at as "createdAt"`

/** The grant that such columns are, without what else the row may hold. */
export const grantOf = ({
  id,
  amount,
  remaining,
  category,
  priority,
  status,
  reference,
  effectiveAt,
  expiresAt,
  createdAt,
}: Grant): Grant => ({
  id,
  amount: creditsOf(amount),
  remaining: creditsOf(remaining),
  category,
  priority,
  status,
  reference,
  effectiveAt,
  expiresAt,
  createdAt,
})

const readGrant = statement<Grant & { userId: string }>(
  'credits_read_grant',
  `select ${grantColumns}, g.user_id as "userId" from credit_grants g where g.id = $1`,
)

/** The grant, and whose it is. Throws NOT_FOUND. */
export async function grantById(context: Context, id: string): Promise<{ grant: Grant; userId: string }> {
  const [row] = isId(id) ? await context.db.query(readGrant, [id]) : []
  if (!row) throw notFound('credit grant', id)
  return { grant: grantOf(row), userId: row.userId }
}

export interface NewGrant {
  userId: string
  amountMicro: bigint
  category: Line['category']
  priority: number
  reference: string | null
  /** Default: now. */
  effectiveAt?: Date
  expiresAt?: Date | null
  /** Default: `grant`. */
  type?: 'grant' | 'adjust'
}

const insertGrant = statement<never>(
  'credits_insert_grant',
  `insert into credit_grants (id, user_id, amount_micro, remaining_micro, category, priority, status, reference, effective_at, expires_at, created_at)
   values ($1, $2, $3::bigint, $3, $4, $5, $6, $7, $8, $9, $10)`,
)
const dueBy = statement<never>('credits_due_by', `update credit_accounts set due_at = least(due_at, $2::timestamptz) where user_id = $1`)

/** Adds a grant to an account whose lock the caller holds. One that begins later has no entry before it does. */
export async function addGrant(context: Context, grant: NewGrant): Promise<{ grantId: string; entry: Entry | null }> {
  const { userId, amountMicro, category, priority, reference, expiresAt = null, type = 'grant' } = grant
  const now = context.now()
  const effectiveAt = grant.effectiveAt ?? now
  const isPending = effectiveAt > now
  const grantId = uuid()
  await context.db.query(insertGrant, [
    grantId,
    userId,
    amountMicro,
    category,
    priority,
    isPending ? 'pending' : 'active',
    reference,
    effectiveAt.toISOString(),
    expiresAt?.toISOString() ?? null,
    now.toISOString(),
  ])
  if (isPending) {
    await context.db.query(dueBy, [userId, effectiveAt.toISOString()])
    return { grantId, entry: null }
  }
  const breakdown = [{ grantId, category, micro: Number(amountMicro) }]
  return { grantId, entry: await post(context, { userId, type, amountMicro, reference, dueAt: expiresAt }, breakdown) }
}
