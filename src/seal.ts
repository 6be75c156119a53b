// Text that the database keeps and must not be able to read: AES-256-GCM under a key from secrets that are not in the database.

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const mark = 'sealed:'
const nonceBytes = 12
const tagBytes = 16

/** Seals a text. All the secrets are needed to open it again. */
export function seal(text: string, ...secrets: readonly string[]): string {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', keyOf(secrets), nonce)
  const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return mark + sealed.toString('base64')
}

/** Whether the text came from `seal`. JSON never looks like it. */
export const isSealed = (text: string) => text.startsWith(mark)

/** Opens what `seal` made. Throws when a secret is another one or the text was changed. */
export function unseal(text: string, ...secrets: readonly string[]): string {
  const sealed = Buffer.from(text.slice(mark.length), 'base64')
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secrets), sealed.subarray(0, nonceBytes))
  decipher.setAuthTag(sealed.subarray(-tagBytes))
  return decipher.update(sealed.subarray(nonceBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8')
}

// HKDF, not a password hash: at least one of the secrets is long and random. Lengths keep ['ab','c'] and ['a','bc'] apart.
const keyOf = (secrets: readonly string[]) =>
  Buffer.from(hkdfSync('sha256', secrets.map(secret => `${secret.length}:${secret}`).join(''), '', 'rolocom seal', 32))
