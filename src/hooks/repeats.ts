// Which requests of senders are one: by their Idempotency-Key where a token vouches for them, by what they sign where a signature does.

import type { IncomingHttpHeaders } from 'node:http'
import { AppError } from '../errors.ts'
import type { Action } from './mapping.ts'

/** What makes a repeat of a write one with it: see `Asking`. */
export interface Repeat {
  idempotencyKey: string | null
  operation?: string
  sameWhen?: string
}

const visible = /^[\x21-\x7e]{1,255}$/

/** The sender's own key. Throws INVALID for one that is none. */
export function senderKey({ headers }: { headers: IncomingHttpHeaders }): Repeat {
  const key = headers['idempotency-key']
  if (key === undefined) return { idempotencyKey: null }
  if (typeof key !== 'string' || !visible.test(key)) throw new AppError('INVALID', 'Idempotency-Key: must have 1 to 255 visible characters')
  return { idempotencyKey: key }
}

/** One for each action: the sender's own key counts, else the mapping's. Of several actions each has one of its own. */
export const repeatsOf = (actions: readonly Action[], given: string | null): Repeat[] =>
  actions.map(({ key }, index) => ({ idempotencyKey: given === null ? key : actions.length > 1 ? `${given}:${index}` : given }))

/**
 * One for each action of a signed request. Everything that is not signed may differ in a replay: headers, query, path, and by them the
 * mapping and what it does. So the key is the secret's, not the mapping's, and the same for wakes and runs.
 */
export const signedRepeats = (actions: readonly Action[], signedId: string): Repeat[] =>
  actions.map(({ key, kind }, index) => ({
    operation: 'signed hook',
    ...(key === null ? { idempotencyKey: `signed:${signedId}:${index}`, sameWhen: kind } : { idempotencyKey: `signed:${key}` }),
  }))
