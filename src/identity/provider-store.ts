// The database as the identity provider's library sees it. What its writes mean for the rest of the platform happens with them, in one
// transaction, whichever of the library's endpoints they come from.

import type { Services } from '../context.ts'
import type { Prisma } from '../database/adoption.ts'
import type { Prisma as Models } from '../database/generated/client.ts'
import { withHashedTokens } from './hashed-tokens.ts'
import { providerRequest } from './provider-request.ts'
import { endSignIns, endUnverifiedAccess, isUnverified, type StopOrganizations } from './revocation.ts'

/** The client for the library. */
export function providerStore(services: Services, stop: StopOrganizations): Prisma {
  const { database } = services

  const endSessions = ({ where }: Models.IdpSessionDeleteManyArgs) =>
    database.transaction(async tx => {
      const found = await tx.prisma.idpSession.findMany({ ...(where && { where }), select: { id: true } })
      const ids = found.map(({ id }) => id)
      return { count: ids.length > 0 ? await endSignIns(services, tx, ids) : 0 }
    })
  const sessions = replacing(database.prisma.idpSession, { deleteMany: endSessions, delete: endSessions })

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
  const users = replacing(database.prisma.idpUser, { update: updateUser, updateMany: updateUsers })

  return withHashedTokens(replacing(database.prisma, { idpSession: sessions, idpUser: users }))
}

/** The object with other members in place of some of its own. */
function replacing<Whole extends object>(whole: Whole, members: { [Name in keyof Whole]?: unknown }): Whole {
  return new Proxy(whole, { get: (target, name) => Reflect.get(name in members ? members : target, name) })
}
