// GraphQL: what events of contacts tell in timelines.

import { builder } from '../../graphql/schema/builder.ts'
import { entryOf, type TimelineRow } from '../../graphql/schema/entry.graphql.ts'
import { eventChanges } from '../../graphql/schema/event.graphql.ts'
import { mergeEntries, otherOf } from '../merge/entries.graphql.ts'
import { ContactType } from './contact.graphql.ts'
import { loadContacts } from './contact.ts'
import { contactEvents } from './row.ts'

const moment = (name: string, description: string) =>
  builder.objectRef<TimelineRow>(name).implement({
    description,
    fields: t => ({ contactId: t.exposeID('entityId', { description: 'The contact.' }) }),
  })

entryOf([contactEvents.created], moment('ContactCreatedEntry', 'The contact was added.'))
entryOf([contactEvents.deleted], moment('ContactDeletedEntry', 'The contact was deleted.'))
entryOf([contactEvents.restored], moment('ContactRestoredEntry', 'The contact was brought back.'))

entryOf(
  [contactEvents.updated],
  builder.objectRef<TimelineRow>('ContactChangedEntry').implement({
    description: 'The contact was changed.',
    fields: t => ({ changes: t.field(eventChanges) }),
  }),
)

const contacts = { type: ContactType, loadRows: loadContacts }
mergeEntries('contact', { name: 'Contact', ...contacts, events: contactEvents })
entryOf(
  [contactEvents.duplicate_dismissed],
  builder.objectRef<TimelineRow>('DuplicateDismissedEntry').implement({
    description: 'Somebody said that another contact is not the same person.',
    fields: otherOf('contact', contacts, 'otherId'),
  }),
)
