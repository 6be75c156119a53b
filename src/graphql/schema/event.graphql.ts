// GraphQL: what events and operations tell, the same in timelines, receipts and live updates.

import { type Door, doors } from '../../kernel/door.ts'
import { type FieldChange, fieldChangesOf } from '../../kernel/events/field-change.ts'
import { whenSealed } from '../../kernel/nouns/declared.ts'
import { allEvents, isDeclared } from '../../kernel/nouns/events.ts'
import { builder } from './builder.ts'

/** The name of an event's type in enums. `agent.created` and so on are of voice agents, `agent_run.started` and so on of the gateway's runs. */
const eventTypeName = (type: string): string =>
  type
    .replace(/^agent\./, 'voice_agent.')
    .replace('.', '_')
    .toUpperCase()

interface Told<Type extends string> {
  type: Type
  description: string
}

/** An enumeration of events or nouns. Pothos reads values at once, so they are added when everything is declared. */
export function lateEnum<Type extends string>(name: string, description: string, told: () => readonly Told<Type>[]) {
  const none: Record<string, { value: Type }> = {}
  const ref = builder.enumType(name, { description, values: none })
  whenSealed(() => {
    const values = Object.fromEntries(
      told().map(({ type, description }) => [eventTypeName(type), { value: type, description, pothosOptions: {} }]),
    )
    ref.updateConfig(config => ({ ...config, values }))
  })
  return ref
}

const EventTypeEnum = lateEnum<string>('EventType', 'The type of an event.', () => [
  ...allEvents(),
  { type: 'unknown', description: 'Something that a newer version of this server has recorded, and this one does not know.' },
])

export const DoorEnum = builder.enumType('Door', {
  description: 'The way an operation came in.',
  values: Object.fromEntries(
    Object.entries(doors).map(([door, description]) => [door.toUpperCase(), { value: door as Door, description }]),
  ),
})

export const FieldChangeType = builder.objectRef<FieldChange>('FieldChange').implement({
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
  description: 'The type of the event.',
  // Servers of two versions share a database during an upgrade.
  resolve: ({ type }: { type: string }): string => (isDeclared(type) ? type : 'unknown'),
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
} = { type: [FieldChangeType], description: 'The fields that an update changed; empty for other events.', resolve: fieldChangesOf }
