// A cache of valid credentials without expiry: an entry is removed when a trigger notifies that its row has changed, in any process.

import { LRUCache } from 'lru-cache'
import { credentialsChannel, type Listener } from '../../database/notifications/listener.ts'
import type { Principal } from '../../kernel/principal.ts'

/** A valid credential. Every request that sends it shares the object, so `principal` is never modified. */
export interface Credential {
  principal: Principal
  /** The principals for requests with X-Org-Id, by organization, where the role there differs. */
  principals: ReadonlyMap<string, Principal>
  /** Organizations of an API key whose payer has not confirmed it: see `principalFor`. */
  unconfirmed?: readonly string[]
  /** The user whose changes invalidate the entry. */
  userId: string | null
  /** Milliseconds since 1970; Infinity for never. */
  expiresAt: number
  /** The next time to store the last use, in milliseconds since 1970. */
  touchAt: number
}

export interface CredentialCache {
  get(name: string): Credential | undefined
  /** Reads a credential from the database, and caches it unless a notification arrived during the read. */
  read(name: string, fromDatabase: () => Promise<Credential | null>): Promise<Credential | null>
}

// 20,000 entries of about 500 bytes each: 10 MB. A process that sees more credentials within a minute reads some of them again.
const maxEntries = 20_000

/**
 * Keys of the cache are hashes in hexadecimal, or `user:<id>`, as in the payloads of the triggers' notifications. While the listener is not
 * trusted, no entry is used. Together with `listener.settle()` after a revocation, this makes every process refuse the credential from the
 * next request on.
 */
export function createCredentialCache(listener: Listener): CredentialCache {
  const known = new LRUCache<string, Credential>({ max: maxEntries })
  // Counts notifications. A read during which the count has grown may have returned data from before the change.
  let generation = 0

  listener.on(credentialsChannel, changed => {
    generation++
    known.delete(changed)
    if (!changed.startsWith('user:')) return
    const userId = changed.slice('user:'.length)
    for (const [name, credential] of known.entries()) if (credential.userId === userId) known.delete(name)
  })
  listener.onDistrust(() => {
    generation++
    known.clear()
  })

  return {
    get: name => (listener.isTrusted() ? known.get(name) : undefined),
    async read(name, fromDatabase) {
      const before = listener.isTrusted() ? generation : undefined
      const credential = await fromDatabase()
      if (credential && generation === before) known.set(name, credential)
      return credential
    },
  }
}
