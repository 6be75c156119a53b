// GraphQL: the entries of timelines, and a contact's timeline.

import { ActorType } from '../../graphql/schema/actor.graphql.ts'
import { builder, byId, isInternal } from '../../graphql/schema/builder.ts'
import { isTold, TimelineDetails } from '../../graphql/schema/entry.graphql.ts'
import { DoorEnum, eventChanges, eventType } from '../../graphql/schema/event.graphql.ts'
import { connectionOf, isCounted, pageArgs } from '../../graphql/schema/lists/connection.graphql.ts'
import { detailsOf } from '../../kernel/events/field-change.ts'
import { ContactType } from '../contact/contact.graphql.ts'
import { ofContacts, type TimelineEntry } from './timeline.ts'

export const TimelineEntryType = builder.objectRef<TimelineEntry>('TimelineEntry').implement({
  description: 'Something that happened to a contact, a company or a deal.',
  fields: t => ({
    id: t.exposeID('id', { description: "The event's id." }),
    type: t.field(eventType),
    typeName: t.exposeString('type', {
      description: 'Type of the event: `contact.created`, `contact.updated`, `contact.deleted`, `contact.restored`, ...',
      extensions: isInternal,
    }),
    entityId: t.exposeID('entityId', {
      description: 'The id of its subject: the contact, company or deal, or its call, note, task, job or suggestion.',
    }),
    actor: t.expose('actor', { type: ActorType, description: 'The actor.' }),
    door: t.expose('door', { type: DoorEnum, description: 'The way it came in.' }),
    operation: t.exposeString('operation', { description: 'The name of the operation.' }),
    changes: t.field(eventChanges),
    event: t.field({
      type: TimelineDetails,
      nullable: true,
      description: 'Its details, with the fields of its type; null where a newer version of this server has recorded it.',
      resolve: entry => (isTold(entry) ? entry : null),
    }),
    details: t.field({
      type: 'JSONObject',
      nullable: true,
      description: 'Details, such as the text of a note; null for an update, which has `changes`.',
      deprecationReason: 'Its fields depend on the type, and have no types of their own. Read `event`.',
      resolve: detailsOf,
    }),
    recorded: t.expose('changes', {
      type: 'JSONObject',
      nullable: true,
      description: '`{ field: [before, after] }` of an update, properties of `custom` as `custom.<key>`; details of other events.',
      extensions: isInternal,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it happened.' }),
  }),
})

export const TimelineConnection = connectionOf('Timeline', 'a timeline', TimelineEntryType)

builder.objectField(ContactType, 'timeline', t =>
  t.field({
    type: TimelineConnection,
    description:
      'History of the contact, newest first. Needs `contacts:read`; entries of calls need `calls:read`, of jobs and suggestions `enrich:read`.',
    args: pageArgs,
    resolve: (contact, args, context, info) => ofContacts.of(context, contact.id, { ...args, counted: isCounted(info) }),
  }),
)

builder.queryField('contactTimeline', t =>
  t.field({
    type: TimelineConnection,
    description: 'The timeline of a contact that is not deleted, without the contact.',
    authScopes: { scope: 'contacts:read' },
    args: { ...byId, ...pageArgs },
    resolve: (_parent, { id, ...args }, context, info) => ofContacts.byId(context, id, { ...args, counted: isCounted(info) }),
    // Through `contact { timeline }` it takes two statements, one after the other.
    extensions: isInternal,
  }),
)
