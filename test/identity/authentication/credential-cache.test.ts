import { describe, expect, test } from 'vitest'
import type { Listener } from '../../src/database/listener.ts'
import { type Credential, createCredentialCache } from '../../src/identity/credential-cache.ts'

/** A listener in the test's hands. */
function listenerInHand() {
  const state = { isTrusted: true, hear: (_payload: string) => {}, distrust: () => {} }
  const listener: Listener = {
    on: (_channel, heard) => {
      state.hear = heard
    },
    isTrusted: () => state.isTrusted,
    isConnected: () => true,
    onDistrust: distrusted => {
      state.distrust = distrusted
    },
    settled: async () => {},
    databaseNow: () => new Date(),
    stop: async () => {},
  }
  return { state, known: createCredentialCache(listener) }
}
const credentialOf = (userId: string | null): Credential => ({
  principal: { kind: 'anonymous' },
  userId,
  expiresAt: Number.POSITIVE_INFINITY,
  touchAt: Number.POSITIVE_INFINITY,
})

describe('the credential cache', () => {
  test('keeps what was read until something about it changes', async () => {
    const { state, known } = listenerInHand()
    const [one, two] = [credentialOf('ada'), credentialOf('ada')]
    await known.read('aa', async () => one)
    await known.read('bb', async () => two)
    expect([known.get('aa'), known.get('bb')]).toEqual([one, two])

    state.hear('aa')

    expect([known.get('aa'), known.get('bb')]).toEqual([undefined, two])
  })

  test('forgets everything of a user who changed, and nothing of others', async () => {
    const { state, known } = listenerInHand()
    const other = credentialOf('grace')
    await known.read('aa', async () => credentialOf('ada'))
    await known.read('user:ada', async () => credentialOf('ada'))
    await known.read('bb', async () => other)

    state.hear('user:ada')

    expect([known.get('aa'), known.get('user:ada'), known.get('bb')]).toEqual([undefined, undefined, other])
  })

  test('does not keep an answer that was on its way while something was revoked', async () => {
    const { state, known } = listenerInHand()
    const credential = credentialOf(null)

    const answered = await known.read('aa', async () => {
      state.hear('aa')
      return credential
    })

    expect(answered).toBe(credential)
    expect(known.get('aa')).toBeUndefined()
  })

  test('does not keep an answer that was on its way while the connection was lost', async () => {
    const { state, known } = listenerInHand()

    await known.read('aa', async () => {
      state.distrust()
      return credentialOf(null)
    })

    expect(known.get('aa')).toBeUndefined()
  })

  test('neither gives nor keeps anything while the listener is not trusted', async () => {
    const { state, known } = listenerInHand()
    const credential = credentialOf(null)
    await known.read('aa', async () => credential)

    state.isTrusted = false
    await known.read('bb', async () => credentialOf(null))
    expect(known.get('aa')).toBeUndefined()
    state.isTrusted = true

    expect([known.get('aa'), known.get('bb')]).toEqual([credential, undefined])
  })

  test('is empty after the connection was lost', async () => {
    const { state, known } = listenerInHand()
    await known.read('aa', async () => credentialOf(null))

    state.distrust()

    expect(known.get('aa')).toBeUndefined()
  })

  test('remembers no refusal', async () => {
    const { known } = listenerInHand()
    const credential = credentialOf(null)

    expect(await known.read('aa', async () => null)).toBeNull()
    expect(await known.read('aa', async () => credential)).toBe(credential)
  })
})
