// Limits of error bodies: a hundred problems, and 64 kB in all. Callers know what they sent, so their input is cut in the answer.

import { cutText } from './cut.ts'

/** The maximum number of problems in one answer: enough to correct any sensible request at once. */
export const maxProblems = 100
/** The maximum size in bytes of all problems of one answer, as JSON. */
export const maxProblemBytes = 48_000

const maxText = 1000
// Longer texts are cut; larger objects and lists are left out.
const maxObject = 4000
const maxSteps = 20
const maxStep = 100

/** The text, or its beginning with an ellipsis. */
export const cut = (text: string, length = maxText) => (text.length > length ? `${cutText(text, length)}…` : text)

/** A value of the caller, cut for an error body. */
export function boundInput(input: unknown): unknown {
  if (input === undefined || typeof input === 'function' || typeof input === 'bigint') return null
  if (typeof input === 'string') return cut(input)
  if (input === null || typeof input !== 'object') return input
  return roomLeft(input, maxObject) < 0 ? null : input
}

// How many of the `room` characters are left after the value's JSON, estimated. Stops at 0.
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

/** A path into a value of the caller, cut: its names are the caller's input too. */
export const boundPath = <Step extends string | number>(path: readonly Step[]): (Step | string)[] =>
  path.slice(0, maxSteps).map(step => (typeof step === 'string' ? cut(step, maxStep) : step))

/** The parameters of an error, cut. */
export const boundContext = (context: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(context).map(([name, value]) => [name, boundInput(value)]))

/** The first items that fit. An item that is too large because of its `input` is kept without it. */
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
