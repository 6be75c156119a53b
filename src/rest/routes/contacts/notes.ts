// The endpoints of notes.

import { z } from 'zod'
import {
  CreateNoteDocument,
  DeleteNoteDocument,
  GetNoteDocument,
  ListContactNotesDocument,
  UpdateNoteDocument,
} from '../../../generated/operations.ts'
import { developers } from '../../router/callers.ts'
import { type Route, route } from '../../router/route.ts'
import { pageOf, total } from '../inputs.ts'
import { contactExamples as examples } from './examples.ts'
import { newNote, noteChange } from './inputs.ts'

const contact = '/api/crm/v1/contacts/{contact_id}'
const notes = '/api/crm/v1/notes'
const note = `${notes}/{note_id}` as const
const aNote = { role: 'api', tag: 'Notes', callers: developers } as const

export const noteRoutes: readonly Route[] = [
  route({
    ...aNote,
    method: 'GET',
    path: `${contact}/notes`,
    operationId: 'listContactNotes',
    summary: "List a contact's notes",
    description: 'Pinned ones first, then the newest.',
    scope: 'contacts:read',
    query: z.strictObject({ ...pageOf, include: total }),
    document: ListContactNotesDocument,
    status: 200,
    examples: { answer: examples.notePage },
  }),
  route({
    ...aNote,
    method: 'POST',
    path: `${contact}/notes`,
    operationId: 'createNote',
    summary: 'Add a note to a contact',
    description: 'It appears in the timeline as `contact.noted`.',
    scope: 'contacts:write',
    body: newNote,
    document: CreateNoteDocument,
    status: 201,
    location: `${notes}/{id}`,
    examples: { body: examples.newNote, answer: examples.note },
  }),
  route({
    ...aNote,
    method: 'GET',
    path: note,
    operationId: 'getNote',
    summary: 'Get a note',
    description: 'By its id, also where its contact is deleted.',
    scope: 'contacts:read',
    document: GetNoteDocument,
    status: 200,
    etag: true,
    examples: { answer: examples.note },
  }),
  route({
    ...aNote,
    method: 'PATCH',
    path: note,
    operationId: 'updateNote',
    summary: 'Change, pin or unpin a note',
    description: 'A field that is absent stays as it is.',
    scope: 'contacts:write',
    body: noteChange,
    ifMatch: true,
    document: UpdateNoteDocument,
    status: 200,
    etag: true,
    examples: { body: examples.noteChange, answer: examples.changedNote },
  }),
  route({
    ...aNote,
    method: 'DELETE',
    path: note,
    operationId: 'deleteNote',
    summary: 'Delete a note',
    description: 'For good; the answer is what it was.',
    scope: 'contacts:write',
    ifMatch: true,
    document: DeleteNoteDocument,
    status: 200,
    etag: true,
    examples: { answer: examples.note },
  }),
]
