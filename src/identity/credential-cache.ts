// Credentials that were read once, kept without a time limit, and forgotten the moment anything about them changes in any process.

import { LRUCache } from 'lru-cache'
import { credentialsChannel, type Listener } from '../database/listener.ts'
import type { Principal } from './principal.ts'

/** A credential that was found valid. Shared by every request that presents it, so nothing in `principal` is ever changed. */
export interface Credential {
  principal: Principal
  /** Whose change makes it outdated. */
  userId: string | null
  /** Milliseconds since 1970; Infinity for never. */
  expiresAt: number
  /** When its use is to be written down next. */
  touchAt: number
}

export interface CredentialCache {
  get(name: string): Credential | undefined
  /** Reads a credential from the database, and keeps it unless something was revoked meanwhile. */
  read(name: string, fromDatabase: () => Promise<Credential | null>): Promise<Credential | null>
}

// 20,000 of about 500 bytes each. More live credentials than that in one minute of one process is another kind of service.
const most = 20_000

/**
 * Names are hashes in hexadecimal, or `user:<id>`, the words that the triggers use. Nothing is taken from memory while the listener is
 * not trusted; together with `listener.settled()` after a revocation this makes it hold for the next request in every process.
 */
export function createCredentialCache(listener: Listener): CredentialCache {
  const known = new LRUCache<string, Credential>({ max: most })
  // Counts what was heard. An answer that was on its way while the count went up may be older than what was heard.
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
