// Pages of sessions, their turns, system events and runs, newest first.

import type { ChannelName, WakeMode } from '../../config/gateway/enums.ts'
import type { Queries } from '../../database/client.ts'
import type { GatewayEventModel, GatewayEventWhereInput, GatewaySessionModel } from '../../generated/prisma/models.ts'
import { type Context, organizationOf } from '../../kernel/context.ts'
import { inOrder, load } from '../../kernel/dataloaders.ts'
import { notFound } from '../../kernel/errors.ts'
import { Page, type PageArgs, pageOf } from '../../kernel/pagination.ts'
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

export const listSessions = (context: Context, args: PageArgs): Promise<Page<AgentSession>> =>
  pageById(context, args, 'agent sessions', async page => (await context.db.prisma.gatewaySession.findMany(page)) as AgentSession[])

export function listRuns(context: Context, { filter, ...args }: PageArgs & { filter?: RunFilter | null }): Promise<Page<Run>> {
  const { status = null, kind = null, sessionKey = null } = filter ?? {}
  const wanted = { ...(status && { status }), ...(kind && { kind }) }
  return pageById(context, args, `agent runs ${status} ${kind} ${sessionKey}`, async ({ where, ...page }) => {
    if (sessionKey === null) return findRuns(context.db, { ...page, where: { ...where, ...wanted } })
    // By the session's id: for a join on its key PostgreSQL reads all runs of the organization.
    const session = await sessionByKey(context.db, where.orgId, sessionKey)
    return session ? findRuns(context.db, { ...page, where: { ...where, ...wanted, sessionId: session.id } }) : []
  })
}

export function listEvents(context: Context, { state, ...args }: PageArgs & { state?: EventState | null }): Promise<Page<SystemEvent>> {
  return pageById(context, args, `system events ${state ?? ''}`, async ({ where, ...page }) => {
    const wanted = { ...where, ...(state && inState[state]) }
    return (await context.db.prisma.gatewayEvent.findMany({ ...page, where: wanted })) as SystemEvent[]
  })
}

/** The turns of a session, the newest first. */
export async function listTurns(context: Context, sessionId: string, args: PageArgs): Promise<Page<Turn>> {
  const list = `turns of ${sessionId}`
  const page = pageOf(args, list, key => /^\d{1,9}$/.test(key))
  const turns = await findTurns(context.db, {
    where: { orgId: organizationOf(context), sessionId, ...(page.start && { seq: { lt: Number(page.start.key) } }) },
    orderBy: { seq: 'desc' },
    take: page.size + 1,
  })
  return new Page(
    turns.map(row => ({ row, key: String(row.seq) })),
    page,
    list,
  )
}

/** The arguments of Prisma that select a page. */
interface PageById {
  where: { orgId: string; id?: { lt: string } }
  orderBy: { id: 'desc' }
  take: number
}

// Ids are UUIDv7, so their order is that of time, and the primary key finds the page.
async function pageById<Row extends { id: string }>(
  context: Context,
  args: PageArgs,
  list: string,
  find: (page: PageById) => Promise<Row[]>,
): Promise<Page<Row>> {
  const page = pageOf(args, list, key => key === '')
  const where = { orgId: organizationOf(context), ...(page.start && { id: { lt: page.start.id } }) }
  const found = await find({ where, orderBy: { id: 'desc' }, take: page.size + 1 })
  return new Page(
    found.map(row => ({ row, key: '' })),
    page,
    list,
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
