// Notes: free text about a record. Writing one is an event of the record, such as `contact.noted`, in its timeline.

import { isDeepStrictEqual } from 'node:util'
import { type Context, inTransaction, organizationOf } from '../../kernel/context.ts'
import { type Batch, inOrder } from '../../kernel/dataloaders.ts'
import { invalid, notFound } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { type InputOf, namesOf, readFields, type StoredIn } from '../../kernel/fields/table.ts'
import { isId, newId } from '../../kernel/ids.ts'
import { changing, nextVersion } from '../../kernel/input/version.ts'
import { type EventType, eventsOf, update } from '../../kernel/nouns/events.ts'
import { actorOf, createdByColumns } from '../../kernel/principal.ts'
import { companyEvents } from '../companies/row.ts'
import { contactEvents } from '../contact/row.ts'
import { dealEvents } from '../deals/row.ts'
import { lockToHang, timelinesOf } from '../records/hanging/lock.ts'
import { chosenRecord, idsOf, type RecordIds } from '../records/hanging/ref.ts'
import type { RecordNoun } from '../records/nouns.ts'
import { type Mention, mentionsIn } from './mentions.ts'
import { lockNote, type Note, noteAt, noteFields, notesById } from './note.sql.ts'

export const noteEvents = eventsOf('note', {
  deleted: 'A note was deleted.',
  updated: update('A note was changed, pinned or unpinned.'),
})

/** The event of a record that it has a note more. */
export const notedEvents = {
  contact: contactEvents.noted,
  company: companyEvents.noted,
  deal: dealEvents.noted,
} as const satisfies Record<RecordNoun, EventType>

export type NoteInput = InputOf<typeof noteFields>

/** It names one record. */
export interface NewNote extends NoteInput, Partial<RecordIds> {
  text: string
}

export interface NoteChange extends NoteInput {
  id: string
  ifVersion?: number | null
}

/** A note by its id. Throws NOT_FOUND. */
export async function getNote(context: Context, id: string): Promise<Note> {
  const orgId = organizationOf(context)
  const note = isId(id) ? await noteAt(context, orgId, id) : undefined
  if (!note) throw notFound('note', id)
  return note
}

export const loadNotes: Batch<string, Note | null> = async (context, ids) =>
  inOrder(ids, await context.db.query(notesById, [organizationOf(context), ids]), note => note.id)

/** Adds a note. Throws NOT_FOUND for a record that is deleted or unknown. */
export async function createNote(context: Context, { contactId, companyId, dealId, ...input }: NewNote): Promise<Note> {
  const orgId = organizationOf(context)
  const { text = '', pinned = false } = checkNote(input)
  const record = chosenRecord({ contactId, companyId, dealId }, 'a note')
  return context.db.transaction(async db => {
    const tx = inTransaction(context, db)
    const timelines = await lockToHang(tx, orgId, record)
    const now = context.now().toISOString()
    const note: Note = {
      id: newId(),
      orgId,
      ...idsOf(record),
      text,
      pinned,
      mentions: await mentionsIn(tx, orgId, text),
      createdBy: actorOf(context.principal),
      createdAt: now,
      updatedAt: now,
      version: 1,
    }
    const { createdBy, mentions, ...row } = note
    await db.prisma.contactNote.create({ data: { ...row, mentions: mentionRecords(mentions), ...createdByColumns(createdBy) } })
    const changes = { text, noteId: note.id, ...(mentions.length > 0 && { mentions: mentions.map(({ userId }) => userId) }) }
    await recordEvent(tx, { type: notedEvents[record.noun], entityId: record.id, ...timelines, changes })
    return note
  })
}

/** Changes the text or pins the note; writes nothing if both are equal. Throws NOT_FOUND, PRECONDITION_FAILED. */
export async function updateNote(context: Context, { id, ifVersion, pinned, ...input }: NoteChange): Promise<Note> {
  // A null leaves it as it is.
  const fields = checkNote({ ...input, pinned: pinned ?? undefined })
  return changing(context, 'note', lockNote, { id, ifVersion }, async (tx, before) => {
    const after: Note = { ...before, ...fields }
    if (after.text !== before.text) after.mentions = await mentionsIn(tx, before.orgId, after.text, before.mentions)
    const [named, known] = [after, before].map(({ mentions }) => mentions.map(({ userId }) => userId))
    const changes = Object.fromEntries([
      ...namesOf(noteFields)
        .filter(field => after[field] !== before[field])
        .map(field => [field, [before[field], after[field]]]),
      ...(isDeepStrictEqual(named, known) ? [] : [['mentions', [known, named]]]),
    ])
    if (Object.keys(changes).length === 0) return before
    const written = { ...fields, ...nextVersion(context, before) }
    const data = { ...written, mentions: mentionRecords(after.mentions) }
    await tx.db.prisma.contactNote.update({ where: { id: before.id, orgId: before.orgId }, data })
    await recordEvent(tx, { type: noteEvents.updated, entityId: before.id, ...(await timelinesOf(tx, before.orgId, before)), changes })
    return { ...after, ...written }
  })
}

/** Deletes a note permanently. Throws NOT_FOUND, PRECONDITION_FAILED. */
export function deleteNote(context: Context, { id, ifVersion }: { id: string; ifVersion?: number | null }): Promise<Note> {
  return changing(context, 'note', lockNote, { id, ifVersion }, async (tx, note) => {
    await tx.db.prisma.contactNote.delete({ where: { id: note.id, orgId: note.orgId } })
    await recordEvent(tx, { type: noteEvents.deleted, entityId: note.id, ...(await timelinesOf(tx, note.orgId, note)) })
    return note
  })
}

const mentionRecords = (mentions: readonly Mention[]) => mentions.map(({ userId, name }) => ({ userId, name }))

function checkNote(input: NoteInput): Partial<StoredIn<typeof noteFields>> {
  const { fields, problems } = readFields(noteFields, input)
  if (problems.length > 0) throw invalid(problems)
  return fields
}
