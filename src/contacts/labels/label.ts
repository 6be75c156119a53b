// Labels: an organization's own words, each with a color.

import { type Context, inTransaction, organizationOf } from '../../kernel/context.ts'
import { type Batch, inOrder } from '../../kernel/dataloaders.ts'
import { AppError, invalid, notFound } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { namesOf, readFields, type StoredIn } from '../../kernel/fields/table.ts'
import { isId, newId } from '../../kernel/ids.ts'
import { changing, nextVersion } from '../../kernel/input/version.ts'
import { lockNoun, type Maximum, requireRoom } from '../../kernel/limits/maxima.ts'
import { isTime, type ListArgs, Page, pageOf } from '../../kernel/lists/pagination.ts'
import { counted as bounded, totalOf } from '../../kernel/lists/total.ts'
import { eventsOf, update } from '../../kernel/nouns/events.ts'
import { actorOf, createdByColumns } from '../../kernel/principal.ts'
import { countLabels, type Label, type LabelInput, labelAt, labelFields, labelsById, lockLabel, selectLabels } from './label.sql.ts'

const events = eventsOf('label', {
  created: 'A label was added.',
  deleted: 'A label was deleted.',
  updated: update('A label was changed.'),
})

// 200: more than anyone tells apart by their colors.
export const maxLabels: Maximum = { noun: 'labels', most: 200, of: 'An organization', nouns: 'labels', remedy: 'delete one first' }

export interface LabelChange extends LabelInput {
  id: string
  ifVersion?: number | null
}

/** A label by its id. Throws NOT_FOUND. */
export async function getLabel(context: Context, id: string): Promise<Label> {
  const orgId = organizationOf(context)
  const label = isId(id) ? await labelAt(context, orgId, id) : undefined
  if (!label) throw notFound('label', id)
  return label
}

export const loadLabels: Batch<string, Label | null> = async (context, ids) =>
  inOrder(ids, await context.db.query(labelsById, [organizationOf(context), ids]), label => label.id)

/** One page of the organization's labels, newest first. */
export async function listLabels(context: Context, { counted, ...args }: ListArgs): Promise<Page<Label>> {
  const list = 'labels'
  const page = pageOf(args, list, isTime)
  const orgId = organizationOf(context)
  const total = totalOf(counted, async () => (await bounded(context, db => db.query(countLabels, [orgId])))[0]?.total ?? 0)
  const position = page.start ? [page.start.key, page.start.id] : []
  const labels = await context.db.query(selectLabels(page), [orgId, page.size + 1, ...position])
  return new Page(
    labels.map(row => ({ row, key: row.createdAt })),
    page,
    list,
    total,
  )
}

/** Adds a label. Throws INVALID, ALREADY_EXISTS if the name is taken, and CONFLICT for too many. */
export async function createLabel(context: Context, input: LabelInput): Promise<Label> {
  const orgId = organizationOf(context)
  const { name = '', color = 'gray' } = checked(input)
  return context.db.transaction(async db => {
    const tx = inTransaction(context, db)
    await requireFreeName(tx, name)
    requireRoom(maxLabels, await db.prisma.label.count({ where: { orgId } }))
    const now = context.now().toISOString()
    const label: Label = {
      id: newId(),
      orgId,
      name,
      color,
      createdBy: actorOf(context.principal),
      createdAt: now,
      updatedAt: now,
      version: 1,
    }
    const { createdBy, ...row } = label
    await db.prisma.label.create({ data: { ...row, nameKey: keyOf(name), ...createdByColumns(createdBy) } })
    await recordEvent(tx, { type: events.created, entityId: label.id, changes: { name, color } })
    return label
  })
}

/** Changes the given fields; writes nothing if all are equal. Throws NOT_FOUND, INVALID, ALREADY_EXISTS, PRECONDITION_FAILED. */
export async function updateLabel(context: Context, { id, ifVersion, name, color }: LabelChange): Promise<Label> {
  // A null leaves it as it is.
  const fields = checked({ name: name ?? undefined, color: color ?? undefined })
  return changing(context, 'label', lockLabel, { id, ifVersion }, async (tx, before) => {
    const after: Label = { ...before, ...fields }
    const changed = namesOf(labelFields).filter(field => after[field] !== before[field])
    if (changed.length === 0) return before
    if (changed.includes('name')) await requireFreeName(tx, after.name, before.id)
    const written = { ...fields, ...nextVersion(context, before) }
    await tx.db.prisma.label.update({ where: { id: before.id, orgId: before.orgId }, data: { ...written, nameKey: keyOf(after.name) } })
    const changes = Object.fromEntries(changed.map(field => [field, [before[field], after[field]]]))
    await recordEvent(tx, { type: events.updated, entityId: before.id, changes })
    return { ...after, ...written }
  })
}

/** Deletes a label permanently. Throws NOT_FOUND, PRECONDITION_FAILED. */
export function deleteLabel(context: Context, { id, ifVersion }: { id: string; ifVersion?: number | null }): Promise<Label> {
  return changing(context, 'label', lockLabel, { id, ifVersion }, async (tx, label) => {
    await tx.db.prisma.label.delete({ where: { id: label.id, orgId: label.orgId } })
    await recordEvent(tx, { type: events.deleted, entityId: label.id, changes: { name: label.name } })
    return label
  })
}

// In every case the same: `STRASSE` and `Straße` are one name.
const keyOf = (name: string) => name.normalize('NFKC').toUpperCase().toLowerCase()

/** Lets one writer of the organization's names at a time through. Throws ALREADY_EXISTS for the name of another label. */
async function requireFreeName(tx: Context, name: string, ownId?: string): Promise<void> {
  const orgId = organizationOf(tx)
  await lockNoun(tx.db, maxLabels, orgId)
  const other = await tx.db.prisma.label.findUnique({ where: { orgId_nameKey: { orgId, nameKey: keyOf(name) } }, select: { id: true } })
  if (other && other.id !== ownId)
    throw new AppError('ALREADY_EXISTS', `A label ${name} exists already`, { field: 'name', existingId: other.id })
}

function checked(input: LabelInput): Partial<StoredIn<typeof labelFields>> {
  const { fields, problems } = readFields(labelFields, input)
  if (problems.length > 0) throw invalid(problems)
  return fields
}
