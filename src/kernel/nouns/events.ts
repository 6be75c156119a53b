// Events declare themselves: the rules of a noun say which events they record.

import { declarations } from './declared.ts'

declare const declared: unique symbol
/** The type of a declared event, such as `note.updated`. Only `eventsOf` makes one, so nothing else can be recorded. */
export type EventType<Name extends string = string> = Name & { readonly [declared]: true }

interface Update {
  description: string
  isUpdate: true
}

export interface DeclaredEvent {
  type: EventType
  /** The noun, by its name in events. */
  entity: string
  description: string
  /** Whether its `changes` are `{ field: [before, after] }`. The `changes` of other events are details. */
  isUpdate: boolean
}

const events = declarations<DeclaredEvent>('event')

/** Declares the events of a noun: what each of them tells, by the second half of its type. */
export function eventsOf<Noun extends string, Name extends string>(
  noun: Noun,
  given: Readonly<Record<Name, string | Update>>,
): { readonly [Each in Name]: EventType<`${Noun}.${Each}`> } {
  const types = Object.entries<string | Update>(given).map(([name, told]) => {
    const type = typeNamed(`${noun}.${name}`)
    const { description, isUpdate } = typeof told === 'string' ? { description: told, isUpdate: false } : told
    events.add(type, { type, entity: noun, description, isUpdate })
    return [name, type]
  })
  return Object.fromEntries(types)
}

/** The description of an event whose `changes` are `{ field: [before, after] }`. */
export const update = (description: string): Update => ({ description, isUpdate: true })

// Only `eventsOf` calls it, for what it declares.
const typeNamed = (name: string) => name as EventType

/** All events, in alphabetical order of their types. */
export const allEvents = (): readonly DeclaredEvent[] => [...events.all().values()]

/** Whether the noun has events. */
export const hasEvents = (noun: string): boolean => allEvents().some(({ entity }) => entity === noun)

/** Whether the text is the type of an event. */
export const isDeclared = (type: string): type is EventType => events.all().has(type)

/** The noun that an event of this type is about, by its name in events. */
export const entityOf = (type: EventType): string => type.slice(0, type.indexOf('.'))

/** Whether the `changes` of such an event are `{ field: [before, after] }`. */
export const isUpdate = (type: string): boolean => events.all().get(type)?.isUpdate ?? false

const bulkOperations = declarations<null>('bulk operation')

/**
 * Declares an operation that records more events of a noun than followers can take, and returns its name. A file of 100,000 rows would exceed
 * every follower's queue, so followers receive the progress of the operation instead.
 */
export function bulkOperation(name: string, noun: string): string {
  bulkOperations.add(`${noun} ${name}`, null)
  return name
}

/** The bulk operations, each behind its noun and a blank. */
export const allBulkOperations = (): readonly string[] => [...bulkOperations.all().keys()]
