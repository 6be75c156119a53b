// Reads the details of a stored event. They are JSON of this server or of an earlier release, so each value is checked when it is read.

interface Told {
  changes: Readonly<Record<string, unknown>>
}

/** A text among the details; null for none. */
export const textOf = ({ changes }: Told, name: string): string | null => textFrom(changes[name])

/** A number among the details; null for none. */
export const numberOf = ({ changes }: Told, name: string): number | null => numberFrom(changes[name])

/** The value that an update gave to a field; undefined where it left the field as it was. */
export function valueAfter({ changes }: Told, field: string): unknown {
  const change = changes[field]
  return Array.isArray(change) && change.length === 2 ? change[1] : undefined
}

export const textFrom = (value: unknown): string | null => (typeof value === 'string' ? value : null)
export const numberFrom = (value: unknown): number | null => (typeof value === 'number' ? value : null)

/** `{ field: [before, after] }` within the details, as an update has it. */
export function changesWithin({ changes }: Told, name: string): { field: string; before: unknown; after: unknown }[] {
  const within = changes[name]
  if (typeof within !== 'object' || within === null) return []
  return Object.entries(within).flatMap(([field, change]) =>
    Array.isArray(change) && change.length === 2 ? [{ field, before: change[0], after: change[1] }] : [],
  )
}
