// GraphQL: what events of notes tell in timelines.

import { builder } from '../../graphql/schema/builder.ts'
import { entryOf, type TimelineRow } from '../../graphql/schema/entry.graphql.ts'
import { eventChanges } from '../../graphql/schema/event.graphql.ts'
import { load } from '../../kernel/dataloaders.ts'
import { textOf } from '../../kernel/events/told.ts'
import { isId } from '../../kernel/ids.ts'
import { NoteType } from './note.graphql.ts'
import { loadNotes, notedEvents, noteEvents } from './note.ts'

entryOf(
  Object.values(notedEvents),
  builder.objectRef<TimelineRow>('NoteAddedEntry').implement({
    description: 'A note was added.',
    fields: t => ({
      noteId: t.id({ nullable: true, description: 'The note.', resolve: entry => textOf(entry, 'noteId') }),
      note: t.field({
        type: NoteType,
        nullable: true,
        description: 'The note as it is now; null for a deleted one.',
        resolve(entry, _args, context) {
          const id = textOf(entry, 'noteId')
          return id !== null && isId(id) ? load(context, loadNotes, id) : null
        },
      }),
      text: t.string({ nullable: true, description: 'The text that it had.', resolve: entry => textOf(entry, 'text') }),
    }),
  }),
)

entryOf(
  [noteEvents.updated],
  builder.objectRef<TimelineRow>('NoteChangedEntry').implement({
    description: 'A note was changed, pinned or unpinned.',
    fields: t => ({
      noteId: t.exposeID('entityId', { description: 'The note.' }),
      note: t.field({
        type: NoteType,
        nullable: true,
        description: 'The note as it is now; null for a deleted one.',
        resolve: ({ entityId }, _args, context) => load(context, loadNotes, entityId),
      }),
      changes: t.field(eventChanges),
    }),
  }),
)

entryOf(
  [noteEvents.deleted],
  builder.objectRef<TimelineRow>('NoteDeletedEntry').implement({
    description: 'A note was deleted.',
    fields: t => ({ noteId: t.exposeID('entityId', { description: 'The note.' }) }),
  }),
)
