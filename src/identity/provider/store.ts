// The database as the identity provider's library sees it. What its writes mean for the rest of the platform happens with them, in one
// transaction, whichever of the library's endpoints they come from.

import { APIError } from 'better-auth/api'
import type { Services } from '../context.ts'
import type { Prisma } from '../database/adoption.ts'
import type { Queries } from '../database/client.ts'
import type { Prisma as Models } from '../database/generated/client.ts'
import { withHashedTokens } from './hashed-tokens.ts'
import { providerRequest } from './provider-request.ts'
import { endSignIns, endUnverifiedAccess, isUnverified, type StopOrganizations, stopSignIns, wasSignedOut } from './revocation.ts'

/** The client for the library. */
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

  // Every way to a verified address leads through here: links by mail, Google, and whatever the library learns.
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
  // What a request knows of a user it knows from here, before it looks at a password.
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
  const users = replacing(database.prisma.idpUser, {
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

/** The object with other members in place of some of its own. */
function replacing<Whole extends object>(whole: Whole, members: { [Name in keyof Whole]?: unknown }): Whole {
  return new Proxy(whole, { get: (target, name) => Reflect.get(name in members ? members : target, name) })
}
