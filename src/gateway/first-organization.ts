// Which organization is the first one, on a database that an older release made: hooks are its events, and by default paid providers are for it.

import { ConfigError, takesHooks } from '../config/environment.ts'
import { markFirstOrganization } from '../identity/organizations/first.ts'
import type { Services } from '../kernel/context.ts'
import { selectCandidates } from './organization.sql.ts'

/**
 * Marks the organization that has the gateway's events, or the only one there is, where none is marked as the first one. Throws ConfigError when
 * that is unclear and hooks would otherwise be received for the wrong one.
 */
export async function settleFirstOrganization(services: Services): Promise<void> {
  const { config, database, log } = services
  const candidates = await database.query(selectCandidates)
  const withEvents = candidates.filter(({ hasEvents }) => hasEvents)
  const [first, another] = withEvents.length > 0 ? withEvents : candidates
  if (!first) return
  if (!another) {
    await markFirstOrganization(services, first.id)
    log.info({ organization: first.id }, 'the gateway belongs to the organization that has its events so far')
    return
  }
  const takesEvents = config.isProduction && takesHooks(config) && config.ROLES.includes('gateway')
  if (!takesEvents || config.gateway.gateway.organizationId) return
  const named = candidates.slice(0, 5).map(({ id, name }) => `${id} ("${name}")`)
  throw new ConfigError([
    `gateway.organizationId in GATEWAY_CONFIG must say which organization the gateway belongs to, because this database does not: ${named.join(', ')}${candidates.length > 5 ? ', ...' : ''}`,
  ])
}
