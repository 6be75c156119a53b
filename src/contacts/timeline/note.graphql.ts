// GraphQL: the mutation that adds a note.

import { builder } from '../../graphql/schema/builder.ts'
import { ContactType } from '../contact/contact.graphql.ts'
import { logNote } from '../notes/note.ts'

const LogNoteInput = builder.inputType('LogNoteInput', {
  description: 'A note on a contact.',
  fields: t => ({
    contactId: t.id({ required: true, description: "The contact's id." }),
    text: t.string({ required: true, description: 'What is to be remembered, at most 10,000 characters.' }),
  }),
})

builder.mutationField('logNote', t =>
  t.field({
    type: ContactType,
    description: 'Puts a note into the timeline of a contact, as the event `contact.noted`.',
    authScopes: { scope: 'contacts:write' },
    effect: {},
    args: { input: t.arg({ type: LogNoteInput, required: true, description: 'The note.' }) },
    resolve: (_parent, { input }, context) => logNote(context, input),
  }),
)
