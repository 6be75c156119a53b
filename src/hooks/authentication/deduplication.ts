// Idempotency keys of hooks: the sender's Idempotency-Key with a token, the signed message with a signature.

import type { IncomingHttpHeaders } from 'node:http'
import { AppError } from '../../kernel/errors.ts'
import { idempotencyKeyPattern } from '../../kernel/idempotency/idempotency.ts'
import type { Action } from '../mappings/mapping.ts'

/** The idempotency key of a write: see `Asking`. */
export interface WriteIdempotency {
  idempotencyKey: string | null
  operation?: string
  sameWhen?: string
}

/** The Idempotency-Key header. Throws INVALID if it is malformed. */
export function senderKey({ headers }: { headers: IncomingHttpHeaders }): WriteIdempotency {
  const key = headers['idempotency-key']
  if (key === undefined) return { idempotencyKey: null }
  if (typeof key !== 'string' || !idempotencyKeyPattern.test(key))
    throw new AppError('INVALID', 'Idempotency-Key: must have 1 to 255 visible characters')
  return { idempotencyKey: key }
}

/** One for each action, from the sender's key, else from the mapping's. */
export const idempotencyOf = (actions: readonly Action[], given: string | null): WriteIdempotency[] =>
  actions.map(({ key }, index) => ({ idempotencyKey: given === null ? key : actions.length > 1 ? `${given}:${index}` : given }))

/**
 * One for each action of a signed request. A replay may change all that is not signed: headers, query and path, and with them the mapping and
 * its action. So the key depends on the secret and not on the mapping, and is the same for wakes and runs.
 */
export const signedIdempotencyOf = (actions: readonly Action[], signedId: string): WriteIdempotency[] =>
  actions.map(({ key, kind }, index) => ({
    operation: 'signed hook',
    ...(key === null ? { idempotencyKey: `signed:${signedId}:${index}`, sameWhen: kind } : { idempotencyKey: `signed:${key}` }),
  }))
