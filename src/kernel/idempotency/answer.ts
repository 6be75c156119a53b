// Answers as they are stored under an Idempotency-Key: encrypted where they show a secret, and with the scopes that they were made for.

import type { Context, IdempotencyKey } from './context.ts'
import { AppError } from './errors.ts'
import { scopesOf } from './identity/principal.ts'
import { isSealed, seal, unseal } from './seal.ts'

export interface StoredAnswer {
  /** It shows a secret, such as a new key. */
  isSecret?: boolean
  /** What it shows depends on the scopes of who asks: a later asker must have all of them. */
  isScoped?: boolean
}

/** An answer's columns. */
export interface Columns {
  answer: string
  /** Separated by spaces; null where anybody may have it who may ask. */
  scopes: string | null
}

export function encodeAnswer(
  context: Context,
  idempotency: IdempotencyKey,
  { isSecret, isScoped }: StoredAnswer,
  answer: unknown,
): Columns {
  const json = JSON.stringify(answer)
  return {
    answer: isSecret ? seal(json, ...secretsOf(context, idempotency)) : json,
    scopes: isScoped ? scopesOf(context.principal).join(' ') : null,
  }
}

/** Throws FORBIDDEN where the asker has fewer scopes than the first one, and CONFLICT where the secret it was encrypted with has changed. */
export function decodeAnswer(context: Context, idempotency: IdempotencyKey, { answer, scopes }: Columns): unknown {
  const own: readonly string[] = scopesOf(context.principal)
  const needed = scopes?.split(' ').filter(Boolean) ?? []
  if (!own.includes('*') && !needed.every(scope => own.includes(scope)))
    throw new AppError(
      'FORBIDDEN',
      'This was done before, by a credential with further scopes, and the answer shows what they allow; ask with these scopes, or read the result',
    )
  return JSON.parse(isSealed(answer) ? decrypted(context, idempotency, answer) : answer)
}

function decrypted(context: Context, idempotency: IdempotencyKey, text: string): string {
  try {
    return unseal(text, ...secretsOf(context, idempotency))
  } catch (cause) {
    throw new AppError('CONFLICT', 'This was done before, but its answer cannot be read any more: the server has another secret now', {
      cause,
    })
  }
}

// Neither is in the database, which knows the key only by its hash. With an outside identity provider IDENTITY_SECRET is nobody's.
function secretsOf({ services: { config } }: Context, { key }: IdempotencyKey): string[] {
  return [(config.IDENTITY_ISSUER ? config.SVC_SERVICES_TOKEN : config.IDENTITY_SECRET) ?? '', key]
}
