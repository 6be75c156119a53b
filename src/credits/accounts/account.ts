// Accounts: one per user, opened with the grant for new users. Every change of an account first applies due changes: grants that begin or
// end, and holds that expire.

import type { CreditAccountModel } from '../../generated/prisma/models.ts'
import { payersOf } from '../../identity/organizations/payer.ts'
import { inOwnTransaction } from '../../kernel/batching/together.ts'
import { type Context, createContext, inTransaction, organizationOf, type Services } from '../../kernel/context.ts'
import { AppError, invalid, notFound } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { problem } from '../../kernel/input/problem.ts'
import { storedJson } from '../../kernel/input/storable.ts'
import { microOf } from '../../kernel/money.ts'
import type { Line } from '../ledger/ledger.sql.ts'
import { debitIfCurrent, type Entry, type Movement, post } from '../ledger/ledger.ts'
import { addToGrants, endGrants, insertAccount, lockAccount, selectDue, updateDueAt } from './account.sql.ts'
import { addGrant } from './grant.ts'

/** Opens the user's account with the grant for new users. Does nothing if the account exists. Throws NOT_FOUND for an unknown user. */
export async function openAccount(context: Context, userId: string): Promise<void> {
  await context.db.transaction(async tx => {
    const inside = asLedger(inTransaction(context, tx), 'openAccount')
    const [opened] = await tx.query(insertAccount, [userId, context.now().toISOString()])
    if (!opened?.isUser) throw notFound('user', userId)
    const amountMicro = microOf(context.services.config.CREDITS_NEW_USER_GRANT)
    if (!opened.isNew || amountMicro === 0n) return
    await addGrant(inside, { userId, amountMicro, category: 'promotional', priority: 50, reference: 'new user' })
  })
}

/**
 * The user who pays: the signed-in user, the user for whom an OAuth client acts, or the user whom a service names, otherwise the payer of the
 * organization. Throws CONFLICT where nobody has accepted to pay.
 */
export async function payerOf(context: Context): Promise<string> {
  const { principal } = context
  if (principal.kind === 'session' || principal.kind === 'access_token') return principal.userId
  if (principal.kind === 'service') {
    if (principal.userId !== null) return principal.userId
    throw invalid(problem(['header', 'x-user-id'], 'missing'))
  }
  const [payer] = await payersOf(context, [organizationOf(context)])
  if (payer == null)
    throw new AppError(
      'CONFLICT',
      'Nobody pays for the organization: one of its owners must accept to, in Settings > Members or with payForOrganization',
    )
  return payer
}

/** An account, and the part of it that the caller may see. */
export interface Seen {
  userId: string
  /** Only entries of this organization. Null: all entries. */
  orgId: string | null
}

/**
 * The part of the payer's account that the caller may see: all of it when the payer asks (signed in, through an OAuth client, a service, or a
 * key that the payer made), and only the organization's entries when another key or an agent of it asks.
 */
export async function seenAccount(context: Context): Promise<Seen> {
  const { principal } = context
  const userId = await payerOf(context)
  const isPart = principal.kind === 'hook' || (principal.kind === 'api_key' && principal.userId !== userId)
  return { userId, orgId: isPart ? organizationOf(context) : null }
}

/** Whether the caller may see an event of an account. `forOrganization` says that it is about work of the event's organization. */
export async function maySeeEvent(context: Context, event: { entityId: string; changes: Record<string, unknown> }): Promise<boolean> {
  const seen = await seenIfAny(context)
  return seen?.userId === event.entityId && (seen.orgId === null || event.changes.forOrganization === true)
}

/** The part of the payer's account that the caller may see; null where nobody pays. */
export async function seenIfAny(context: Context): Promise<Seen | null> {
  try {
    return await seenAccount(context)
  } catch (error) {
    if (error instanceof AppError && error.code === 'CONFLICT') return null
    throw error
  }
}

/** Locks the account for the rest of the transaction and applies its due changes. Opens it if absent. */
export async function lock(context: Context, userId: string): Promise<void> {
  for (;;) {
    const [account] = await context.db.query(lockAccount, [userId, context.now().toISOString()])
    if (account?.isDue) await applyDueChanges(context, userId)
    if (account) return
    await openAccount(context, userId)
  }
}

/** The current account: opened if absent, with due changes applied. */
export async function readAccount(context: Context, userId: string): Promise<CreditAccountModel> {
  for (;;) {
    const account = await context.db.prisma.creditAccount.findUnique({ where: { userId } })
    if (account && !(account.dueAt && account.dueAt <= context.now())) return account
    await bringUpToDate(context, userId)
  }
}

/** Opens the account if it is absent, and applies its due changes. */
export const bringUpToDate = (context: Context, userId: string): Promise<void> =>
  context.db.transaction(tx => lock(inTransaction(context, tx), userId))

/** Debits credits, either finally or into a hold, all or nothing. Throws INSUFFICIENT_CREDITS, and NOT_FOUND for an unknown user. */
export async function debit(context: Context, movement: Movement): Promise<Entry> {
  for (;;) {
    const debited = await debitIfCurrent(context, movement)
    if (typeof debited !== 'string') return debited
    // Alone, because the other writes of a batch hold locks on their accounts, and locking another could deadlock with another batch.
    await inOwnTransaction(context, tx => bringUpToDate(tx, movement.userId))
  }
}

const sliceSize = 500

/** Applies the due changes of all accounts, each in its own transaction. */
export async function bringDueAccountsUpToDate(services: Services, signal?: AbortSignal): Promise<void> {
  const { database, log, now } = services
  const principal = { kind: 'system', name: 'credits', orgId: null } as const
  const context = createContext(services, { principal, requestId: newId(), door: 'tasks', operation: 'creditsDue' })
  // Sorted by user, so that an account that fails is skipped and does not delay the others.
  for (let last = ''; ; ) {
    const accounts = await database.query(selectDue, [now().toISOString(), last, sliceSize])
    for (const { userId } of accounts) {
      signal?.throwIfAborted()
      await bringUpToDate(context, userId).catch((error: unknown) =>
        log.error({ err: error, userId }, 'an account could not be brought up to date'),
      )
      last = userId
    }
    if (accounts.length < sliceSize) return
  }
}

/**
 * Expires holds, begins and ends grants, each with a ledger entry, and stores when the next change is due. The caller has locked the
 * account. Also called after `returnToGrants`, because a grant may have ended meanwhile.
 */
export async function applyDueChanges(context: Context, userId: string): Promise<void> {
  const ledger = asLedger(context, 'creditsDue')
  const now = context.now()
  for (;;) {
    const [next] = await context.db.query(updateDueAt, [userId, now.toISOString()])
    if (!next?.isDue) return
    const { prisma } = context.db
    const expired = await prisma.creditHold.updateManyAndReturn({
      where: { userId, status: 'open', expiresAt: { lte: now } },
      data: { status: 'expired', closedAt: now },
    })
    for (const { id, amountMicro, breakdown, reference, orgId } of expired) {
      const lines = breakdown as Line[]
      await returnToGrants(context, lines)
      await post(ledger, { userId, orgId, type: 'expire', reservedMicro: -amountMicro, holdId: id, reference }, lines)
    }
    const begun = await prisma.creditGrant.updateManyAndReturn({
      where: { userId, status: 'pending', effectiveAt: { lte: now } },
      data: { status: 'active' },
    })
    for (const { id, amountMicro, category, reference } of begun) {
      const line = { grantId: id, category: category as Line['category'], micro: Number(amountMicro) }
      await post(ledger, { userId, type: 'grant', amountMicro, reference }, [line])
    }
    const ended = await context.db.query(endGrants, [userId, now.toISOString()])
    for (const { id, remainingMicro, category, reference } of ended) {
      const line = { grantId: id, category, micro: remainingMicro }
      await post(ledger, { userId, type: 'expire', amountMicro: -BigInt(remainingMicro), reference }, [line])
    }
    if (expired.length + begun.length + ended.length === 0)
      throw new Error(`The account of ${userId} has a due change that nothing applies`)
  }
}

/** Adds the parts to the grants from which they were debited. If a grant has expired, `applyDueChanges` ends it again. */
export async function returnToGrants(context: Context, breakdown: readonly Line[]): Promise<void> {
  await context.db.query(addToGrants, [storedJson(breakdown)])
}

// The actor of due changes is the ledger, not the request that happens to apply them.
const asLedger = (context: Context, operation: string): Context => ({
  ...context,
  principal: { kind: 'system', name: 'credits', orgId: null },
  door: 'system',
  operation,
})
