// The succession of an account: when a person takes the place of a placeholder, the credits that the operator has given it move to the person.
// The old account stays, because its entries never change. Each part moves by an entry in both accounts.

import { type Context, createContext, inTransaction, type Services } from '../../kernel/context.ts'
import { newId } from '../../kernel/ids.ts'
import { post } from '../ledger/ledger.ts'
import { lock } from './account.ts'
import { addGrant } from './grant.ts'
import { type Movable, selectMovable, selectSuccessions } from './succession.sql.ts'

/** See `Money.moveAccount`. A repetition moves what came meanwhile. */
export async function moveAccount(context: Context, from: string, to: string): Promise<void> {
  await context.db.transaction(async tx => {
    const inside = inTransaction(context, tx)
    const { count } = await tx.prisma.creditAccount.updateMany({ where: { userId: from }, data: { successorId: to } })
    if (count === 0) return
    // In the order in which batches of movements lock accounts.
    for (const userId of [from, to].toSorted()) await lock(inside, userId)
    for (const grant of await tx.query(selectMovable, [from])) await moveGrant(inside, grant, from, to)
  })
}

async function moveGrant(context: Context, grant: Movable, from: string, to: string): Promise<void> {
  const { id, remainingMicro, category, priority, status, effectiveAt, expiresAt } = grant
  const reference = grant.reference ?? 'moved to the owner'
  const isActive = status === 'active'
  // `used`, not `voided`: held parts that come back make it active again, and then they move, too.
  await context.db.prisma.creditGrant.update({ where: { id }, data: { remainingMicro: 0, status: isActive ? 'used' : 'voided' } })
  const amountMicro = BigInt(remainingMicro)
  if (isActive)
    await post(context, { userId: from, type: 'adjust', amountMicro: -amountMicro, reference }, [
      { grantId: id, category, micro: remainingMicro },
    ])
  const period = { ...(!isActive && { effectiveAt: new Date(effectiveAt) }), expiresAt: expiresAt === null ? null : new Date(expiresAt) }
  await addGrant(context, { userId: to, amountMicro, category, priority, reference, ...period, type: 'adjust' })
}

/** The user who has the credits of an account now; null for an account that was not moved. */
export async function successorOf({ db }: Context, userId: string): Promise<string | null> {
  return (await db.prisma.creditAccount.findUnique({ where: { userId }, select: { successorId: true } }))?.successorId ?? null
}

/** Moves the credits that holds have returned to accounts with a successor. */
export async function moveReturnedCredits(services: Services, signal?: AbortSignal): Promise<void> {
  const principal = { kind: 'system', name: 'credits', orgId: null } as const
  const context = createContext(services, { principal, requestId: newId(), door: 'tasks', operation: 'creditsDue' })
  for (const { userId, successorId } of await services.database.query(selectSuccessions)) {
    signal?.throwIfAborted()
    await moveAccount(context, userId, successorId).catch((error: unknown) =>
      services.log.error({ err: error, userId }, 'the credits of an account could not be moved'),
    )
  }
}
