// The context of work without a caller: dials, events of providers, queue items and the reaper.

import { v7 as uuid } from 'uuid'
import { type Context, createContext, type Services } from '../kernel/context.ts'

/** A context for an organization. The actor of its events is the system, named `voice`. */
export const systemContext = (services: Services, orgId: string, operation: string): Context =>
  createContext(services, { principal: { kind: 'system', name: 'voice', orgId }, requestId: uuid(), door: 'tasks', operation })
