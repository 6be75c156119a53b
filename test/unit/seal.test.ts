import { expect, test } from 'vitest'
import { isSealed, seal, unseal } from '../../src/seal.ts'

test('what was sealed is opened by the same secrets, and shows nothing meanwhile', () => {
  const text = JSON.stringify({ key: 'rcm_secret', grüße: '✓' })

  const sealed = seal(text, 'secret of the server', 'key of the caller')

  expect(isSealed(sealed)).toBe(true)
  expect(isSealed(text)).toBe(false)
  expect(Buffer.from(sealed.slice(7), 'base64').toString('latin1')).not.toContain('rcm_')
  expect(unseal(sealed, 'secret of the server', 'key of the caller')).toBe(text)
})

test('the same text is never sealed the same way twice', () => {
  expect(seal('text', 'secret')).not.toBe(seal('text', 'secret'))
})

test.each([[['secret', 'other']], [['secre', 'tkey']], [['key', 'secret']], [['secret']]])('%j do not open it', secrets => {
  const sealed = seal('text', 'secret', 'key')

  expect(() => unseal(sealed, ...secrets)).toThrow()
})

test('a changed text is noticed', () => {
  const sealed = seal('text', 'secret')
  const bytes = Buffer.from(sealed.slice('sealed:'.length), 'base64')
  bytes[14] = (bytes[14] ?? 0) ^ 1

  expect(() => unseal(`sealed:${bytes.toString('base64')}`, 'secret')).toThrow()
})
