// Bulk changes of contacts.

import type { Context } from '../../../kernel/context.ts'
import { eventRecord } from '../../../kernel/events/event.sql.ts'
import { announce, eventRow } from '../../../kernel/events/events.ts'
import { storedJson } from '../../../kernel/input/storable.ts'
import { apply, differences } from '../../contact/apply.ts'
import { writeChanged } from '../../contact/batch/existing.ts'
import { type Changes, readContact } from '../../contact/input.ts'
import { type Contact, type ContactFields, contactEvents } from '../../contact/row.ts'
import { takenError } from '../../contact/steps.ts'
import { mergedConflict } from '../../merge/merged.ts'
import { addTasks, type TaskInBulk } from '../../tasks/in-bulk.ts'
import { actsOf } from '../act.ts'
import { type Acted, type Hindrance, nothing, type RecordsInBulk } from '../records.ts'
import { hindrances, lockContacts, markContacts } from './contacts.sql.ts'

const contacts: RecordsInBulk<Contact, ContactFields, Changes> = {
  noun: 'contact',
  reversedAs: { ownerUserId: 'owner', lifecycleStage: 'stage', doNotCall: 'doNotCall' },
  offers: 'an owner, a lifecycleStage, or doNotCall',
  read: readContact,
  lock: (tx, orgId, ids) => tx.db.query(lockContacts, [orgId, ids]),
  apply,
  differences,
  write: (tx, orgId, written) =>
    writeChanged(
      tx,
      orgId,
      written.map(({ record: contact, ...change }) => ({ contact, ...change })),
    ),
  async mark(tx, orgId, records, deletedAt) {
    const type = deletedAt === null ? contactEvents.restored : contactEvents.deleted
    const events = records.map(({ id }) => eventRecord(eventRow(tx, { type, entityId: id, contactId: id, orgId })))
    const ids = records.map(({ id }) => id)
    await tx.db.query(markContacts, [orgId, tx.now().toISOString(), ids, storedJson(events), deletedAt])
    await announce(tx)
  },
  /** One that was merged, as `restoreContact` refuses it, and one whose address is taken: by a live contact, or by an older one of the batch. */
  async hindrances(tx, orgId, records) {
    const found = await tx.db.query(hindrances, [orgId, records.map(({ id }) => id)])
    return new Map(
      found.flatMap(({ id, intoId, takenBy }): [string, Hindrance][] => {
        if (intoId !== null) return [[id, { error: mergedConflict(intoId), otherId: intoId }]]
        return takenBy === null ? [] : [[id, { error: takenError(undefined), otherId: takenBy }]]
      }),
    )
  },
}
export const contactActs = actsOf(contacts)

/** Adds a task to each of the live ones among the contacts. */
export async function addTaskBatch(tx: Context, orgId: string, ids: readonly string[], fields: TaskInBulk): Promise<Acted> {
  const locked = await contacts.lock(tx, orgId, ids)
  const live = locked.filter(({ deletedAt }) => deletedAt === null).map(({ id }) => id)
  const tasks = await addTasks(tx, orgId, live, fields)
  const reversals = tasks.map(({ id, contactId }) => ({ contact_id: contactId, reversal: { taskId: id } }))
  return { ...nothing(), changed: tasks.length, reversals }
}
