// Limits of error bodies: a hundred problems, and 64 kB in all. Callers know what they sent, so repeated input is cut.

/** The most problems in one answer: enough to correct any sensible request at once. */
export const maxProblems = 100
/** The most bytes of all problems of one answer, as JSON. */
export const maxProblemBytes = 48_000

const maxText = 1000
// A longer text is cut; a larger object or list is left out.
const maxObject = 4000
const maxSteps = 20
const maxStep = 100

/** The text, or its beginning with an ellipsis. */
export const cut = (text: string, length = maxText) => (text.length > length ? `${text.slice(0, length)}…` : text)

/** A caller's value, cut for an error body. */
export function boundedInput(input: unknown): unknown {
  if (input === undefined || typeof input === 'function' || typeof input === 'bigint') return null
  if (typeof input === 'string') return cut(input)
  if (input === null || typeof input !== 'object') return input
  return roomLeft(input, maxObject) < 0 ? null : input
}

// About how many characters of `room` the value's JSON leaves; stops once there are none.
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

/** A path into a caller's value, cut: its names are the caller's input too. */
export const boundedPath = <Step extends string | number>(path: readonly Step[]): (Step | string)[] =>
  path.slice(0, maxSteps).map(step => (typeof step === 'string' ? cut(step, maxStep) : step))

/** The parameters of an error, cut. */
export const boundedContext = (context: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(context).map(([name, value]) => [name, boundedInput(value)]))

/** The first items that fit; an item that is too large with its `input` is kept without it. */
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
