// Asking for a heartbeat: what asks within a quarter of a second is answered by one turn.

import type { Services } from '../context.ts'

/** Heard by the workers of every process. */
export const heartbeatChannel = 'rolocom_heartbeat'
/** Heard when there are runs or deliveries to do. */
export const workChannel = 'rolocom_gateway'

/** Wakes that come this close to each other are one heartbeat's. */
export const windowMs = 250
const windows = new WeakSet<Services>()

/**
 * Has the workers begin a heartbeat within a quarter of a second. Call it after the commit of what the heartbeat is for, even where it
 * was called before that: should this process die first, the workers find it by themselves.
 */
export function askForHeartbeat(services: Services): 'queued' | 'coalesced' {
  if (windows.has(services)) return 'coalesced'
  windows.add(services)
  setTimeout(() => {
    windows.delete(services)
    services.bell.ring(heartbeatChannel)
  }, windowMs).unref()
  return 'queued'
}
