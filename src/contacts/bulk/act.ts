// Applies a bulk change to a batch of contacts, by the rules of single writes, in the transaction of the batch.

import type { Context } from '../../kernel/context.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { eventRecord } from '../../kernel/events/event.sql.ts'
import { announce, eventRow } from '../../kernel/events/events.ts'
import { storedJson } from '../../kernel/input/storable.ts'
import { apply, differences } from '../contact/apply.ts'
import { type Changed, writeChanged } from '../contact/batch/existing.ts'
import { type Changes, readContact } from '../contact/input.ts'
import { type Contact, contactEvents } from '../contact/row.ts'
import { takenError } from '../contact/steps.ts'
import { mergedConflict } from '../merge/merged.ts'
import { addTasks, removeTasks, type TaskInBulk } from '../tasks/in-bulk.ts'
import { remindOfRestored } from '../tasks/reminder-queue.ts'
import { type BulkFailure, deleteContacts, hindrances, lockContacts, type Reversal, restoreContacts } from './bulk.sql.ts'

export interface Acted {
  changed: number
  unchanged: number
  failures: BulkFailure[]
  reversals: { contact_id: string; reversal: Reversal }[]
}

export const nothing = (): Acted => ({ changed: 0, unchanged: 0, failures: [], reversals: [] })

/** Applies the changes to the live ones among the contacts. One that the rules refuse, such as for too many tags, has failed. */
export async function updateBatch(tx: Context, orgId: string, ids: readonly string[], changes: Changes): Promise<Acted> {
  const acted = nothing()
  const written: Changed[] = []
  for (const contact of await live(tx, orgId, ids)) {
    const after = attempt(contact, () => apply(contact, changes), acted)
    if (!after) continue
    const changed = differences(contact, after)
    if (Object.keys(changed).length === 0) {
      acted.unchanged++
      continue
    }
    written.push({ contact, fields: after, changed })
    acted.reversals.push({ contact_id: contact.id, reversal: reversalOf(contact, after) })
  }
  if (written.length > 0) await writeChanged(tx, orgId, written)
  return { ...acted, changed: written.length }
}

/** Adds a task to each of the live ones among the contacts. */
export async function addTaskBatch(tx: Context, orgId: string, ids: readonly string[], fields: TaskInBulk): Promise<Acted> {
  const found = (await live(tx, orgId, ids)).map(({ id }) => id)
  const tasks = await addTasks(tx, orgId, found, fields)
  const reversals = tasks.map(({ id, contactId }) => ({ contact_id: contactId, reversal: { taskId: id } }))
  return { ...nothing(), changed: tasks.length, reversals }
}

/** Deletes the live ones among the contacts. */
export async function deleteBatch(tx: Context, orgId: string, ids: readonly string[]): Promise<Acted> {
  const found = (await live(tx, orgId, ids)).map(({ id }) => id)
  if (found.length === 0) return nothing()
  const events = found.map(id => eventRecord(eventRow(tx, { type: contactEvents.deleted, entityId: id, contactId: id, orgId })))
  await tx.db.query(deleteContacts, [orgId, tx.now().toISOString(), found, storedJson(events)])
  await announce(tx)
  return { ...nothing(), changed: found.length, reversals: found.map(id => ({ contact_id: id, reversal: { restore: true } })) }
}

/**
 * Restores the deleted ones among the contacts. Refused is one that was merged, as `restoreContact` refuses it, and one whose address is taken:
 * by a live contact, or by an older one of the batch.
 */
export async function restoreBatch(tx: Context, orgId: string, ids: readonly string[]): Promise<Acted> {
  const locked = await tx.db.query(lockContacts, [orgId, ids])
  const acted = { ...nothing(), unchanged: locked.filter(({ deletedAt }) => deletedAt === null).length }
  const free: string[] = []
  for (const { id, intoId, takenBy } of await tx.db.query(hindrances, [orgId, ids])) {
    if (intoId !== null) acted.failures.push(failureOf(id, mergedConflict(intoId), intoId))
    else if (takenBy !== null) acted.failures.push(failureOf(id, takenError(undefined), takenBy))
    else free.push(id)
  }
  if (free.length === 0) return acted
  const events = free.map(id => eventRecord(eventRow(tx, { type: contactEvents.restored, entityId: id, contactId: id, orgId })))
  await tx.db.query(restoreContacts, [orgId, tx.now().toISOString(), free, storedJson(events)])
  await remindOfRestored(tx, 'contact', orgId, free)
  await announce(tx)
  return { ...acted, changed: free.length, reversals: free.map(id => ({ contact_id: id, reversal: { delete: true } })) }
}

/**
 * Takes changes back: restores deleted contacts, deletes restored ones, and sets values back where they are unchanged. It cannot be
 * taken back itself, so it has no reversals.
 */
export async function undoBatch(tx: Context, orgId: string, reversals: ReadonlyMap<string, Reversal>): Promise<Acted> {
  const acted = nothing()
  const written: Changed[] = []
  const locked = await tx.db.query(lockContacts, [orgId, [...reversals.keys()]])
  const having = (name: 'restore' | 'delete') => locked.filter(({ id }) => reversals.get(id)?.[name]).map(({ id }) => id)
  const restored = await restoreBatch(tx, orgId, having('restore'))
  const deleted = await deleteBatch(tx, orgId, having('delete'))
  const taskIds = [...reversals.values()].flatMap(({ taskId }) => taskId ?? [])
  const removed = await removeTasks(tx, orgId, taskIds)
  for (const contact of locked) {
    const { restore, delete: isDeleted, taskId, addTags = [], removeTags = [], ...reversal } = reversals.get(contact.id) ?? {}
    if (restore || isDeleted || taskId) continue
    const changes: Changes = { ...readContact({}), addTags, removeTags, fields: formerValues(contact, reversal) }
    if (contact.deletedAt !== null) {
      acted.failures.push(failureOf(contact.id, notFound('contact', contact.id)))
      continue
    }
    const after = attempt(contact, () => apply(contact, changes), acted)
    if (!after) continue
    const changed = differences(contact, after)
    if (Object.keys(changed).length === 0) acted.unchanged++
    else written.push({ contact, fields: after, changed })
  }
  if (written.length > 0) await writeChanged(tx, orgId, written)
  return {
    changed: written.length + restored.changed + deleted.changed + removed,
    unchanged: acted.unchanged + restored.unchanged + having('delete').length - deleted.changed + taskIds.length - removed,
    failures: [...acted.failures, ...restored.failures],
    reversals: [],
  }
}

const live = async (tx: Context, orgId: string, ids: readonly string[]) =>
  (await tx.db.query(lockContacts, [orgId, ids])).filter(({ deletedAt }) => deletedAt === null)

type Reversible = Pick<Contact, 'tags' | 'ownerUserId' | 'lifecycleStage' | 'doNotCall'>

/** The former values of the fields that nobody has changed since. */
function formerValues(now: Reversible, { owner, stage, doNotCall }: Reversal): Changes['fields'] {
  return {
    ...(owner && owner.from === now.ownerUserId && { ownerUserId: owner.to }),
    ...(stage && stage.from === now.lifecycleStage && { lifecycleStage: stage.to }),
    ...(doNotCall && doNotCall.from === now.doNotCall && { doNotCall: doNotCall.to }),
  }
}

function reversalOf(before: Contact, after: Reversible): Reversal {
  const added = after.tags.filter(tag => !before.tags.includes(tag))
  const removed = before.tags.filter(tag => !after.tags.includes(tag))
  return {
    ...{ addTags: removed, removeTags: added },
    ...(before.ownerUserId !== after.ownerUserId && { owner: { from: after.ownerUserId, to: before.ownerUserId } }),
    ...(before.lifecycleStage !== after.lifecycleStage && { stage: { from: after.lifecycleStage, to: before.lifecycleStage } }),
    ...(before.doNotCall !== after.doNotCall && { doNotCall: { from: after.doNotCall, to: before.doNotCall } }),
  }
}

/** The value; undefined, with the reason among the failures, where the rules refuse it. */
function attempt<Value>({ id }: Contact, make: () => Value, { failures }: Acted): Value | undefined {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    failures.push(failureOf(id, error))
  }
}

const failureOf = (contactId: string, { code, message }: AppError, otherId: string | null = null): BulkFailure => ({
  contactId,
  code,
  message,
  otherId,
})
