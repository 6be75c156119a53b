// Repeated calls: a call whose answer was lost is sent again, and must not happen twice.

import { hash } from 'node:crypto'
import type { IdempotencyKey } from '../kernel/context.ts'
import { AppError } from '../kernel/errors.ts'
import { idempotencyKeyPattern } from '../kernel/idempotency/idempotency.ts'

/** Data that a client sent with a call, beside the tool and its arguments. */
export interface Call {
  /** The id of the JSON-RPC request. */
  id: string | number
  /** The session that `initialize` named; null in the revision of the protocol without sessions. */
  session: string | null
  /** The client's own key: `_meta["rolocom/idempotencyKey"]`, or the header Idempotency-Key. */
  given: unknown
}

/**
 * The client's own key, or else one derived from the session and the id of the request, which a client uses once in a session. The
 * arguments are part of a derived key, so that a client which counts its ids from the start again is not refused. Null without either.
 */
export function keyOf({ id, session, given }: Call, tool: string, input: object): IdempotencyKey | null {
  if (given !== undefined && given !== null) {
    if (typeof given !== 'string' || !idempotencyKeyPattern.test(given))
      throw new AppError('INVALID', 'The idempotency key must be a text of 1 to 255 visible ASCII characters')
    return keyNamed(given, input)
  }
  return session === null ? null : keyNamed(`mcp:${hash('sha256', JSON.stringify([session, id, tool, input]))}`, input)
}

const keyNamed = (key: string, sent: object): IdempotencyKey => ({ key, operation: null, sent, replayed: false })
