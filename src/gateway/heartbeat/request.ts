// Requests for a heartbeat. Requests within 250 ms get one heartbeat together.

import type { Services } from '../../kernel/context.ts'

/** The channel of requests for heartbeats. */
export const heartbeatChannel = 'rolocom_heartbeat'
/** The channel that says that there are runs or deliveries to claim. */
export const workChannel = 'rolocom_gateway'

/** Shorter: more heartbeats for a burst of events; longer: each waits longer. */
export const windowMs = 250
// By the configuration of the process, which a dry run has too.
const windows = new WeakSet<Services['config']>()

/**
 * Notifies the workers of all processes within 250 ms. Call it after the commit of the event. If this process dies before, the workers find
 * the event when they poll.
 */
export function requestHeartbeat(services: Services): 'queued' | 'coalesced' {
  if (isRequested(services)) return 'coalesced'
  windows.add(services.config)
  setTimeout(() => {
    windows.delete(services.config)
    services.notifier.notify(heartbeatChannel)
  }, windowMs).unref()
  return 'queued'
}

/** Whether a heartbeat is requested that has not begun. */
export const isRequested = ({ config }: Services): boolean => windows.has(config)
