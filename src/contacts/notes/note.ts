// Notes: free text about a contact. Writing one is the event `contact.noted` in the contact's timeline.

import { v7 as uuid } from 'uuid'
import { type Context, inTransaction, organizationOf } from '../../kernel/context.ts'
import { type Batch, inOrder } from '../../kernel/dataloaders.ts'
import { invalid, notFound } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { isId } from '../../kernel/ids.ts'
import { text } from '../../kernel/input/fields.ts'
import { at, Invalid, type Problem, problem } from '../../kernel/input/problem.ts'
import { changing, nextVersion } from '../../kernel/input/version.ts'
import { actorOf, createdByColumns } from '../../kernel/principal.ts'
import { getContact, lockContact } from '../contact/contact.ts'
import type { Contact } from '../contact/row.ts'
import { lockNote, type Note, noteAt, notesById } from './note.sql.ts'

export interface NewNote {
  contactId: string
  text: string
  pinned?: boolean | null
}

export interface NoteChange {
  id: string
  text?: string | null
  pinned?: boolean | null
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

/** Adds a note. Throws NOT_FOUND for a contact that is deleted or unknown. */
export async function createNote(context: Context, { contactId, pinned, ...given }: NewNote): Promise<Note> {
  const orgId = organizationOf(context)
  const text = checked(given.text)
  return context.db.transaction(async db => {
    const tx = inTransaction(context, db)
    // Locked, so that no note is added to a contact that is being merged into another.
    if (!isId(contactId) || !(await lockContact(tx, orgId, contactId))) throw notFound('contact', contactId)
    const now = context.now().toISOString()
    const note: Note = {
      id: uuid(),
      orgId,
      contactId: contactId.toLowerCase(),
      text,
      pinned: pinned ?? false,
      createdBy: actorOf(context.principal),
      createdAt: now,
      updatedAt: now,
      version: 1,
    }
    const { createdBy, ...row } = note
    await db.prisma.contactNote.create({ data: { ...row, ...createdByColumns(createdBy) } })
    const changes = { text: note.text, noteId: note.id }
    await recordEvent(tx, { type: 'contact.noted', entityId: note.contactId, contactId: note.contactId, changes })
    return note
  })
}

/** Adds a note, and resolves with its contact. */
export async function logNote(context: Context, input: { contactId: string; text: string }): Promise<Contact> {
  return context.db.transaction(async db => {
    const tx = inTransaction(context, db)
    const { contactId } = await createNote(tx, input)
    return getContact(tx, contactId)
  })
}

/** Changes the text or pins the note; writes nothing if both are equal. Throws NOT_FOUND, PRECONDITION_FAILED. */
export async function updateNote(context: Context, { id, ifVersion, pinned, ...given }: NoteChange): Promise<Note> {
  const text = given.text === undefined ? undefined : checked(given.text)
  return changing(context, 'note', lockNote, { id, ifVersion }, async (tx, before) => {
    const after: Note = { ...before, text: text ?? before.text, pinned: pinned ?? before.pinned }
    const changes = Object.fromEntries(
      (['text', 'pinned'] as const).filter(field => after[field] !== before[field]).map(field => [field, [before[field], after[field]]]),
    )
    if (Object.keys(changes).length === 0) return before
    const written = {
      text: after.text,
      pinned: after.pinned,
      ...nextVersion(context, before),
    }
    await tx.db.prisma.contactNote.update({ where: { id: before.id, orgId: before.orgId }, data: written })
    await recordEvent(tx, { type: 'note.updated', entityId: before.id, contactId: before.contactId, changes })
    return { ...after, ...written }
  })
}

/** Deletes a note permanently. Throws NOT_FOUND, PRECONDITION_FAILED. */
export function deleteNote(context: Context, { id, ifVersion }: { id: string; ifVersion?: number | null }): Promise<Note> {
  return changing(context, 'note', lockNote, { id, ifVersion }, async (tx, note) => {
    await tx.db.prisma.contactNote.delete({ where: { id: note.id, orgId: note.orgId } })
    await recordEvent(tx, { type: 'note.deleted', entityId: note.id, contactId: note.contactId })
    return note
  })
}

const noteText = text(10_000)

function readText(given: string | null): string | Problem[] {
  const read = given === null ? null : noteText(given)
  if (read instanceof Invalid) return at('text', read)
  return read ?? [problem('text', 'string_too_short', given, { min_length: 1 })]
}

/** The problems of an input. An absent text is not a problem. */
export function problemsOfNote({ text }: { text?: string | null }): Problem[] {
  const read = text === undefined ? '' : readText(text)
  return typeof read === 'string' ? [] : read
}

function checked(given: string | null): string {
  const read = readText(given)
  if (typeof read !== 'string') throw invalid(read)
  return read
}
