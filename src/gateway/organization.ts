// The organization of the gateway: the one that the configuration names, else the one of the first start. Outside production, if there is
// none of the first start, the oldest one.

import type { OrganizationOrderByWithRelationInput } from '../generated/prisma/models.ts'
import { type Context, organizationOf, type Services } from '../kernel/context.ts'
import { AppError } from '../kernel/errors.ts'
import { countMembers, selectNamed, selectOfFirstStart, selectOldest } from './organization.sql.ts'

const inOrderOfAge = [{ createdAt: 'asc' }, { id: 'asc' }] satisfies OrganizationOrderByWithRelationInput[]

const known = new WeakMap<Services, string>()

/** The id of the gateway's organization. Throws UNAVAILABLE while there is none. */
export async function gatewayOrganization(services: Services): Promise<string> {
  const id = known.get(services)
  if (id !== undefined) return id
  const { gateway, isProduction } = services.config
  const { organizationId } = gateway.gateway
  const { database } = services
  const [found] = organizationId
    ? await database.query(selectNamed, [organizationId])
    : await database.query(isProduction ? selectOfFirstStart : selectOldest)
  if (!found)
    throw new AppError(
      'UNAVAILABLE',
      organizationId
        ? `gateway.organizationId names no organization`
        : 'There is no organization yet that the gateway could belong to; gateway.organizationId in GATEWAY_CONFIG names one',
      { retryAfter: 5 },
    )
  known.set(services, found.id)
  return found.id
}

/** The caller's organization if the gateway is its own. Throws FORBIDDEN otherwise, because no worker would execute its requests. */
export async function gatewayOf(context: Context): Promise<string> {
  const orgId = organizationOf(context)
  // Hooks always belong to the gateway's organization.
  if (context.principal.kind !== 'hook' && orgId !== (await gatewayOrganization(context.services)))
    throw new AppError('FORBIDDEN', 'The gateway of this server belongs to another organization')
  return orgId
}

/** The number of users who can read the gateway's events, for the metrics; 0 while it belongs to no organization. */
export async function gatewayMembers(services: Services): Promise<number> {
  const id = await gatewayOrganization(services).catch((error: unknown) => {
    if (error instanceof AppError) return null
    throw error
  })
  if (id === null) return 0
  return (await services.database.query(countMembers, [id]))[0]?.members ?? 0
}

/** A warning for the operator if no user can read the gateway's events; null otherwise. */
export async function gatewayWithoutReaders(services: Services): Promise<string | null> {
  const id = await gatewayOrganization(services).catch((error: unknown) => {
    if (error instanceof AppError) return null
    throw error
  })
  const { organization, membership } = services.database.prisma
  if (id !== null && (await membership.findFirst({ where: { organizationId: id }, select: { userId: true } }))) return null
  const own = id === null ? null : await organization.findUnique({ where: { id } })
  const others = await organization.findMany({
    where: { isDemo: false, ...(id !== null && { id: { not: id } }) },
    orderBy: inOrderOfAge,
    take: 5,
  })
  const candidates = others.map(one => `${one.id} ("${one.name}")`)
  const whose =
    id === null ? 'The gateway belongs to no organization' : `The gateway belongs to ${id} ("${own?.name}"), which nobody has claimed`
  const remedy = candidates.length > 0 ? `; the others here are ${candidates.join(', ')}` : ''
  return `${whose}, so nobody reads its events: run npm run rolocom -- claim, or set gateway.organizationId in GATEWAY_CONFIG${remedy}`
}
