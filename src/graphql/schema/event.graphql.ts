// GraphQL: what events and operations tell, the same in timelines, receipts and live updates.

import { type Door, doors } from '../../kernel/door.ts'
import { type FieldChange, fieldChangesOf } from '../../kernel/events/field-change.ts'
import { eventTypes } from '../../kernel/events/names.ts'
import { builder } from './builder.ts'

/** The name of an event's type in enums. `agent.created` and so on are of voice agents, `agent_run.started` and so on of the gateway's runs. */
export const eventTypeName = (type: string): string =>
  type
    .replace(/^agent\./, 'voice_agent.')
    .replace('.', '_')
    .toUpperCase()

const types: Record<string, string> = {
  ...eventTypes,
  unknown: 'Something that a newer version of this server has recorded, and this one does not know.',
}

const EventTypeEnum = builder.enumType('EventType', {
  description: 'What happened.',
  values: Object.fromEntries(Object.entries(types).map(([type, description]) => [eventTypeName(type), { value: type, description }])),
})

export const DoorEnum = builder.enumType('Door', {
  description: 'The way an operation came in.',
  values: Object.fromEntries(
    Object.entries(doors).map(([door, description]) => [door.toUpperCase(), { value: door as Door, description }]),
  ),
})

const FieldChangeType = builder.objectRef<FieldChange>('FieldChange').implement({
  description: 'A field that an update changed.',
  fields: t => ({
    field: t.exposeString('field', { description: 'Its name; of a property of `custom`, `custom.<key>`.' }),
    before: t.expose('before', { type: 'JSON', nullable: true, description: 'The value that it had; of an enum, its word in lower case.' }),
    after: t.expose('after', { type: 'JSON', nullable: true, description: 'The value that it has, likewise.' }),
  }),
})

/** The field `type` of an event. */
export const eventType = {
  type: EventTypeEnum,
  description: 'What happened.',
  // Servers of two versions share a database during an upgrade.
  resolve: ({ type }: { type: string }): string => (Object.hasOwn(eventTypes, type) ? type : 'unknown'),
}

/** The field `position` of a change, and the argument that takes it. */
export const position = {
  type: 'String' as const,
  description: 'Give it as `after` to go on behind this change, on any subscription.',
  resolve: ({ position }: { position: string }): string => position,
}
export const afterArgument = { description: 'The position of the last change received. Default: from now on.' }

/** The field `changes` of an event. */
export const eventChanges: {
  type: [typeof FieldChangeType]
  description: string
  resolve: typeof fieldChangesOf
} = { type: [FieldChangeType], description: 'What an update changed; empty for others.', resolve: fieldChangesOf }
