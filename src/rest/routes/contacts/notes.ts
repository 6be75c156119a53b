// The endpoints of notes.

import { z } from 'zod'
import {
  CreateNoteDocument,
  DeleteNoteDocument,
  GetNoteDocument,
  ListContactNotesDocument,
  UpdateNoteDocument,
} from '../../../generated/operations.ts'
import { derivedRoute } from '../../router/derived.ts'
import { developers, type Route, route } from '../../router/route.ts'
import { pageOf, total } from '../inputs.ts'
import { contactExamples as examples } from './examples.ts'

const contact = '/api/crm/v1/contacts/{contact_id}'
const notes = '/api/crm/v1/notes'
const note = `${notes}/{note_id}` as const
const described = { pinned: 'Whether it stands before the others.' }
const aNote = { role: 'api', tag: 'Notes', callers: developers } as const

export const noteRoutes: readonly Route[] = [
  route('GET', `${contact}/notes`, ListContactNotesDocument, {
    ...aNote,
    summary: "List a contact's notes",
    description: 'Pinned ones first, then the newest.',
    scope: 'contacts:read',
    query: z.strictObject({ ...pageOf, include: total }),
    examples: { answer: examples.notePage },
  }),
  derivedRoute('POST', `${contact}/notes`, CreateNoteDocument, {
    ...aNote,
    summary: 'Add a note to a contact',
    description: 'It appears in the timeline as `contact.noted`.',
    scope: 'contacts:write',
    takes: { name: 'NewNote', neverNull: ['pinned'], described },
    status: 201,
    location: `${notes}/{id}`,
    examples: { body: examples.newNote, answer: examples.note },
  }),
  route('GET', note, GetNoteDocument, {
    ...aNote,
    summary: 'Get a note',
    description: 'By its id, also where its contact is deleted.',
    scope: 'contacts:read',
    etag: true,
    examples: { answer: examples.note },
  }),
  derivedRoute('PATCH', note, UpdateNoteDocument, {
    ...aNote,
    summary: 'Change, pin or unpin a note',
    description: 'A field that is absent stays as it is.',
    scope: 'contacts:write',
    takes: { name: 'NoteChange', neverNull: ['text', 'pinned'], described },
    ifMatch: true,
    etag: true,
    examples: { body: examples.noteChange, answer: examples.changedNote },
  }),
  route('DELETE', note, DeleteNoteDocument, {
    ...aNote,
    summary: 'Delete a note',
    description: 'For good; the answer is what it was.',
    scope: 'contacts:write',
    ifMatch: true,
    etag: true,
    examples: { answer: examples.note },
  }),
]
