// Counts per account, user or recipient over all networks and processes, in PostgreSQL. Every kind has its own counts: a new kind gets a line
// in the table. A key consists of the kind and the counted id, never of a text put together elsewhere.

import { hash } from 'node:crypto'
import { domainToASCII } from 'node:url'
import type { Queries } from '../../database/client.ts'
import type { Services } from '../../kernel/context.ts'
import { countAttempt } from './provider.sql.ts'

const minuteMs = 60_000

const limits = {
  // For the account with an address, at sign-ins and changes of the password: more than a person types, and at most 2,000 guesses a day.
  // Sign-in by email link is not limited by it.
  password: { max: 20, withinMs: 15 * minuteMs },
  // For a user who enters codes of devices: one code among 25 billion is not found in that time.
  deviceCode: { max: 20, withinMs: 15 * minuteMs },
  // For a user who names clients whose metadata this server reads from other hosts: nobody logs in to more, and no host gets more requests.
  clientMetadata: { max: 30, withinMs: 15 * minuteMs },
  // For a recipient: links to sign in, to verify an address and to choose a password, together. A link to sign in lives for five minutes.
  mail: { max: 5, withinMs: 15 * minuteMs },
  mailOfDay: { max: 30, withinMs: 24 * 60 * minuteMs },
  // For a recipient: reminders, and other mails about an organization's work. 100: more than the calls that a person makes in a day.
  notice: { max: 100, withinMs: 24 * 60 * minuteMs },
  // For an address of a sign-up that nobody has verified: it may belong to a stranger.
  noticeUnproven: { max: 5, withinMs: 24 * 60 * minuteMs },
} as const

export interface Counted {
  what: keyof typeof limits
  /** The address, or the id of the user. */
  who: string
}

/** Counts one. Resolves with the seconds to wait, or null when it is allowed. */
export async function countOne(
  { database, now }: { database: Pick<Queries, 'query'>; now(): Date },
  counted: Counted,
): Promise<number | null> {
  const { max, withinMs } = limits[counted.what]
  const time = now().getTime()
  const at = (ms: number) => new Date(ms).toISOString()
  const [row] = await database.query(countAttempt, [keyOf(counted), at(time), at(time - withinMs)])
  if (!row || row.attempts <= max) return null
  return Math.max(1, Math.ceil((Date.parse(row.beganAt) + withinMs - time) / 1000))
}

/** Counts a mail to the address, and so what asks for one: also when none is sent, so that the answer does not tell which accounts exist. */
export async function countMail(services: Services, address: string): Promise<number | null> {
  const who = recipientOf(address)
  return (await countOne(services, { what: 'mail', who })) ?? (await countOne(services, { what: 'mailOfDay', who }))
}

export async function forgetCount({ database }: Services, counted: Counted): Promise<void> {
  await database.prisma.idpSignInAttempts.deleteMany({ where: { account: keyOf(counted) } })
}

const keyOf = ({ what, who }: Counted) => hash('sha256', JSON.stringify([what, who.trim().toLowerCase()]), 'buffer')

const dotless = new Set(['gmail.com', 'googlemail.com'])

/**
 * The mailbox behind an address, for counting: without capitals and what follows a `+`, which most providers ignore, and at Gmail without
 * dots. It is coarser than addresses that count as equal elsewhere.
 */
export function recipientOf(address: string): string {
  const text = address.trim().normalize('NFKC').toLowerCase()
  const at = text.lastIndexOf('@')
  const domain = domainToASCII(text.slice(at + 1)) || text.slice(at + 1)
  const [mailbox = ''] = text.slice(0, Math.max(0, at)).split('+', 1)
  return dotless.has(domain) ? `${mailbox.replaceAll('.', '')}@gmail.com` : `${mailbox}@${domain}`
}
