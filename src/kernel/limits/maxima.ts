// How many of a noun there are at most. What one person can make by a script, and every list, request or event reads whole, is here; contacts
// and what hangs on them are bounded by credits, queues and pages. A new noun of this kind belongs in this table.

import type { Queries } from '../../database/client.ts'
import { AppError } from '../errors.ts'
import { lockMaximum } from './maxima.sql.ts'

interface Maximum {
  most: number
  /** `An organization has at most 50 …; delete one first`. */
  of: 'An organization' | 'A member' | 'A dashboard' | 'A widget'
  nouns: string
  /** What to do about it. */
  remedy: string
  /** Default: CONFLICT. */
  code?: 'FORBIDDEN'
}

export const maxima = {
  // 200: a key for each program of a large company. The list of keys has them all.
  apiKeys: { most: 200, of: 'An organization', nouns: 'API keys that work', remedy: 'revoke one first' },
  // 50: a company can invite its employees at once; a faulty script is stopped.
  invitations: {
    ...{ most: 50, of: 'An organization', nouns: 'open invitations', remedy: 'revoke one first, or wait: they expire after 7 days' },
    // As it was answered before there was a table.
    code: 'FORBIDDEN',
  },
  // 200: more than a form can show; each value enlarges the row of its contact.
  customFields: { most: 200, of: 'An organization', nouns: 'custom fields', remedy: 'delete one first' },
  // 50: every event is compared with all of them.
  webhookEndpoints: { most: 50, of: 'An organization', nouns: 'webhook endpoints', remedy: 'delete one first' },
  // 200: each is made at its provider too, where it may cost something.
  voiceAgents: { most: 200, of: 'An organization', nouns: 'agents', remedy: 'archive one first' },
  // 100 of each member, and 100 that API keys made: more than anyone finds again in a menu.
  savedViews: { most: 100, of: 'A member', nouns: 'saved views', remedy: 'delete one first' },
  // 20: each is a read of its own, and one page shows them all.
  widgets: { most: 20, of: 'A dashboard', nouns: 'widgets', remedy: 'remove one first' },
  // More pages elsewhere than one widget is shown on.
  widgetKeys: { most: 20, of: 'A widget', nouns: 'keys', remedy: 'revoke one first' },
} as const satisfies Record<string, Maximum>

/** Throws CONFLICT, for invitations FORBIDDEN, if there is no room beside `count`. */
export function requireRoom(noun: keyof typeof maxima, count: number | bigint): void {
  const { most, of, nouns, remedy, code }: Maximum = maxima[noun]
  if (count >= most) throw new AppError(code ?? 'CONFLICT', `${of} has at most ${most} ${nouns}; ${remedy}`)
}

/** Lets one writer at a time count and add, until its transaction ends. */
export const lockNoun = async (db: Queries, noun: keyof typeof maxima, ownerId: string): Promise<void> =>
  void (await db.query(lockMaximum, [noun, ownerId]))
