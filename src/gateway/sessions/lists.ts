// Pages of sessions, their turns, system events and runs, newest first by default.

import type { ChannelName, WakeMode } from '../../config/gateway/enums.ts'
import type { Queries } from '../../database/client.ts'
import type { GatewayEventModel, GatewayEventWhereInput, GatewaySessionModel } from '../../generated/prisma/models.ts'
import { type Context, organizationOf } from '../../kernel/context.ts'
import { inOrder, load } from '../../kernel/dataloaders.ts'
import { invalid, notFound } from '../../kernel/errors.ts'
import { isId } from '../../kernel/ids.ts'
import { valueError } from '../../kernel/input/problem.ts'
import { type AgedListArgs, ageOrder, directionOf, type ListArgs, Page, pageOf } from '../../kernel/lists/pagination.ts'
import { counted as bounded, totalOf } from '../../kernel/lists/total.ts'
import type { Delivery, DeliveryState } from '../delivery/delivery.ts'
import { findTurns, type Turn } from '../runs/history.ts'
import { findRuns, type Run, type RunKind, type RunStatus } from '../runs/row.ts'

/** A row of `gateway_sessions`. The rules write these channels and no others. */
export interface AgentSession extends GatewaySessionModel {
  lastChannel: ChannelName | null
}

/** A row of `gateway_events`. The rules write these values to its text columns and no others. */
export interface SystemEvent extends GatewayEventModel {
  source: 'hook' | 'run' | 'user'
  mode: WakeMode
}

export const eventStates = ['queued', 'taken', 'seen'] as const
export type EventState = (typeof eventStates)[number]

const inState: Record<EventState, GatewayEventWhereInput> = {
  queued: { heartbeatId: null },
  taken: { heartbeatId: { not: null }, seenAt: null },
  seen: { seenAt: { not: null } },
}

export const stateOf = ({ heartbeatId, seenAt }: SystemEvent): EventState =>
  heartbeatId === null ? 'queued' : seenAt === null ? 'taken' : 'seen'

export interface RunFilter {
  status?: RunStatus | null
  kind?: RunKind | null
  sessionKey?: string | null
}

export const listSessions = (context: Context, args: ListArgs): Promise<Page<AgentSession>> =>
  pageById(context, args, 'agent sessions', {
    find: async page => (await context.db.prisma.gatewaySession.findMany(page)) as AgentSession[],
    count: ({ prisma }, where) => prisma.gatewaySession.count({ where }),
  })

export async function listRuns(context: Context, { filter, ...args }: AgedListArgs & { filter?: RunFilter | null }): Promise<Page<Run>> {
  const { status = null, kind = null, sessionKey = null } = filter ?? {}
  // By the session's id: for a join on its key PostgreSQL reads all runs of the organization. No run has the id of no session.
  const session = sessionKey === null ? null : await sessionByKey(context.db, organizationOf(context), sessionKey)
  const sessionId = sessionKey === null ? null : (session?.id ?? noSession)
  const wanted = { ...(status && { status }), ...(kind && { kind }), ...(sessionId && { sessionId }) }
  return pageById(context, args, `agent runs ${status} ${kind} ${sessionKey}`, {
    find: ({ where, ...page }) => findRuns(context.db, { ...page, where: { ...where, ...wanted } }),
    count: ({ prisma }, where) => prisma.gatewayRun.count({ where: { ...where, ...wanted } }),
  })
}
const noSession = '00000000-0000-0000-0000-000000000000'

export interface DeliveryFilter {
  state?: DeliveryState | null
  channel?: ChannelName | null
  runId?: string | null
}

export async function listDeliveries(
  context: Context,
  { filter, ...args }: AgedListArgs & { filter?: DeliveryFilter | null },
): Promise<Page<Delivery>> {
  const { state = null, channel = null, runId = null } = filter ?? {}
  if (runId !== null && !isId(runId)) throw invalid(valueError('runId', 'it is no id', runId))
  const wanted = { ...(state && { state }), ...(channel && { channel }), ...(runId && { runId }) }
  return pageById(context, args, `agent deliveries ${state} ${channel} ${runId}`, {
    find: async ({ where, ...page }) =>
      (await context.db.prisma.gatewayDelivery.findMany({ ...page, where: { ...where, ...wanted } })) as Delivery[],
    count: ({ prisma }, where) => prisma.gatewayDelivery.count({ where: { ...where, ...wanted } }),
  })
}

export function listEvents(context: Context, { state, ...args }: AgedListArgs & { state?: EventState | null }): Promise<Page<SystemEvent>> {
  const wanted = state ? inState[state] : {}
  return pageById(context, args, `system events ${state ?? ''}`, {
    find: async ({ where, ...page }) =>
      (await context.db.prisma.gatewayEvent.findMany({ ...page, where: { ...where, ...wanted } })) as SystemEvent[],
    count: ({ prisma }, where) => prisma.gatewayEvent.count({ where: { ...where, ...wanted } }),
  })
}

/** The turns of a session, the newest first. */
export async function listTurns(context: Context, sessionId: string, { counted, ...args }: ListArgs): Promise<Page<Turn>> {
  const list = `turns of ${sessionId}`
  const page = pageOf(args, list, key => /^\d{1,9}$/.test(key))
  const where = { orgId: organizationOf(context), sessionId }
  const total = totalOf(counted, () => bounded(context, ({ prisma }) => prisma.gatewayTurn.count({ where })))
  const direction = directionOf(page)
  const turns = await findTurns(context.db, {
    where: { ...where, ...(page.start && { seq: { [direction === 'asc' ? 'gt' : 'lt']: Number(page.start.key) } }) },
    orderBy: { seq: direction },
    take: page.size + 1,
  })
  return new Page(
    turns.map(row => ({ row, key: String(row.seq) })),
    page,
    list,
    total,
  )
}

/** The arguments of Prisma that select a page. */
interface PageById {
  where: { orgId: string; id?: { lt: string } | { gt: string } }
  orderBy: { id: 'asc' | 'desc' }
  take: number
}

interface ListById<Row> {
  find(page: PageById): Promise<Row[]>
  count(db: Queries, where: { orgId: string }): Promise<number>
}

// Ids are UUIDv7 and sort by time, so the primary key finds the page.
export async function pageById<Row extends { id: string }>(
  context: Context,
  { counted, sort, ...args }: AgedListArgs,
  name: string,
  { find, count }: ListById<Row>,
): Promise<Page<Row>> {
  const { order, suffix } = ageOrder(sort)
  const list = `${name}${suffix}`
  const page = pageOf(args, list, key => key === '')
  const orgId = organizationOf(context)
  const total = totalOf(counted, () => bounded(context, db => count(db, { orgId })))
  const { start, size } = page
  const direction = directionOf(page, order)
  const where = { orgId, ...(start && { id: direction === 'asc' ? { gt: start.id } : { lt: start.id } }) }
  const found = await find({ where, orderBy: { id: direction }, take: size + 1 })
  return new Page(
    found.map(row => ({ row, key: '' })),
    page,
    list,
    total,
  )
}

/** The session. Throws NOT_FOUND. */
export async function getSession(context: Context, { key }: { key: string }): Promise<AgentSession> {
  const session = await sessionByKey(context.db, organizationOf(context), key)
  if (!session) throw notFound('agent session', key)
  return session
}

export async function sessionByKey({ prisma }: Queries, orgId: string, key: string): Promise<AgentSession | null> {
  return (await prisma.gatewaySession.findUnique({ where: { orgId_key: { orgId, key } } })) as AgentSession | null
}

export const sessionOf = (context: Context, id: string): Promise<AgentSession | null> => load(context, loadSessions, id)

export async function loadSessions(context: Context, ids: readonly string[]): Promise<(AgentSession | null)[]> {
  const found = await context.db.prisma.gatewaySession.findMany({ where: { orgId: organizationOf(context), id: { in: [...ids] } } })
  return inOrder(ids, found as AgentSession[], session => session.id)
}

export async function loadEvents(context: Context, ids: readonly string[]): Promise<(SystemEvent | null)[]> {
  const found = await context.db.prisma.gatewayEvent.findMany({ where: { orgId: organizationOf(context), id: { in: [...ids] } } })
  return inOrder(ids, found as SystemEvent[], event => event.id)
}

/** The events that a heartbeat took, in their order, a thousand at most. */
export async function eventsOfHeartbeat(context: Context, runId: string): Promise<SystemEvent[]> {
  const where = { orgId: organizationOf(context), heartbeatId: runId }
  return (await context.db.prisma.gatewayEvent.findMany({ where, orderBy: { position: 'asc' }, take: 1000 })) as SystemEvent[]
}
