import { expect, test } from 'vitest'
import { decrypt, encrypt, isEncrypted } from '../../src/kernel/crypto/encrypt.ts'

test('an encrypted text is decrypted with the same secrets, and does not contain the plain text', () => {
  const text = JSON.stringify({ key: 'rcm_secret', grüße: '✓' })

  const encrypted = encrypt(text, 'secret of the server', 'key of the caller')

  expect(isEncrypted(encrypted)).toBe(true)
  expect(isEncrypted(text)).toBe(false)
  expect(Buffer.from(encrypted.slice(7), 'base64').toString('latin1')).not.toContain('rcm_')
  expect(decrypt(encrypted, 'secret of the server', 'key of the caller')).toBe(text)
})

test('the same text is never encrypted the same way twice', () => {
  expect(encrypt('text', 'secret')).not.toBe(encrypt('text', 'secret'))
})

test.each([[['secret', 'other']], [['secre', 'tkey']], [['key', 'secret']], [['secret']]])('%j do not decrypt it', secrets => {
  const encrypted = encrypt('text', 'secret', 'key')

  expect(() => decrypt(encrypted, ...secrets)).toThrow()
})

test('a changed text is refused', () => {
  const encrypted = encrypt('text', 'secret')
  const bytes = Buffer.from(encrypted.slice('encrypted:'.length), 'base64')
  bytes[14] = (bytes[14] ?? 0) ^ 1

  expect(() => decrypt(`encrypted:${bytes.toString('base64')}`, 'secret')).toThrow()
})
