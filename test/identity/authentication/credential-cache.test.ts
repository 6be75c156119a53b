import { describe, expect, test } from 'vitest'
import type { Listener } from '../../../src/database/notifications/listener.ts'
import { type Credential, createCredentialCache } from '../../../src/identity/authentication/credential-cache.ts'

/** A listener whose notifications the test sends. */
function listenerInHand() {
  const state = { isTrusted: true, notify: (_payload: string) => {}, distrust: () => {} }
  const listener: Listener = {
    on: (_channel, onNotification) => {
      state.notify = onNotification
    },
    isTrusted: () => state.isTrusted,
    isConnected: () => true,
    onDistrust: distrusted => {
      state.distrust = distrusted
    },
    settle: async () => {},
    databaseNow: () => new Date(),
    stop: async () => {},
  }
  return { state, known: createCredentialCache(listener) }
}
const credentialOf = (userId: string | null): Credential => ({
  principal: { kind: 'anonymous' },
  principals: new Map(),
  userId,
  expiresAt: Number.POSITIVE_INFINITY,
  touchAt: Number.POSITIVE_INFINITY,
})

describe('the credential cache', () => {
  test('keeps an entry until a notification of its change', async () => {
    const { state, known } = listenerInHand()
    const [one, two] = [credentialOf('ada'), credentialOf('ada')]
    await known.read('aa', async () => one)
    await known.read('bb', async () => two)
    expect([known.get('aa'), known.get('bb')]).toEqual([one, two])

    state.notify('aa')

    expect([known.get('aa'), known.get('bb')]).toEqual([undefined, two])
  })

  test('removes all entries of a user who changed, and no others', async () => {
    const { state, known } = listenerInHand()
    const other = credentialOf('grace')
    await known.read('aa', async () => credentialOf('ada'))
    await known.read('user:ada', async () => credentialOf('ada'))
    await known.read('bb', async () => other)

    state.notify('user:ada')

    expect([known.get('aa'), known.get('user:ada'), known.get('bb')]).toEqual([undefined, undefined, other])
  })

  test('does not keep a row whose read overlapped a revocation', async () => {
    const { state, known } = listenerInHand()
    const credential = credentialOf(null)

    const answered = await known.read('aa', async () => {
      state.notify('aa')
      return credential
    })

    expect(answered).toBe(credential)
    expect(known.get('aa')).toBeUndefined()
  })

  test('does not keep a row whose read overlapped a lost connection', async () => {
    const { state, known } = listenerInHand()

    await known.read('aa', async () => {
      state.distrust()
      return credentialOf(null)
    })

    expect(known.get('aa')).toBeUndefined()
  })

  test('returns and keeps no entry while the listener is not trusted', async () => {
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

  test('does not cache refusals', async () => {
    const { known } = listenerInHand()
    const credential = credentialOf(null)

    expect(await known.read('aa', async () => null)).toBeNull()
    expect(await known.read('aa', async () => credential)).toBe(credential)
  })
})
