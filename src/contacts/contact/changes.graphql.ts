// GraphQL: the subscription to changes of contacts.

import { builder } from '../../graphql/schema/builder.ts'
import { afterArgument, eventChanges, eventType, position } from '../../graphql/schema/event.graphql.ts'
import type { Positioned } from '../../kernel/events/follow.ts'
import { type ContactChange, contactOf, followContacts } from './changes.ts'
import { ContactType } from './contact.graphql.ts'

const ContactChangeType = builder.objectRef<Positioned<ContactChange>>('ContactChange').implement({
  description: 'Something that happened to a contact.',
  fields: t => ({
    id: t.exposeID('id', { description: "The event's id." }),
    position: t.field(position),
    type: t.field(eventType),
    contact: t.field({
      type: ContactType,
      nullable: true,
      description: 'The contact as it is now, which may be newer than the change; null when it is gone for good.',
      resolve: (change, _args, context) => contactOf(context, change),
    }),
    changes: t.field(eventChanges),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it happened.' }),
  }),
})

builder.subscriptionField('contactChanged', t =>
  t.field({
    type: ContactChangeType,
    description: "Every change of the organization's contacts from now on, in the order they were committed, over server-sent events.",
    authScopes: { scope: 'contacts:read' },
    args: { contactId: t.arg.id({ description: 'Only changes of this contact.' }), after: t.arg.string(afterArgument) },
    subscribe: (_root, args, context) => followContacts(context, args),
    resolve: change => change,
  }),
)
