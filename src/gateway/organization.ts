// Whose gateway this is: the organization that the configuration names, else the first one; in production never one of a sign-up.

import { type Context, organizationOf, type Services } from '../context.ts'
import { statement } from '../database/client.ts'
import { AppError } from '../errors.ts'

const find = statement<{ id: string }>(
  'gateway_organization',
  `select id from organizations
   where case when $1::uuid is not null then id = $1::uuid when $2::boolean then is_first else not is_demo end
   order by is_first desc, created_at, id limit 1`,
)

const known = new WeakMap<Services, string>()

/** The id of the gateway's organization. Throws UNAVAILABLE while there is none. */
export async function gatewayOrganization(services: Services): Promise<string> {
  const id = known.get(services)
  if (id !== undefined) return id
  const { organizationId } = services.config.gateway.gateway
  const [found] = await services.database.query(find, [organizationId ?? null, services.config.isProduction])
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

/**
 * The organization of whoever asks, when it is the gateway's. Throws FORBIDDEN otherwise: nobody would work on what another organization
 * asked for.
 */
export async function gatewayOf(context: Context): Promise<string> {
  const orgId = organizationOf(context)
  // Hooks belong to the gateway by their making.
  if (context.principal.kind !== 'hook' && orgId !== (await gatewayOrganization(context.services)))
    throw new AppError('FORBIDDEN', 'The gateway of this server belongs to another organization')
  return orgId
}

const selectReaders = statement<{ id: string; name: string; members: number }>(
  'gateway_readers',
  `select o.id, o.name, (select count(*)::int from memberships m where m.organization_id = o.id) as members
   from organizations o where o.id = $1::uuid or not o.is_demo order by o.id = $1::uuid desc nulls last, o.created_at, o.id limit 6`,
)

/** What an operator has to know about whose gateway it is, in a sentence; null where somebody can read its events. */
export async function gatewayWithoutReaders(services: Services): Promise<string | null> {
  const id = await gatewayOrganization(services).catch((error: unknown) => {
    if (error instanceof AppError) return null
    throw error
  })
  const [own, ...others] = await services.database.query(selectReaders, [id])
  if (id !== null && own?.id === id && own.members > 0) return null
  const candidates = (id === null && own ? [own, ...others] : others).map(one => `${one.id} ("${one.name}")`)
  const whose =
    id === null ? 'The gateway belongs to no organization' : `The gateway belongs to ${id} ("${own?.name}"), which nobody has claimed`
  const remedy = candidates.length > 0 ? `; the others here are ${candidates.join(', ')}` : ''
  return `${whose}, so nobody reads its events: run npm run claim, or set gateway.organizationId in GATEWAY_CONFIG${remedy}`
}
