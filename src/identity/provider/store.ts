// The Prisma client that the identity provider's library gets. Ending a session, verifying an address and changing a password have effects
// beyond the library's tables; they happen here, in the transaction of the library's write, for all of its endpoints.

import { createHash } from 'node:crypto'
import { APIError } from 'better-auth/api'
import type { Queries } from '../../database/client.ts'
import type { Prisma } from '../../database/prisma-transaction.ts'
import type { Prisma as Models } from '../../generated/prisma/client.ts'
import type { Services } from '../../kernel/context.ts'
import { endUnverifiedAccess, isUnverified, type StopOrganizations } from '../sessions/recovery.ts'
import { endSignIns, stopSignIns, wasSignedOut } from '../sessions/sign-out.ts'
import { verifiesFirst } from '../sign-up/new-account.ts'
import { providerRequest } from './request.ts'

/** The Prisma client for the library. */
export function providerStore(services: Services, stop: StopOrganizations): Prisma {
  const { database } = services

  const endSessions = ({ where }: Models.IdpSessionDeleteManyArgs) =>
    database.transaction(async tx => {
      const found = await tx.prisma.idpSession.findMany({ ...(where && { where }), select: { id: true } })
      const ids = found.map(({ id }) => id)
      return { count: ids.length > 0 ? await endSignIns(services, tx, ids) : 0 }
    })
  const createSession = (query: Models.IdpSessionCreateArgs) =>
    database.transaction(async tx => {
      const { userId } = query.data
      if (userId !== undefined && (await wasSignedOut(tx, userId)))
        throw new APIError('UNAUTHORIZED', {
          code: 'SIGNED_OUT',
          message: 'All sessions were ended while this one was begun; sign in again',
        })
      return tx.prisma.idpSession.create(query)
    })
  const sessions = replacing(database.prisma.idpSession, { create: createSession, deleteMany: endSessions, delete: endSessions })

  // All ways to verify an address end in this update: email links, Google, and whatever else the library supports.
  const updateUser = async (query: Models.IdpUserUpdateArgs) => {
    if (query.data.emailVerified !== true) return database.prisma.idpUser.update(query)
    return database.transaction(async tx => {
      const user = await tx.prisma.idpUser.findUnique({ where: query.where, select: { id: true } })
      const request = providerRequest()
      if (user && (await isUnverified(tx, user.id)) && request?.samePersonId !== user.id)
        await endUnverifiedAccess(services, tx, { userId: user.id, keptAccountIds: [...(request?.accountIds ?? [])], stop })
      return tx.prisma.idpUser.update(query)
    })
  }
  const updateUsers = ({ data }: Models.IdpUserUpdateManyArgs) => {
    throw new Error(`Users are updated one by one, not with ${Object.keys(data).join(', ')} all at once`)
  }
  // The library reads the user with this call before it compares a password, so the count is that at the beginning of the request.
  const findUsers = async (query: Models.IdpUserFindManyArgs) => {
    const found = await database.prisma.idpUser.findMany({
      ...query,
      ...(query.select && { select: { ...query.select, id: true, signOuts: true } }),
    })
    const { signOuts } = providerRequest() ?? {}
    for (const user of found) if (signOuts && !signOuts.has(user.id)) signOuts.set(user.id, user.signOuts)
    return found
  }
  const findUser = async (query: Models.IdpUserFindFirstArgs) => (await findUsers({ ...query, take: 1 }))[0] ?? null
  // Of several sign-ups at once with a new address one makes the account. The others must not tell that it is new: to FORBIDDEN here, the
  // library gives the answer of an address that has an account.
  const createUser = (query: Models.IdpUserCreateArgs) =>
    database.prisma.idpUser.create(query).catch((error: unknown) => {
      if (!verifiesFirst(services.config) || !isTaken(error)) throw error
      throw new APIError('FORBIDDEN', { code: 'USER_ALREADY_EXISTS', message: 'The account was made by another request' })
    })
  const users = replacing(database.prisma.idpUser, {
    create: createUser,
    findMany: findUsers,
    findFirst: findUser,
    update: updateUser,
    updateMany: updateUsers,
  })

  const changePassword = (
    update: (tx: Queries) => Promise<unknown>,
    { where, data }: Pick<Models.IdpAccountUpdateManyArgs, 'where' | 'data'>,
  ) =>
    database.transaction(async tx => {
      if (data.password !== undefined) {
        const changed = await tx.prisma.idpAccount.findMany({ ...(where && { where }), select: { userId: true } })
        for (const { userId } of changed) await stopSignIns(tx, userId)
      }
      return update(tx)
    })
  const accounts = replacing(database.prisma.idpAccount, {
    update: (query: Models.IdpAccountUpdateArgs) => changePassword(tx => tx.prisma.idpAccount.update(query), query),
    updateMany: (query: Models.IdpAccountUpdateManyArgs) => changePassword(tx => tx.prisma.idpAccount.updateMany(query), query),
  })

  return withHashedTokens(replacing(database.prisma, { idpSession: sessions, idpUser: users, idpAccount: accounts }))
}

const isTaken = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'P2002'

/** A proxy of the object with some members replaced. */
function replacing<Whole extends object>(whole: Whole, members: { [Name in keyof Whole]?: unknown }): Whole {
  return new Proxy(whole, { get: (target, name) => Reflect.get(name in members ? members : target, name) })
}

/**
 * A Prisma client that stores session tokens as SHA-256 hashes; the library itself would store them in plain text. Tokens in queries are
 * hashed, and hashes in results are replaced by the tokens of the query.
 */
function withHashedTokens(prisma: Prisma): Prisma {
  const idpSession = new Proxy(prisma.idpSession, {
    get: (sessions, method) => async (query: unknown) => {
      const tokenOf = new Map<string, string>()
      const hidden = mapTokens(query, token => {
        const hash = createHash('sha256').update(token).digest('base64url')
        tokenOf.set(hash, token)
        return hash
      })
      const answer = await callOf(sessions, method)(hidden)
      // Rows found by token get the token back. A list of sessions keeps the hashes, which are not credentials.
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
