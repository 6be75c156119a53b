// Whose gateway this is: the organization that the configuration names, or the first one that is not the demo.

import { type Context, organizationOf, type Services } from '../context.ts'
import { statement } from '../database/client.ts'
import { AppError } from '../errors.ts'

const find = statement<{ id: string }>(
  'gateway_organization',
  `select id from organizations where case when $1::uuid is null then not is_demo else id = $1::uuid end order by created_at, id limit 1`,
)

const known = new WeakMap<Services, string>()

/** The id of the gateway's organization. Throws UNAVAILABLE while there is none. */
export async function gatewayOrganization(services: Services): Promise<string> {
  const id = known.get(services)
  if (id !== undefined) return id
  const { organizationId } = services.config.gateway.gateway
  const [found] = await services.database.query(find, [organizationId ?? null])
  if (!found)
    throw new AppError(
      'UNAVAILABLE',
      organizationId ? `gateway.organizationId names no organization` : 'There is no organization yet that the gateway could belong to',
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
