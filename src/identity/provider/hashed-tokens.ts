// Stores the session tokens of the identity provider's library as SHA-256 hashes; the library itself would store them in plain text.

import { createHash } from 'node:crypto'
import type { Prisma } from '../../database/prisma-transaction.ts'

/** A Prisma client for the library: tokens in queries are hashed, and hashes in results are replaced by the tokens of the query. */
export function withHashedTokens(prisma: Prisma): Prisma {
  const idpSession = new Proxy(prisma.idpSession, {
    get: (sessions, method) => async (query: unknown) => {
      const tokenOf = new Map<string, string>()
      const hidden = mapTokens(query, token => {
        const hash = createHash('sha256').update(token).digest('base64url')
        tokenOf.set(hash, token)
        return hash
      })
      const answer = await callOf(sessions, method)(hidden)
      // Rows found by token get the token back. A list of sessions keeps the hashes, which are no credentials.
      return mapTokens(answer, hash => tokenOf.get(hash) ?? hash)
    },
  })
  return new Proxy(prisma, { get: (client, name) => (name === 'idpSession' ? idpSession : Reflect.get(client, name)) })
}

// Each method of a Prisma model takes one object and resolves with rows, a row, or a count.
const callOf = (model: object, method: string | symbol) => Reflect.get(model, method) as (query: unknown) => Promise<unknown>

/** A copy in which `change` has replaced every string below a property named `token`, at any depth. */
function mapTokens(value: unknown, change: (token: string) => string, isToken = false): unknown {
  if (typeof value === 'string') return isToken ? change(value) : value
  if (Array.isArray(value)) return value.map(item => mapTokens(item, change, isToken))
  if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapTokens(member, change, isToken || name === 'token')]))
}
