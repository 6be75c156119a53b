// How much an error says at most: a hundred problems, and 64 kB with all that stands around them. Callers know what they sent, so it is cut.

/** Problems that one answer names: enough to repair any honest request in one go. */
export const maxProblems = 100
/** Bytes of the problems of one answer, as JSON. */
export const maxProblemBytes = 48_000

const maxText = 1000
// A longer text is cut; a larger object or list is left out.
const maxObject = 4000
const maxSteps = 20
const maxStep = 100

/** The text, or its beginning with an ellipsis. */
export const cut = (text: string, length = maxText) => (text.length > length ? `${text.slice(0, length)}…` : text)

/** A value of a caller's, as an error may repeat it. */
export function boundedInput(input: unknown): unknown {
  if (input === undefined || typeof input === 'function' || typeof input === 'bigint') return null
  if (typeof input === 'string') return cut(input)
  if (input === null || typeof input !== 'object') return input
  return roomLeft(input, maxObject) < 0 ? null : input
}

// Characters of `room` that the value's JSON leaves over, about; looks no further once there are none.
function roomLeft(value: unknown, room: number): number {
  if (typeof value === 'string') return room - value.length - 2
  if (value === null || typeof value !== 'object') return room - 8
  let left = room - 2
  for (const name in value) {
    left = roomLeft(Reflect.get(value, name), left - (Array.isArray(value) ? 1 : name.length + 4))
    if (left < 0) break
  }
  return left
}

/** A path into a caller's value, whose names are the caller's too. */
export const boundedPath = <Step extends string | number>(path: readonly Step[]): (Step | string)[] =>
  path.slice(0, maxSteps).map(step => (typeof step === 'string' ? cut(step, maxStep) : step))

/** What an error explains itself with. */
export const boundedContext = (context: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(context).map(([name, value]) => [name, boundedInput(value)]))

/** The first of the items that fit, without their `input` where only that makes room. */
export function fitting<Item extends { input?: unknown }>(
  items: readonly Item[],
  maxBytes = maxProblemBytes,
  maxItems = maxProblems,
): Item[] {
  const kept: Item[] = []
  let left = maxBytes
  for (const item of items) {
    if (kept.length === maxItems) break
    const size = sizeOf(item)
    const shown = size <= left ? item : { ...item, input: null }
    left -= shown === item ? size : sizeOf(shown)
    if (left < 0) break
    kept.push(shown)
  }
  return kept
}

const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))
