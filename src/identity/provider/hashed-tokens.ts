// The identity provider's own session tokens, stored only as their SHA-256, although the library would store them as they are.

import { createHash } from 'node:crypto'
import type { Prisma } from '../database/adoption.ts'

/** The client for the library. Towards it a session has its token; in the database it has the token's hash. */
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
      // Whoever asked by token gets it back. A list of somebody's sessions shows hashes, which open nothing.
      return mapTokens(answer, hash => tokenOf.get(hash) ?? hash)
    },
  })
  return new Proxy(prisma, { get: (client, name) => (name === 'idpSession' ? idpSession : Reflect.get(client, name)) })
}

// Each method of a Prisma model takes one object and resolves with rows, a row, or a count.
const callOf = (model: object, method: string | symbol) => Reflect.get(model, method) as (query: unknown) => Promise<unknown>

/** A copy in which every text under a member named `token` is another one, however deep conditions nest. */
function mapTokens(value: unknown, change: (token: string) => string, isToken = false): unknown {
  if (typeof value === 'string') return isToken ? change(value) : value
  if (Array.isArray(value)) return value.map(item => mapTokens(item, change, isToken))
  if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapTokens(member, change, isToken || name === 'token')]))
}
