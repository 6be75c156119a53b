// Encryption of text that the database stores: AES-256-GCM, with a key derived from secrets that are not in the database.

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const mark = 'encrypted:'
const nonceBytes = 12
const tagBytes = 16

/** Encrypts a text. `decrypt` needs all the secrets. */
export function encrypt(text: string, ...secrets: readonly string[]): string {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', keyOf(secrets), nonce)
  const encrypted = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return mark + encrypted.toString('base64')
}

/** Whether `encrypt` made the text. JSON never begins with this mark. */
export const isEncrypted = (text: string) => text.startsWith(mark)

/** Decrypts a text made by `encrypt`. Throws when a secret differs or when the text was changed. */
export function decrypt(text: string, ...secrets: readonly string[]): string {
  const encrypted = Buffer.from(text.slice(mark.length), 'base64')
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secrets), encrypted.subarray(0, nonceBytes))
  decipher.setAuthTag(encrypted.subarray(-tagBytes))
  return decipher.update(encrypted.subarray(nonceBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8')
}

// HKDF, not a password hash: at least one of the secrets is long and random. The lengths make ['ab','c'] and ['a','bc'] different keys.
const keyOf = (secrets: readonly string[]) =>
  Buffer.from(hkdfSync('sha256', secrets.map(secret => `${secret.length}:${secret}`).join(''), '', 'rolocom encrypt', 32))
