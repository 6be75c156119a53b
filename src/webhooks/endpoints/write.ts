// Writing webhook endpoints: adding, changing and removing them, rotating their secrets, and testing them.

import { holdCredential } from '../../identity/authentication/held-credential.ts'
import { type Context, inTransaction, organizationOf } from '../../kernel/context.ts'
import { AppError, invalid, notFound } from '../../kernel/errors.ts'
import { readSnapshot } from '../../kernel/events/event.sql.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { isId, newId } from '../../kernel/ids.ts'
import { problem } from '../../kernel/input/problem.ts'
import { requireVersion } from '../../kernel/input/version.ts'
import { type Maximum, requireRoom } from '../../kernel/limits/maxima.ts'
import { actorOf, createdByColumns } from '../../kernel/principal.ts'
import { endDeliveries } from '../deliveries/delivery.sql.ts'
import { beginReading, lockEndpoints } from '../outbox/reader.sql.ts'
import { webhookChannel } from '../sending/channel.ts'
import { countEndpoints, type Endpoint, endpointEvents, lockEndpoint } from './endpoint.sql.ts'
import { type EndpointInput, readEndpoint } from './input.ts'
import { secretsOf } from './secret.ts'

// 50: every event is compared with all of them.
const maxEndpoints: Maximum = {
  noun: 'webhookEndpoints',
  most: 50,
  of: 'An organization',
  nouns: 'webhook endpoints',
  remedy: 'delete one first',
}

interface Named {
  id: string
  ifVersion?: number | null
}

/** Adds an endpoint, which receives events committed from now on. Throws INVALID, and CONFLICT for the fifty-first. */
export function createEndpoint(context: Context, input: EndpointInput): Promise<{ endpoint: Endpoint; secret: string }> {
  const orgId = organizationOf(context)
  const maker = makerOf(context)
  const { fields, problems } = readEndpoint({ ...input, url: input.url ?? null })
  if (problems.length > 0) throw invalid(problems)
  return writing(context, async tx => {
    const [count] = await tx.db.query(countEndpoints, [orgId])
    requireRoom(maxEndpoints, count?.total ?? 0)
    const now = tx.now().toISOString()
    const isEnabled = input.isEnabled ?? true
    const endpoint: Endpoint = {
      id: newId(),
      orgId,
      url: fields.url ?? '',
      description: fields.description ?? null,
      eventTypes: fields.eventTypes ?? [],
      filter: fields.filter ?? [],
      payload: fields.payload ?? 'full',
      state: isEnabled ? 'enabled' : 'disabled',
      disabledReason: isEnabled ? null : 'by_user',
      disabledAt: isEnabled ? null : now,
      failingSince: null,
      failingToldAt: null,
      secretVersion: 1,
      previousSecretUntil: null,
      ...maker,
      since: await beginNow(tx),
      createdBy: actorOf(context.principal),
      createdAt: now,
      updatedAt: now,
      version: 1,
    }
    const { createdBy, ...row } = endpoint
    await tx.db.prisma.webhookEndpoint.create({ data: { ...row, filter: row.filter as object[], ...createdByColumns(createdBy) } })
    await recordEvent(tx, { type: endpointEvents.created, entityId: endpoint.id, changes: { url: endpoint.url } })
    return { endpoint, secret: currentSecret(tx, endpoint) }
  })
}

/**
 * Changes the given fields; writes nothing if all are equal. From then on it receives what the caller may read, unless only the description
 * changes. Throws NOT_FOUND, INVALID, PRECONDITION_FAILED.
 */
export function updateEndpoint(context: Context, { id, ifVersion, ...input }: EndpointInput & Named): Promise<Endpoint> {
  const maker = makerOf(context)
  const { fields, problems } = readEndpoint(input)
  if (problems.length > 0) throw invalid(problems)
  return writing(context, async tx => {
    const before = await endpointToWrite(tx, id, ifVersion)
    const now = tx.now().toISOString()
    const isEnabled = input.isEnabled ?? before.state === 'enabled'
    const state = isEnabled ? enabled : { state: 'disabled' as const, disabledReason: 'by_user' as const, disabledAt: now }
    const isSwitched = isEnabled !== (before.state === 'enabled')
    const wanted: Endpoint = { ...before, ...fields, ...(isSwitched && state) }
    const changed = changedFields.filter(field => JSON.stringify(before[field]) !== JSON.stringify(wanted[field]))
    if (changed.length === 0) return before
    const isDescription = changed.every(field => field === 'description')
    const after: Endpoint = {
      ...wanted,
      ...(!isDescription && maker),
      ...(isSwitched && isEnabled && { since: await beginNow(tx) }),
      updatedAt: now > before.updatedAt ? now : before.updatedAt,
      version: before.version + 1,
    }
    await save(tx, after)
    if (isSwitched && !isEnabled) await tx.db.query(endDeliveries, [id, 'canceled', 'the endpoint was disabled', now])
    const changes = Object.fromEntries(changed.map(field => [field, [before[field], after[field]]]))
    await recordEvent(tx, { type: endpointEvents.updated, entityId: id, changes })
    return after
  })
}

/** Removes an endpoint for good; what waits is not sent any more, and the log stays. Throws NOT_FOUND, PRECONDITION_FAILED. */
export function deleteEndpoint(context: Context, { id, ifVersion }: Named): Promise<Endpoint> {
  return writing(context, async tx => {
    const endpoint = await endpointToWrite(tx, id, ifVersion)
    await tx.db.prisma.webhookEndpoint.delete({ where: { id: endpoint.id, orgId: endpoint.orgId } })
    await tx.db.query(endDeliveries, [endpoint.id, 'canceled', 'the endpoint was deleted', tx.now().toISOString()])
    await recordEvent(tx, { type: endpointEvents.deleted, entityId: endpoint.id, changes: { url: endpoint.url } })
    return endpoint
  })
}

const defaultOverlapSeconds = 86_400
const maxOverlapSeconds = 7 * 86_400

/** Gives the endpoint a new secret. Deliveries are signed with both for the overlap. Throws NOT_FOUND, INVALID, and CONFLICT during an overlap. */
export function rotateSecret(
  context: Context,
  { id, overlapSeconds: given }: { id: string; overlapSeconds?: number | null },
): Promise<{ endpoint: Endpoint; secret: string }> {
  const overlapSeconds = given ?? defaultOverlapSeconds
  if (overlapSeconds < 0) throw invalid(problem('overlapSeconds', 'greater_than_equal', overlapSeconds, { ge: 0 }))
  if (overlapSeconds > maxOverlapSeconds)
    throw invalid(problem('overlapSeconds', 'less_than_equal', overlapSeconds, { le: maxOverlapSeconds }))
  return writing(context, async tx => {
    const before = await endpointToWrite(tx, id)
    const now = tx.now()
    const { previousSecretUntil: until } = before
    if (overlapSeconds > 0 && until !== null && Date.parse(until) > now.getTime())
      throw new AppError('CONFLICT', `Two secrets are live until ${until}; rotate then, or at once with overlapSeconds: 0`)
    const after: Endpoint = {
      ...before,
      secretVersion: before.secretVersion + 1,
      previousSecretUntil: overlapSeconds === 0 ? null : new Date(now.getTime() + overlapSeconds * 1000).toISOString(),
      updatedAt: now.toISOString(),
      version: before.version + 1,
    }
    await save(tx, after)
    await recordEvent(tx, { type: endpointEvents.secret_rotated, entityId: id, changes: { overlapSeconds } })
    return { endpoint: after, secret: currentSecret(tx, after) }
  })
}

/** Sends `webhook_endpoint.tested` to the endpoint, whatever types and fields it receives. Throws NOT_FOUND, and CONFLICT when it is disabled. */
export function testEndpoint(context: Context, id: string): Promise<Endpoint> {
  return writing(context, async tx => {
    const endpoint = await endpointToWrite(tx, id)
    if (endpoint.state === 'disabled') throw new AppError('CONFLICT', 'The endpoint is disabled; enable it first')
    await recordEvent(tx, { type: endpointEvents.tested, entityId: endpoint.id })
    return endpoint
  })
}

const changedFields = ['url', 'description', 'eventTypes', 'filter', 'payload', 'state', 'disabledReason'] as const
const enabled = { state: 'enabled', disabledReason: null, disabledAt: null, failingSince: null, failingToldAt: null } as const

const currentSecret = ({ services, now }: Context, endpoint: Endpoint): string => secretsOf(services.config, endpoint, now())[0] ?? ''

/** The principal whose rights count. Throws FORBIDDEN for agents and the server itself, whose rights end with their work. */
function makerOf({ principal }: Context): Pick<Endpoint, 'makerUserId' | 'makerKeyId'> {
  if (principal.kind === 'session') return { makerUserId: principal.userId, makerKeyId: null }
  if (principal.kind === 'api_key') return { makerUserId: principal.userId, makerKeyId: principal.id }
  throw new AppError('FORBIDDEN', 'Only users and API keys have changes sent to an address')
}

/** The snapshot of now, from which on the outbox is read. */
async function beginNow({ db }: Context): Promise<string> {
  await db.query(beginReading)
  const [row] = await db.query(readSnapshot)
  return row?.snapshot ?? ''
}

async function save(tx: Context, { id, orgId, createdBy: _, ...row }: Endpoint): Promise<void> {
  await tx.db.prisma.webhookEndpoint.update({ where: { id, orgId }, data: { ...row, filter: row.filter as object[] } })
}

async function writing<Result>(context: Context, write: (tx: Context) => Promise<Result>): Promise<Result> {
  return context.db.transaction(async db => {
    const inside = inTransaction(context, db)
    await holdCredential(inside)
    // Before the endpoint: the reader, which stops where there is none, takes the locks in this order.
    await db.query(lockEndpoints)
    const result = await write(inside)
    await db.afterCommit(() => context.services.notifier.notify(webhookChannel))
    return result
  })
}

async function endpointToWrite(tx: Context, id: string, ifVersion?: number | null): Promise<Endpoint> {
  const [endpoint] = isId(id) ? await tx.db.query(lockEndpoint, [organizationOf(tx), id]) : []
  if (!endpoint) throw notFound('webhook endpoint', id)
  requireVersion('webhook endpoint', endpoint, ifVersion)
  return endpoint
}
