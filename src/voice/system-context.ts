// The context of work without a caller: dials, events of providers, queue items and the reaper.

import { type Context, createContext, type Services } from '../kernel/context.ts'
import { newId } from '../kernel/ids.ts'

/** A context for an organization. The actor of its events is the system, named `voice`. */
export const systemContext = (services: Services, orgId: string, operation: string): Context =>
  createContext(services, { principal: { kind: 'system', name: 'voice', orgId }, requestId: newId(), door: 'tasks', operation })
