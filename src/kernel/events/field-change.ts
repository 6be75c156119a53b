// The fields that an update changed, as its event has them.

import { isUpdate } from '../nouns/events.ts'

export interface FieldChange {
  field: string
  before: unknown
  after: unknown
}

/** An event's type and `changes`, as they are stored. */
interface Recorded {
  type: string
  changes: Readonly<Record<string, unknown>>
}

/** The fields that an update changed. Empty for other events. */
export function fieldChangesOf(event: Recorded | null): FieldChange[] {
  if (!event || !isUpdate(event.type)) return []
  return Object.entries(event.changes).flatMap(([field, change]) => {
    if (!Array.isArray(change) || change.length !== 2) return []
    const [before, after] = change
    return [{ field, before, after }]
  })
}

/** Details of an event. Null for an update, which has `fieldChangesOf`. */
export const detailsOf = ({ type, changes }: Recorded): Readonly<Record<string, unknown>> | null => (isUpdate(type) ? null : changes)
