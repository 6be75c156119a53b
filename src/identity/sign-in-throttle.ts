// Passwords tried per account, by all addresses and in all processes together. Links by mail go on working meanwhile.

import { hash } from 'node:crypto'
import type { Services } from '../context.ts'
import { statement } from '../database/client.ts'

// 20 in a quarter of an hour: nobody types that many, and it makes 2,000 guesses a day.
const maxAttempts = 20
export const attemptWindowMs = 900_000

// Counted before the password is looked at, so that a hundred at once are a hundred.
const countAttempt = statement<{ attempts: number; beganAt: string }>(
  'idp_count_sign_in_attempt',
  `insert into idp_sign_in_attempts as a (account, attempts, began_at) values ($1, 1, $2)
   on conflict (account) do update set
     attempts = case when a.began_at <= $3 then 1 else a.attempts + 1 end,
     began_at = case when a.began_at <= $3 then $2 else a.began_at end
   returning attempts, began_at as "beganAt"`,
)
const forgetAttempts = statement<never>('idp_forget_sign_in_attempts', 'delete from idp_sign_in_attempts where account = $1')

/** Counts an attempt. Resolves with the seconds to wait, or null when the password may be looked at. */
export async function attemptSignIn({ database, now }: Services, email: string): Promise<number | null> {
  const time = now().getTime()
  const at = (ms: number) => new Date(ms).toISOString()
  const [row] = await database.query(countAttempt, [accountOf(email), at(time), at(time - attemptWindowMs)])
  if (!row || row.attempts <= maxAttempts) return null
  return Math.max(1, Math.ceil((Date.parse(row.beganAt) + attemptWindowMs - time) / 1000))
}

/** Begins anew: the password was right, or is a new one. */
export async function signedIn({ database }: Services, email: string): Promise<void> {
  await database.query(forgetAttempts, [accountOf(email)])
}

const accountOf = (email: string) => hash('sha256', email.trim().toLowerCase(), 'buffer')
