// GraphQL: what events of contacts tell in timelines.

import { builder } from '../../graphql/schema/builder.ts'
import { entryOf, type TimelineRow } from '../../graphql/schema/entry.graphql.ts'
import { eventChanges, FieldChangeType } from '../../graphql/schema/event.graphql.ts'
import type { Context } from '../../kernel/context.ts'
import { load } from '../../kernel/dataloaders.ts'
import { changesWithin, textOf } from '../../kernel/events/told.ts'
import { isId } from '../../kernel/ids.ts'
import { ContactType } from './contact.graphql.ts'
import { loadContacts } from './contact.ts'
import { contactEvents, type ListedContact } from './row.ts'

const otherOf = (context: Context, id: string | null): Promise<ListedContact | null> | null =>
  id !== null && isId(id) ? load(context, loadContacts, id) : null

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

const mergeEntry = (name: string, description: string) =>
  builder.objectRef<TimelineRow>(name).implement({
    description,
    fields: t => ({
      otherId: t.id({ nullable: true, description: 'The other contact.', resolve: entry => textOf(entry, 'loserId') }),
      other: t.field({
        type: ContactType,
        nullable: true,
        description: 'The other contact, deleted or not; null for one that is gone.',
        resolve: (entry, _args, context) => otherOf(context, textOf(entry, 'loserId')),
      }),
      mergeId: t.id({ nullable: true, description: 'The merge, for undoing it.', resolve: entry => textOf(entry, 'mergeId') }),
      changes: t.field({
        type: [FieldChangeType],
        description: 'The fields of this contact that got other values.',
        resolve: entry => changesWithin(entry, 'fields'),
      }),
    }),
  })

entryOf([contactEvents.merged], mergeEntry('ContactMergedEntry', 'Another contact was merged into this one.'))
entryOf([contactEvents.unmerged], mergeEntry('ContactUnmergedEntry', 'A merge was undone: the other contact is back.'))

entryOf(
  [contactEvents.duplicate_dismissed],
  builder.objectRef<TimelineRow>('DuplicateDismissedEntry').implement({
    description: 'Somebody said that another contact is not the same person.',
    fields: t => ({
      otherId: t.id({ nullable: true, description: 'The other contact.', resolve: entry => textOf(entry, 'otherId') }),
      other: t.field({
        type: ContactType,
        nullable: true,
        description: 'The other contact, deleted or not; null for one that is gone.',
        resolve: (entry, _args, context) => otherOf(context, textOf(entry, 'otherId')),
      }),
    }),
  }),
)
