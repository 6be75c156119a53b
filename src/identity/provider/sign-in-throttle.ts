// Limits password attempts per account, counted over all IP addresses and processes. Sign-in by e-mail link is not limited.

import { hash } from 'node:crypto'
import type { Services } from '../../kernel/context.ts'
import { countAttempt } from './provider.sql.ts'

// 20 per 15 minutes: more than a person types, and at most 2,000 guesses per day.
const maxAttempts = 20
const attemptWindowMs = 900_000

/** Counts an attempt, before the password is compared. Resolves with the seconds to wait, or null when the attempt is allowed. */
export async function attemptSignIn({ database, now }: Services, email: string): Promise<number | null> {
  const time = now().getTime()
  const at = (ms: number) => new Date(ms).toISOString()
  const [row] = await database.query(countAttempt, [accountOf(email), at(time), at(time - attemptWindowMs)])
  if (!row || row.attempts <= maxAttempts) return null
  return Math.max(1, Math.ceil((Date.parse(row.beganAt) + attemptWindowMs - time) / 1000))
}

/** Resets the count, after a correct or a changed password. */
export async function signedIn({ database }: Services, email: string): Promise<void> {
  await database.prisma.idpSignInAttempts.deleteMany({ where: { account: accountOf(email) } })
}

const accountOf = (email: string) => hash('sha256', email.trim().toLowerCase(), 'buffer')
