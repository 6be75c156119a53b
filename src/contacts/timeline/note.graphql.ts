// GraphQL: the mutation that adds a note.

import { builder } from '../../graphql/schema/builder.ts'
import { ContactType } from '../contact/contact.graphql.ts'
import { logNote } from './note.ts'

builder.mutationField('logNote', t =>
  t.field({
    type: ContactType,
    description: 'Puts a note into the timeline of a contact, as the event `contact.noted`.',
    authScopes: { scope: 'contacts:write' },
    args: {
      contactId: t.arg.id({ required: true, description: "The contact's id." }),
      text: t.arg.string({ required: true, description: 'What is to be remembered, at most 10,000 characters.' }),
    },
    resolve: (_parent, args, context) => logNote(context, args),
  }),
)
