// Keys of widgets: with one, a page elsewhere reads one widget of its maker and nothing else. Shown once, revoked permanently.

import { createHash } from 'node:crypto'
import type { Prisma, WidgetKey as WidgetKeyRow } from '../../generated/prisma/client.ts'
import { type Context, inTransaction, organizationOf, userOf } from '../../kernel/context.ts'
import { invalid, notFound } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { isId, newId } from '../../kernel/ids.ts'
import { type Maximum, requireRoom } from '../../kernel/limits/maxima.ts'
import { eventsOf } from '../../kernel/nouns/events.ts'
import type { SessionPrincipal } from '../../kernel/principal.ts'
import { holdCredential } from '../authentication/held-credential.ts'
import { isWidgetKey, newWidgetKey } from './format.ts'
import { labelProblems } from './input.ts'
import { maxEnded, newestFirst } from './listed.ts'
import { selectWidgetKey, touchWidgetKey } from './widget-key.sql.ts'

const events = eventsOf('widget_key', {
  created: 'A key of a widget was made. Told to its maker alone.',
  revoked: 'A key of a widget was revoked. Told to its maker alone.',
})

// More pages elsewhere than one widget is shown on.
const maxKeys: Maximum = { noun: 'widgetKeys', most: 20, of: 'A widget', nouns: 'keys', remedy: 'revoke one first' }

export type WidgetKey = Omit<WidgetKeyRow, 'hash'>

export interface CreatedWidgetKey {
  widgetKey: WidgetKey
  key: string
}

/** Makes a key of a widget that the signed-in user owns. The widget's row is in the context's transaction. Throws INVALID and CONFLICT. */
export async function insertWidgetKey(tx: Context, widgetId: string, givenLabel: string): Promise<CreatedWidgetKey> {
  const label = givenLabel.trim()
  const problems = labelProblems(label)
  if (problems.length > 0) throw invalid(problems)
  await holdCredential(tx)
  const { prisma } = tx.db
  requireRoom(maxKeys, await prisma.widgetKey.count({ where: { widgetId, revokedAt: null } }))
  const key = newWidgetKey()
  const owner = { orgId: organizationOf(tx), userId: userOf(tx).userId }
  const widgetKey = await prisma.widgetKey.create({
    data: { id: newId(), widgetId, ...owner, hash: hashOf(key), last4: key.slice(-4), label, createdAt: tx.now() },
    omit: { hash: true },
  })
  await recordEvent(tx, { type: events.created, entityId: widgetKey.id, changes: { label, widgetId, privateTo: owner.userId } })
  return { widgetKey, key }
}

/** The keys of the user's widgets in the organization, newest first. Of revoked ones the newest 200. */
export async function listWidgetKeys(context: Context): Promise<WidgetKey[]> {
  const owner = { orgId: organizationOf(context), userId: userOf(context).userId }
  const find = (where: Prisma.WidgetKeyWhereInput, take?: number) =>
    context.db.prisma.widgetKey.findMany({
      where: { ...owner, ...where },
      omit: { hash: true },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      ...(take !== undefined && { take }),
    })
  const rows = [...(await find({ revokedAt: null })), ...(await find({ revokedAt: { not: null } }, maxEnded))]
  return newestFirst(rows)
}

/** Revokes a key of the user. It is refused from the next request on. Revoking a revoked key changes nothing. Throws NOT_FOUND. */
export function revokeWidgetKey(context: Context, id: string): Promise<WidgetKey> {
  const owner = { orgId: organizationOf(context), userId: userOf(context).userId }
  return context.db.transaction(async db => {
    const tx = inTransaction(context, db)
    const found = isId(id) ? await db.prisma.widgetKey.findFirst({ where: { id, ...owner }, omit: { hash: true } }) : null
    if (!found) throw notFound('widget key', id)
    const [revoked] = await revokeWhere(tx, { id, ...owner })
    return revoked ?? found
  })
}

/** Revokes every widget key that the user made, in the context's transaction. */
export async function revokeWidgetKeysOf(tx: Context, userId: string): Promise<void> {
  await revokeWhere(tx, { userId })
}

/**
 * The maker of a key of the widget, with the role that the maker has now. Null for a key that is unknown, revoked, or of another widget, and
 * for one whose maker is no longer a member.
 */
export async function makerOfWidgetKey({ db, now }: Context, widgetId: string, key: string): Promise<SessionPrincipal | null> {
  const [found] = isWidgetKey(key) && isId(widgetId) ? await db.query(selectWidgetKey, [hashOf(key), widgetId]) : []
  if (!found) return null
  const { id, userId, orgId, role } = found
  // To the minute, as the last use of every credential.
  const time = now().getTime()
  await db.query(touchWidgetKey, [id, new Date(time).toISOString(), new Date(time - 60_000).toISOString()])
  const membership = { orgIds: [orgId], roles: { [orgId]: role }, role, currentOrgId: orgId }
  return { kind: 'session', sessionId: null, userId, email: null, name: null, ...membership }
}

/** Revokes the widget keys that others than the payer made in the organization, in the context's transaction. */
export async function revokeWidgetKeysOfOthers(tx: Context, orgId: string, payerId: string): Promise<void> {
  await revokeWhere(tx, { orgId, userId: { not: payerId } })
}

async function revokeWhere(tx: Context, which: { id?: string; orgId?: string; userId: string | { not: string } }): Promise<WidgetKey[]> {
  const revoked = await tx.db.prisma.widgetKey.updateManyAndReturn({
    where: { ...which, revokedAt: null },
    data: { revokedAt: tx.now() },
    omit: { hash: true },
  })
  for (const { id, orgId, userId, label, widgetId } of revoked)
    await recordEvent(tx, { type: events.revoked, entityId: id, orgId, changes: { label, widgetId, privateTo: userId } })
  return revoked
}

const hashOf = (key: string) => createHash('sha256').update(key).digest()
