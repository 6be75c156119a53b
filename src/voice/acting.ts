// Voice acts by itself: it dials, listens to providers and watches, on behalf of an organization and of nobody in particular.

import { v7 as uuid } from 'uuid'
import { type Context, createContext, type Services } from '../context.ts'

/** A context of the product's own. What it does is told as done by `voice`. */
export const onBehalfOf = (services: Services, orgId: string, operation: string): Context =>
  createContext(services, { principal: { kind: 'system', name: 'voice', orgId }, requestId: uuid(), door: 'tasks', operation })
