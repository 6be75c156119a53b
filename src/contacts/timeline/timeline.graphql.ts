// GraphQL: a contact's timeline.

import { ActorType } from '../../graphql/schema/actor.graphql.ts'
import { builder } from '../../graphql/schema/builder.ts'
import { connectionOf, isCounted, pageArgs } from '../../graphql/schema/connection.graphql.ts'
import { DoorEnum } from '../../graphql/schema/door.graphql.ts'
import { ContactType } from '../contact/contact.graphql.ts'
import { contactTimeline, type TimelineEntry } from './timeline.ts'

const TimelineEntryType = builder.objectRef<TimelineEntry>('TimelineEntry').implement({
  description: 'Something that happened to a contact.',
  fields: t => ({
    id: t.exposeID('id', { description: "The event's id." }),
    type: t.exposeString('type', {
      description: 'What happened: `contact.created`, `contact.updated`, `contact.deleted`, `contact.restored`, ...',
    }),
    actor: t.expose('actor', { type: ActorType, description: 'Who did it.' }),
    door: t.expose('door', { type: DoorEnum, description: 'The way it came in.' }),
    operation: t.exposeString('operation', { description: 'The name of the operation.' }),
    changes: t.expose('changes', {
      type: 'JSONObject',
      nullable: true,
      description: '`{ field: [before, after] }` of an update, properties of `custom` as `custom.<key>`; details of other events.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it happened.' }),
  }),
})

const TimelineConnection = connectionOf('Timeline', 'a timeline', TimelineEntryType)

builder.objectField(ContactType, 'timeline', t =>
  t.field({
    type: TimelineConnection,
    description:
      'What happened to the contact, newest first. Needs `contacts:read`; of calls it tells those who may `calls:read`, of jobs and suggestions those who may `enrich:read`.',
    args: pageArgs,
    resolve: (contact, args, context, info) => contactTimeline(context, contact.id, { ...args, counted: isCounted(info) }),
  }),
)
