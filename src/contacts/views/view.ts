// Saved views: named filters, orders and columns of lists. A private view is visible to its owner only, a shared one to the organization.

import { type Context, inTransaction, organizationOf } from '../../kernel/context.ts'
import { type Batch, inOrder, load } from '../../kernel/dataloaders.ts'
import { AppError, invalid, notFound } from '../../kernel/errors.ts'
import type { OutboxEvent } from '../../kernel/events/event.sql.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { isId, newId } from '../../kernel/ids.ts'
import { text } from '../../kernel/input/fields.ts'
import { at, Invalid, type Problem, problem, valueError } from '../../kernel/input/problem.ts'
import { nextVersion, requireVersion } from '../../kernel/input/version.ts'
import { type Maximum, requireRoom } from '../../kernel/limits/maxima.ts'
import { directionOf, type ListArgs, Page, pageOf } from '../../kernel/lists/pagination.ts'
import { counted as bounded, totalOf } from '../../kernel/lists/total.ts'
import { eventsOf, update } from '../../kernel/nouns/events.ts'
import { actorOf, createdByColumns, isAllowed, isAtLeast } from '../../kernel/principal.ts'
import {
  countViews,
  defaultView,
  lastPosition,
  lockView,
  lockViews,
  type SavedView,
  selectViews,
  type ViewNoun,
  viewsById,
} from './view.sql.ts'

const events = eventsOf('saved_view', {
  created: 'A view was saved.',
  deleted: 'A saved view was deleted.',
  updated: update('A saved view was changed.'),
})

// 100 of each member, and 100 that API keys made: more than anyone finds again in a menu.
export const maxViews: Maximum = { noun: 'savedViews', most: 100, of: 'A member', nouns: 'saved views', remedy: 'delete one first' }

/** The definition of a view, checked against the schema: see definition.graphql.ts. */
export type Definition = Partial<Pick<SavedView, 'filter' | 'sort' | 'columns'>>

export interface ViewInput {
  name?: string | null
  isShared?: boolean | null
  isDefault?: boolean | null
  position?: number | null
}

export interface ViewList extends ListArgs {
  noun?: ViewNoun | null
}

// API keys, agents and guests act for the organization, so they see only shared views.
const userIdOf = ({ principal }: Context) => (principal.kind === 'session' ? principal.userId : null)

/** Loads views that the caller may see. */
export const loadViews: Batch<string, SavedView | null> = async (context, ids) =>
  inOrder(ids, await context.db.query(viewsById, [organizationOf(context), userIdOf(context), ids]), view => view.id)

/** A view by its id. Throws NOT_FOUND, also for private views of others. */
export async function getView(context: Context, id: string): Promise<SavedView> {
  const view = isId(id) ? await load(context, loadViews, id.toLowerCase()) : null
  if (!view) throw notFound('saved view', id)
  return view
}

/** One page of the views that the caller may see, by position. */
export async function listViews(context: Context, { noun, counted, ...args }: ViewList): Promise<Page<SavedView>> {
  const list = `views ${noun ?? ''}`
  const page = pageOf(args, list, key => /^-?\d{1,9}$/.test(key))
  const values = [organizationOf(context), userIdOf(context), noun ?? null]
  const total = totalOf(counted, async () => (await bounded(context, db => db.query(countViews, values)))[0]?.total ?? 0)
  const position = [page.start?.key ?? null, page.start?.id ?? null]
  const views = await context.db.query(selectViews[directionOf(page, 'asc')], [...values, page.size + 1, ...position])
  const keyed = views.map(row => ({ row, key: String(row.position) }))
  return new Page(keyed, page, list, total)
}

/** Whether the caller may see an event of a view. Decided by the view's state at the event, because it may be shared or deleted since. */
export async function maySeeEventOfView(context: Context, { changes: { privateTo } }: Pick<OutboxEvent, 'changes'>): Promise<boolean> {
  return typeof privateTo !== 'string' || privateTo === userIdOf(context)
}

/** Adds a view. Throws INVALID for a private view of a caller who is not a user, and CONFLICT for too many. */
export async function createView(context: Context, noun: ViewNoun, input: ViewInput, definition: Definition): Promise<SavedView> {
  const orgId = organizationOf(context)
  const ownerUserId = userIdOf(context)
  const isShared = input.isShared ?? ownerUserId === null
  const problems = problemsOfView({ ...input, name: input.name ?? null, isShared }, ownerUserId)
  if (problems.length > 0) throw invalid(problems)
  if (isShared) requireSharing(context)
  return writing(context, async tx => {
    requireRoom(maxViews, await tx.db.prisma.savedView.count({ where: { orgId, ownerUserId } }))
    const [last] = await tx.db.query(lastPosition, [orgId, noun])
    const now = context.now().toISOString()
    const view: SavedView = {
      id: newId(),
      orgId,
      ownerUserId,
      noun,
      name: nameOf(input) ?? '',
      filter: definition.filter ?? {},
      sort: definition.sort ?? null,
      columns: definition.columns ?? [],
      isShared,
      isDefault: input.isDefault ?? false,
      position: input.position ?? Math.min((last?.position ?? 0) + 1, maxPosition),
      createdBy: actorOf(context.principal),
      createdAt: now,
      updatedAt: now,
      version: 1,
    }
    if (view.isDefault) await replaceDefault(tx, view)
    const { createdBy, ...row } = view
    await tx.db.prisma.savedView.create({ data: { ...row, filter: row.filter as object, ...createdByColumns(createdBy) } })
    await recordEvent(tx, { type: events.created, entityId: view.id, changes: detailsOf(view) })
    return view
  })
}

/** The noun of a view, for checking a new definition. It never changes. */
export const nounOf = async (context: Context, id: string): Promise<ViewNoun> => (await getView(context, id)).noun

/** Changes the given fields; writes nothing if all are equal. Throws NOT_FOUND, FORBIDDEN, PRECONDITION_FAILED. */
export async function updateView(
  context: Context,
  { id, ifVersion, ...input }: ViewInput & { id: string; ifVersion?: number | null },
  definition: Definition,
): Promise<SavedView> {
  return writing(context, async tx => {
    const before = await viewToWrite(tx, id, ifVersion)
    const problems = problemsOfView(input, before.ownerUserId)
    if (problems.length > 0) throw invalid(problems)
    if (input.isShared) requireSharing(context)
    const after: SavedView = {
      ...before,
      ...definition,
      name: nameOf(input) ?? before.name,
      isShared: input.isShared ?? before.isShared,
      isDefault: input.isDefault ?? before.isDefault,
      position: input.position ?? before.position,
    }
    return change(tx, before, after)
  })
}

/** Deletes a view permanently. Throws NOT_FOUND, FORBIDDEN, PRECONDITION_FAILED. */
export function deleteView(context: Context, { id, ifVersion }: { id: string; ifVersion?: number | null }): Promise<SavedView> {
  return writing(context, async tx => {
    const view = await viewToWrite(tx, id, ifVersion)
    await tx.db.prisma.savedView.delete({ where: { id: view.id, orgId: view.orgId } })
    await recordEvent(tx, { type: events.deleted, entityId: view.id, changes: detailsOf(view) })
    return view
  })
}

const fields = ['name', 'filter', 'sort', 'columns', 'isShared', 'isDefault', 'position'] as const satisfies (keyof SavedView)[]
/** The user who alone may see events of the view; null for all. */
const privateTo = ({ isShared, ownerUserId }: SavedView) => (isShared ? null : ownerUserId)
const detailsOf = (view: SavedView) => ({ noun: view.noun, name: view.name, privateTo: privateTo(view) })

async function change(tx: Context, before: SavedView, after: SavedView): Promise<SavedView> {
  const changed = fields.filter(field => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
  if (changed.length === 0) return before
  const isMoved = before.isShared !== after.isShared
  if (after.isDefault && (!before.isDefault || isMoved)) await replaceDefault(tx, after)
  const written = {
    ...Object.fromEntries(changed.map(field => [field, after[field]])),
    ...nextVersion(tx, before),
  }
  await tx.db.prisma.savedView.update({ where: { id: before.id, orgId: before.orgId }, data: written })
  // When a view becomes shared or private, the event is visible to all, so it shows only that and none of the private values.
  const told = isMoved ? (['isShared'] as const) : changed
  const pairs = Object.fromEntries(told.map(field => [field, [before[field], after[field]]]))
  const changes = { ...pairs, privateTo: isMoved ? null : privateTo(after) }
  await recordEvent(tx, { type: events.updated, entityId: before.id, changes })
  return { ...after, ...written }
}

/** Unsets the former default. */
async function replaceDefault(tx: Context, { id, orgId, noun, isShared, ownerUserId }: SavedView): Promise<void> {
  for (const view of await tx.db.query(defaultView, [orgId, noun, isShared, ownerUserId]))
    if (view.id !== id) await change(tx, view, { ...view, isDefault: false })
}

async function writing(context: Context, write: (tx: Context) => Promise<SavedView>): Promise<SavedView> {
  const orgId = organizationOf(context)
  return context.db.transaction(async db => {
    await db.query(lockViews, [orgId])
    return write(inTransaction(context, db))
  })
}

async function viewToWrite(context: Context, id: string, ifVersion: number | null | undefined): Promise<SavedView> {
  const [view] = isId(id) ? await context.db.query(lockView, [organizationOf(context), userIdOf(context), id]) : []
  if (!view) throw notFound('saved view', id)
  if (!mayChange(context, view))
    throw new AppError('FORBIDDEN', 'A shared view is changed by its owner, or by an admin of the organization')
  requireVersion('saved view', view, ifVersion)
  return view
}

/** A viewer saves views of their own, which nobody else sees. */
function requireSharing({ principal }: Context): void {
  if (!isAllowed(principal, 'contacts:write'))
    throw new AppError(
      'FORBIDDEN',
      "A viewer's views are private: leave isShared out. The organization's owners and admins can change the role",
    )
}

function mayChange({ principal }: Context, { ownerUserId, isShared }: SavedView): boolean {
  if (isShared && !isAllowed(principal, 'contacts:write')) return false
  if (principal.kind !== 'session') return ownerUserId === null
  return ownerUserId === principal.userId || (principal.role !== null && isAtLeast(principal.role, 'admin'))
}

/** Leaves room in a cursor, and for one more view after the last. */
export const maxPosition = 999_999_999
export const viewName = text(100)

/** The problems of an input. An absent name is not a problem. */
export function problemsOfView({ name, isShared, position }: ViewInput, ownerUserId?: string | null): Problem[] {
  const read = name === undefined ? '' : name === null ? null : viewName(name)
  return [
    ...(read instanceof Invalid ? at('name', read) : []),
    ...(read === null ? [problem('name', 'string_too_short', name, { min_length: 1 })] : []),
    ...(isShared === false && ownerUserId === null
      ? [valueError('isShared', 'a view that no user owns is shared; sign in to save one of your own', isShared)]
      : []),
    ...(position != null && position < 0 ? [problem('position', 'greater_than_equal', position, { ge: 0 })] : []),
    ...(position != null && position > maxPosition ? [problem('position', 'less_than_equal', position, { le: maxPosition })] : []),
  ]
}

function nameOf({ name }: ViewInput): string | null {
  const read = name == null ? null : viewName(name)
  return read instanceof Invalid ? null : read
}
