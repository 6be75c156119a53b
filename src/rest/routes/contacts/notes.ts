// The endpoints of notes.

import { z } from 'zod'
import {
  AddNoteDocument,
  CreateNoteDocument,
  DeleteNoteDocument,
  GetNoteDocument,
  ListCompanyNotesDocument,
  ListContactNotesDocument,
  ListDealNotesDocument,
  UpdateNoteDocument,
} from '../../../generated/operations.ts'
import { derivedRoute } from '../../router/derived.ts'
import { developers, type Route, route } from '../../router/route.ts'
import { pageOf, total } from '../inputs.ts'
import { companyExamples } from './company-examples.ts'
import { dealExamples } from './deal-examples.ts'
import { contactExamples as examples } from './examples.ts'
import { pageWith, recordIds } from './records.ts'

const crm = '/api/crm/v1'
const contact = `${crm}/contacts/{contact_id}` as const
const notes = `${crm}/notes` as const
const note = `${notes}/{note_id}` as const
const described = { pinned: 'Whether it stands before the others.' }
const aNote = { role: 'api', tag: 'Notes', callers: developers } as const
const aList = {
  ...aNote,
  description: 'Pinned ones first, then the newest.',
  scope: 'contacts:read',
  query: z.strictObject({ ...pageOf, include: total }),
} as const
const { id: companyId } = companyExamples.company
const ofCompany = { ...examples.note, contact_id: null, company_id: companyId }
const ofDeal = { ...examples.note, contact_id: null, deal_id: dealExamples.deal.id }

export const noteRoutes: readonly Route[] = [
  route('GET', `${contact}/notes`, ListContactNotesDocument, {
    ...aList,
    summary: "List a contact's notes",
    examples: { answer: examples.notePage },
  }),
  route('GET', `${crm}/companies/{company_id}/notes`, ListCompanyNotesDocument, {
    ...aList,
    summary: "List a company's notes",
    examples: { answer: pageWith(ofCompany) },
  }),
  route('GET', `${crm}/deals/{deal_id}/notes`, ListDealNotesDocument, {
    ...aList,
    summary: "List a deal's notes",
    examples: { answer: pageWith(ofDeal) },
  }),
  derivedRoute('POST', notes, AddNoteDocument, {
    ...aNote,
    summary: 'Add a note to a record',
    description:
      'Send one of `contact_id`, `company_id` and `deal_id`. It appears in the timeline as `contact.noted`, `company.noted` or `deal.noted`.',
    scope: 'contacts:write',
    takes: { name: 'NewNoteOfRecord', neverNull: ['pinned', ...recordIds], described },
    status: 201,
    location: `${notes}/{id}`,
    examples: { body: { company_id: companyId, ...examples.newNote }, answer: ofCompany },
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
    description: 'By its id, also where its record is deleted.',
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
