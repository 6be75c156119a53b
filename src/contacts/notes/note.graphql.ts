// GraphQL: notes, the lists of notes of records, and the mutations that write them.

import { ActorType } from '../../graphql/schema/actor.graphql.ts'
import { builder, byId, checkWith } from '../../graphql/schema/builder.ts'
import { inputFields, outputFields } from '../../graphql/schema/fields.graphql.ts'
import { connectionOf, isCounted, pageArgs } from '../../graphql/schema/lists/connection.graphql.ts'
import { Node } from '../../graphql/schema/node.graphql.ts'
import { noun } from '../../graphql/schema/noun.graphql.ts'
import { UserType } from '../../identity/users/user.graphql.ts'
import { userById } from '../../identity/users/user.ts'
import { readFields } from '../../kernel/fields/table.ts'
import { ContactType } from '../contact/contact.graphql.ts'
import { getContact } from '../contact/contact.ts'
import { fieldOfRecords, recordRefInputs, recordRefOutputs } from '../records/hanging/hanging.graphql.ts'
import { searchNotes } from '../search/notes.ts'
import { notesOf } from './list.ts'
import type { Mention } from './mentions.ts'
import { type Note, noteFields } from './note.sql.ts'
import { createNote, deleteNote, getNote, loadNotes, type NoteInput, updateNote } from './note.ts'

const NoteMentionType = builder.objectRef<Mention>('NoteMention').implement({
  description: 'A member whom a note mentions. They find it in their inbox.',
  fields: t => ({
    userId: t.exposeID('userId', { description: "The member's id." }),
    name: t.exposeString('name', { description: 'The name as the text has it, behind `@`.' }),
    user: t.field({
      type: UserType,
      nullable: true,
      description: 'The member; null for one who has left.',
      resolve: ({ userId }, _args, context) => userById(context, userId),
    }),
  }),
})

export const NoteType = builder.objectRef<Note>('Note').implement({
  description: 'A note about a contact, a company or a deal.',
  interfaces: [Node],
  fields: t => ({
    id: t.exposeID('id', { description: 'Its id.' }),
    ...recordRefOutputs(t, 'it is about'),
    ...outputFields(t, noteFields),
    mentions: t.expose('mentions', {
      type: [NoteMentionType],
      description: 'The members whom the text names: `@` and the name, the first name where only one has it, or the address.',
    }),
    createdBy: t.expose('createdBy', { type: ActorType, description: 'Its author.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was written.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last changed.' }),
    version: t.exposeInt('version', { description: 'Counts the changes, from 1. A change can name the version it is meant for.' }),
  }),
})

const NoteConnection = connectionOf('Note', 'notes', NoteType)

fieldOfRecords('notes', (t, noun, refOf) =>
  t.field({
    type: NoteConnection,
    description: `Notes about the ${noun}: pinned notes first, then the newest. Needs \`contacts:read\`.`,
    args: pageArgs,
    resolve: (record, args, context, info) => notesOf(context, refOf(record), { ...args, counted: isCounted(info) }),
  }),
)

builder.queryField('note', t =>
  t.field({
    type: NoteType,
    nullable: true,
    description: 'A note; null with NOT_FOUND for one that does not exist.',
    authScopes: { scope: 'contacts:read' },
    args: byId,
    resolve: (_parent, { id }, context) => getNote(context, id),
  }),
)

const CreateNoteInput = builder.inputType('CreateNoteInput', {
  description: 'A note to add. It names one record.',
  fields: t => ({
    ...recordRefInputs(t, noun => `The ${noun} that it is about.`),
    ...inputFields(t, noteFields, 'text'),
    pinned: t.boolean({ description: 'Whether it stands before the others. Default: false.' }),
  }),
})

const UpdateNoteInput = builder.inputType('UpdateNoteInput', {
  description: 'Changes of a note: an absent field stays as it is.',
  fields: t => ({
    id: t.id({ required: true, description: "The note's id." }),
    ...inputFields(t, noteFields),
    ifVersion: t.int({ description: 'Changes this version only; PRECONDITION_FAILED for another.' }),
  }),
})

const LogNoteInput = builder.inputType('LogNoteInput', {
  description: 'A note on a contact.',
  fields: t => {
    const { text } = inputFields(t, noteFields, 'text')
    return { contactId: t.id({ required: true, description: "The contact's id." }), text }
  },
})

const DeleteNoteInput = builder.inputType('DeleteNoteInput', {
  description: 'A note to delete.',
  fields: t => ({
    id: t.id({ required: true, description: "The note's id." }),
    ifVersion: t.int({ description: 'Deletes this version only; PRECONDITION_FAILED for another.' }),
  }),
})

const checksNote = checkWith(({ input = {} }: { input?: NoteInput }) => readFields(noteFields, input).problems)

builder.mutationFields(t => ({
  createNote: t.field({
    type: NoteType,
    description: 'Adds a note to a record. It appears in the timeline as `contact.noted`, `company.noted` or `deal.noted`.',
    authScopes: { scope: 'contacts:write' },
    effect: { undoneBy: 'deleteNote' },
    extensions: checksNote,
    args: { input: t.arg({ type: CreateNoteInput, required: true, description: 'The note.' }) },
    resolve: (_parent, { input }, context) => createNote(context, input),
  }),
  logNote: t.field({
    type: ContactType,
    description: 'Puts a note into the timeline of a contact, as the event `contact.noted`.',
    authScopes: { scope: 'contacts:write' },
    effect: {},
    args: { input: t.arg({ type: LogNoteInput, required: true, description: 'The note.' }) },
    resolve: async (_parent, { input }, context) => {
      await createNote(context, input)
      return getContact(context, input.contactId, { evenDeleted: true })
    },
  }),
  updateNote: t.field({
    type: NoteType,
    description: 'Changes, pins or unpins a note.',
    authScopes: { scope: 'contacts:write' },
    effect: { overwrites: true, undoneBy: 'updateNote with the former text', isIdempotent: true },
    extensions: checksNote,
    args: { input: t.arg({ type: UpdateNoteInput, required: true, description: 'The changes.' }) },
    resolve: (_parent, { input }, context) => updateNote(context, input),
  }),
  deleteNote: t.field({
    type: NoteType,
    description: 'Deletes a note for good, and answers it.',
    authScopes: { scope: 'contacts:write' },
    effect: { overwrites: true },
    args: { input: t.arg({ type: DeleteNoteInput, required: true, description: 'The note.' }) },
    resolve: (_parent, { input }, context) => deleteNote(context, input),
  }),
}))

noun('note', NoteType, {
  scope: 'contacts:read',
  load: loadNotes,
  isInTimelines: true,
  search: { description: 'Notes, by their text', find: searchNotes },
  rank: 2,
})
