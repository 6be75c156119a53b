// Accounts: one per user, opened with the grant for new users, always brought up to date before anything else is done with it.

import { type Context, inTransaction, organizationOf } from '../context.ts'
import { statement } from '../database/client.ts'
import { AppError, invalid, notFound } from '../errors.ts'
import { microOf } from '../money.ts'
import { addGrant } from './grant.ts'
import type { Line } from './ledger.sql.ts'
import { post } from './ledger.ts'

const firstOwn = `(select organization_id from memberships where user_id = $1 and role = 'owner' order by created_at, organization_id limit 1)`
const insertAccount = statement<{ isNew: boolean; isUser: boolean }>(
  'credits_open',
  `with opened as (
     insert into credit_accounts (user_id, org_id, created_at, updated_at) select id, ${firstOwn}, $2::timestamptz, $2 from users where id = $1
     on conflict do nothing returning user_id)
   select exists (select from opened) as "isNew", exists (select from users where id = $1) as "isUser"`,
)

/** Opens the user's account with the grant for new users; does nothing when there is one. Throws NOT_FOUND for nobody. */
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

const readOwner = statement<{ userId: string }>(
  'credits_owner',
  `select user_id as "userId" from memberships where organization_id = $1 and role = 'owner' order by created_at, user_id limit 1`,
)

/** Who pays: the user who is signed in or named by a service, otherwise the organization's owner. */
export async function payerOf(context: Context): Promise<string> {
  const { principal } = context
  if (principal.kind === 'session') return principal.userId
  if (principal.kind === 'service') {
    if (principal.userId !== null) return principal.userId
    throw invalid({ path: ['header', 'x-user-id'], type: 'missing', message: 'Field required' })
  }
  const [owner] = await context.db.query(readOwner, [organizationOf(context)])
  if (!owner) throw new AppError('CONFLICT', 'The organization has no owner whose credits could be used')
  return owner.userId
}

const lockAccount = statement<{ isDue: boolean }>(
  'credits_lock',
  `select coalesce(due_at <= $2::timestamptz, false) as "isDue" from credit_accounts where user_id = $1 for no key update`,
)

/** Locks the account for the rest of the transaction, up to date, and opens it first if need be. */
export async function lock(context: Context, userId: string): Promise<void> {
  for (;;) {
    const [account] = await context.db.query(lockAccount, [userId, context.now().toISOString()])
    if (account?.isDue) await doWhatIsDue(context, userId)
    if (account) return
    await openAccount(context, userId)
  }
}

const readDue = statement<{ isDue: boolean }>(
  'credits_is_due',
  `select coalesce(due_at <= $2::timestamptz, false) as "isDue" from credit_accounts where user_id = $1`,
)

/** For reading what is not read together with the account: opens it and does what is due, where that is needed. */
export async function seeTo(context: Context, userId: string): Promise<void> {
  const [account] = await context.db.query(readDue, [userId, context.now().toISOString()])
  if (!account || account.isDue) await bringUpToDate(context, userId)
}

/** Sees to an account that was found absent or due. */
export const bringUpToDate = (context: Context, userId: string): Promise<void> =>
  context.db.transaction(tx => lock(inTransaction(context, tx), userId))

const expireHolds = statement<{ id: string; amountMicro: number; breakdown: Line[]; reference: string }>(
  'credits_expire_holds',
  `update credit_holds set status = 'expired', closed_at = $2::timestamptz where user_id = $1 and status = 'open' and expires_at <= $2
   returning id, amount_micro as "amountMicro", breakdown, reference`,
)
const beginGrants = statement<{ id: string; amountMicro: number; category: Line['category']; reference: string | null }>(
  'credits_begin_grants',
  `update credit_grants set status = 'active' where user_id = $1 and status = 'pending' and effective_at <= $2::timestamptz
   returning id, amount_micro as "amountMicro", category, reference`,
)
const endGrants = statement<{ id: string; remainingMicro: number; category: Line['category']; reference: string | null }>(
  'credits_end_grants',
  `update credit_grants g set status = 'expired', remaining_micro = 0
   from (select id, remaining_micro from credit_grants where user_id = $1 and status = 'active' and expires_at <= $2::timestamptz) ended
   where g.id = ended.id returning g.id, ended.remaining_micro as "remainingMicro", g.category, g.reference`,
)
const nextDue = statement<{ isDue: boolean }>(
  'credits_next_due',
  `update credit_accounts set org_id = coalesce(org_id, ${firstOwn}), due_at = least(
     (select min(expires_at) from credit_holds where user_id = $1 and status = 'open'),
     (select min(effective_at) from credit_grants where user_id = $1 and status = 'pending'),
     (select min(expires_at) from credit_grants where user_id = $1 and status = 'active'))
   where user_id = $1 returning coalesce(due_at <= $2::timestamptz, false) as "isDue"`,
)

/**
 * Holds that have run out give back, grants begin and end, each with its entry; then the account knows when to be looked at next. The
 * caller holds the account's lock, and calls this whenever a grant got something back.
 */
export async function doWhatIsDue(context: Context, userId: string): Promise<void> {
  const ledger = asLedger(context, 'creditsDue')
  const now = context.now().toISOString()
  for (;;) {
    const [next] = await context.db.query(nextDue, [userId, now])
    if (!next?.isDue) return
    const lapsed = await context.db.query(expireHolds, [userId, now])
    for (const { id, amountMicro, breakdown, reference } of lapsed) {
      await giveBack(context, breakdown)
      await post(ledger, { userId, type: 'expire', reservedMicro: -BigInt(amountMicro), holdId: id, reference }, breakdown)
    }
    const begun = await context.db.query(beginGrants, [userId, now])
    for (const { id, amountMicro, category, reference } of begun) {
      const line = { grantId: id, category, micro: amountMicro }
      await post(ledger, { userId, type: 'grant', amountMicro: BigInt(amountMicro), reference }, [line])
    }
    const ended = await context.db.query(endGrants, [userId, now])
    for (const { id, remainingMicro, category, reference } of ended) {
      const line = { grantId: id, category, micro: remainingMicro }
      await post(ledger, { userId, type: 'expire', amountMicro: -BigInt(remainingMicro), reference }, [line])
    }
    if (lapsed.length + begun.length + ended.length === 0)
      throw new Error(`Something of ${userId} is due, and nothing can be done about it`)
  }
}

const returnToGrants = statement<never>(
  'credits_give_back',
  `update credit_grants g set remaining_micro = remaining_micro + line.micro, status = 'active'
   from jsonb_to_recordset($1) as line ("grantId" uuid, micro bigint) where g.id = line."grantId"`,
)

/** Gives parts back to the grants they were drawn from. A grant that has ended meanwhile ends again at the next `doWhatIsDue`. */
export async function giveBack(context: Context, breakdown: readonly Line[]): Promise<void> {
  await context.db.query(returnToGrants, [JSON.stringify(breakdown)])
}

// What the ledger does by itself is not the doing of whoever happens to look first.
const asLedger = (context: Context, operation: string): Context => ({
  ...context,
  principal: { kind: 'system', name: 'credits', orgId: null },
  door: 'system',
  operation,
})
