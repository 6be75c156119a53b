// Grants: amounts of credits that are added at once, and then spent or expired.

import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { isId, newId } from '../../kernel/ids.ts'
import type { Line } from '../ledger/ledger.sql.ts'
import { type Entry, post } from '../ledger/ledger.ts'
import { type Grant, selectGrant } from './grant.sql.ts'

/** The grant with this id. Throws NOT_FOUND. */
export async function grantById(context: Context, id: string): Promise<Grant> {
  const [grant] = isId(id) ? await context.db.query(selectGrant, [id]) : []
  if (!grant) throw notFound('credit grant', id)
  return grant
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

/** Adds a grant. The caller has locked the account. The ledger entry of a future grant is written when it begins. */
export async function addGrant(context: Context, grant: NewGrant): Promise<{ grantId: string; entry: Entry | null }> {
  const { userId, amountMicro, category, priority, reference, expiresAt = null, type = 'grant' } = grant
  const { prisma } = context.db
  const now = context.now()
  const effectiveAt = grant.effectiveAt ?? now
  const isPending = effectiveAt > now
  const grantId = newId()
  const status = isPending ? 'pending' : 'active'
  const amounts = { amountMicro, remainingMicro: amountMicro }
  await prisma.creditGrant.create({
    data: { id: grantId, userId, ...amounts, category, priority, status, reference, effectiveAt, expiresAt, createdAt: now },
  })
  if (isPending) {
    await prisma.creditAccount.updateMany({
      where: { userId, OR: [{ dueAt: null }, { dueAt: { gt: effectiveAt } }] },
      data: { dueAt: effectiveAt },
    })
    return { grantId, entry: null }
  }
  const breakdown = [{ grantId, category, micro: Number(amountMicro) }]
  return { grantId, entry: await post(context, { userId, type, amountMicro, reference, dueAt: expiresAt }, breakdown) }
}
