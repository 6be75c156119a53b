// Idempotency keys of hooks: the sender's Idempotency-Key for requests with a token, the signed message for requests with a signature.

import type { IncomingHttpHeaders } from 'node:http'
import type { Mapping } from '../../config/gateway/mappings.ts'
import { AppError } from '../../kernel/errors.ts'
import { idempotencyKeyPattern } from '../../kernel/idempotency/idempotency.ts'
import type { Action } from '../mappings/mapping.ts'

/** The idempotency key of a write, as the context takes it. */
export interface WriteIdempotency {
  idempotencyKey: string | null
  operation?: string
  sent?: unknown
  formerly?: string
}

/** The Idempotency-Key header. Throws INVALID if it is malformed. */
export function senderKey({ headers }: { headers: IncomingHttpHeaders }): WriteIdempotency {
  const key = headers['idempotency-key']
  if (key === undefined) return { idempotencyKey: null }
  if (typeof key !== 'string' || !idempotencyKeyPattern.test(key))
    throw new AppError('INVALID', 'Idempotency-Key: must have 1 to 255 visible characters')
  return { idempotencyKey: key }
}

/**
 * The idempotency key of each action: the sender's, otherwise the mapping's. A mapping with a token of its own has a sender of its own, whose
 * keys no other sender can take.
 */
export const idempotencyOf = (actions: readonly Action[], given: string | null, { id, auth }: Mapping): WriteIdempotency[] =>
  actions.map(({ key, kind, payload }, index) => ({
    idempotencyKey: given === null ? key : actions.length > 1 ? `${given}:${index}` : given,
    ...(auth?.token !== undefined && { operation: `hook ${id}` }),
    sent: { kind, payload },
  }))

/**
 * The idempotency key of each action of a signed request. A replay can change everything unsigned: headers, query and path, and so which
 * mapping and action apply. Therefore the key depends on the secret instead of the mapping, and is the same for wakes and runs.
 */
export const signedIdempotencyOf = (actions: readonly Action[], signedId: string): WriteIdempotency[] =>
  actions.map(({ key, kind, payload }, index) => ({
    operation: 'signed hook',
    ...(key === null
      ? { idempotencyKey: `signed:${signedId}:${index}`, sent: { kind }, formerly: kind }
      : { idempotencyKey: `signed:${key}`, sent: { kind, payload } }),
  }))
