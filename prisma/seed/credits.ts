// The credit account of the demo organization's owner, and two months of charges, written by the rules with the clock set to each time.

import { openAccount } from '../../src/credits/accounts/account.ts'
import { deductCredits } from '../../src/credits/ledger/transaction.ts'
import { grantCredits } from '../../src/credits/operator/operator.ts'
import type { Context } from '../../src/kernel/context.ts'

const day = 86_400_000

const grants = [
  { daysAgo: 59, amount: 1500, category: 'paid', reference: 'invoice:1988', lastsDays: 365 },
  { daysAgo: 45, amount: 5000, category: 'paid', reference: 'invoice:2041', lastsDays: 365 },
  { daysAgo: 30, amount: 250, category: 'promotional', reference: 'spring campaign', lastsDays: 21 },
  { daysAgo: 10, amount: 2500, category: 'paid', reference: 'invoice:2107', lastsDays: 365 },
] as const
const debits = [
  { daysAgo: 52, amount: 120, reference: 'report:onboarding' },
  { daysAgo: 44, amount: 310.5, reference: 'import:1200 contacts' },
  { daysAgo: 37, amount: 86.25, reference: 'report:week 1' },
  { daysAgo: 29, amount: 48, reference: 'report:week 2' },
  { daysAgo: 22, amount: 540, reference: 'campaign:autumn' },
  { daysAgo: 15, amount: 92.4, reference: 'report:week 4' },
  { daysAgo: 8, amount: 77.125, reference: 'report:week 5' },
  { daysAgo: 3, amount: 1260, reference: 'campaign:winter' },
  { daysAgo: 1, amount: 95, reference: 'report:week 6' },
] as const

/** Writes the account of a user who has none yet. */
export async function writeDemoCredits(context: Context, userId: string): Promise<void> {
  const today = context.now().getTime()
  const ago = (days: number) => new Date(today - days * day)
  await openAccount({ ...context, now: () => ago(60) }, userId)

  const steps = [
    ...grants.map(({ daysAgo, lastsDays, ...grant }) => ({
      daysAgo,
      take: (then: Context) => grantCredits(then, { userId, ...grant, expiresAt: ago(daysAgo - lastsDays) }),
    })),
    ...debits.map(({ daysAgo, ...debit }) => ({ daysAgo, take: (then: Context) => deductCredits(then, { userId, ...debit }) })),
  ].toSorted((a, b) => b.daysAgo - a.daysAgo)
  for (const { daysAgo, take } of steps) await take({ ...context, now: () => ago(daysAgo) })
}
