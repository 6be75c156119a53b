// Answers stored under an Idempotency-Key: encrypted if they contain a secret, and with the caller's scopes if they depend on them.

import type { Context, IdempotencyKey } from '../context.ts'
import { decrypt, encrypt, isEncrypted } from '../crypto/encrypt.ts'
import { AppError } from '../errors.ts'
import { scopesOf } from '../principal.ts'

export interface StoredAnswer {
  /** The answer contains a secret, such as a new API key. */
  isSecret?: boolean
  /** The answer depends on the caller's scopes: a later caller must have all of them. */
  isScoped?: boolean
}

/** The columns of an answer. */
export interface Columns {
  answer: string
  /** Separated by spaces; null when the answer does not depend on scopes. */
  scopes: string | null
}

/** The value that is stored as the text of its JSON: the answer itself, or a text that has it encrypted. */
export const valueToStore = (context: Context, idempotency: IdempotencyKey, { isSecret }: StoredAnswer, answer: unknown): unknown =>
  isSecret ? encrypt(JSON.stringify(answer), ...secretsOf(context, idempotency)) : answer

/** The scopes that a later caller needs, as they are stored. */
export const scopesToStore = (context: Context, { isScoped }: StoredAnswer): string | null =>
  isScoped ? scopesOf(context.principal).join(' ') : null

/**
 * Decodes a stored answer. Throws FORBIDDEN when the caller lacks a scope of the first caller, and CONFLICT when the encryption secret has
 * changed.
 */
export function decodeAnswer(context: Context, idempotency: IdempotencyKey, { answer, scopes }: Columns): unknown {
  const own: readonly string[] = scopesOf(context.principal)
  const needed = scopes?.split(' ').filter(Boolean) ?? []
  if (!own.includes('*') && !needed.every(scope => own.includes(scope)))
    throw new AppError(
      'FORBIDDEN',
      'This was done before, by a credential with further scopes, and the answer shows what they allow; ask with these scopes, or read the result',
    )
  return JSON.parse(isEncrypted(answer) ? decryptAnswer(context, idempotency, answer) : answer)
}

function decryptAnswer(context: Context, idempotency: IdempotencyKey, text: string): string {
  try {
    return decrypt(text, ...secretsOf(context, idempotency))
  } catch (cause) {
    throw new AppError('CONFLICT', 'This was done before, but its answer cannot be read any more: the server has another secret now', {
      cause,
    })
  }
}

// The database has none of these secrets; of the key it has only a hash. With an outside identity provider IDENTITY_SECRET is not used.
function secretsOf({ services: { config } }: Context, { key }: IdempotencyKey): string[] {
  return [(config.IDENTITY_ISSUER ? config.SVC_SERVICES_TOKEN : config.IDENTITY_SECRET) ?? '', key]
}
