// Ids: UUIDs as text.

import { v7 } from 'uuid'

const form = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const anyCase = new RegExp(`^${form}$`, 'i')
const lowerCase = new RegExp(`^${form}$`)

/** Whether a text is a UUID. Comparing any other text with a uuid column is an error in PostgreSQL. */
export const isId = (text: string): boolean => anyCase.test(text)

/** The id; for a text that is not a UUID, an id that no row has. */
export const comparableId = (text: string): string => (isId(text) ? text : '00000000-0000-0000-0000-000000000000')

/** Whether a text is a UUID in lower case, as ids are printed. */
export const isPrintedId = (text: string): boolean => lowerCase.test(text)

// Random bytes are drawn for 256 ids at a time: a call for each id takes 4 % of a create's server CPU (W3) and 3 % of a single read's (W2).
const randomBytes = new Uint8Array(4096)
let randomBytesUsed = randomBytes.length
let lastMs = 0
let sequence = 0

/** A UUIDv7, greater than all that this process has made before. For rows and requests; secrets need more random bits. */
export function newId(): string {
  if (randomBytesUsed === randomBytes.length) {
    crypto.getRandomValues(randomBytes)
    randomBytesUsed = 0
  }
  const random = randomBytes.subarray(randomBytesUsed, (randomBytesUsed += 16))
  const now = Date.now()
  if (now > lastMs) {
    lastMs = now
    // 31 random bits, so that the ids of one millisecond do not overflow the sequence of 32 bits.
    sequence = new DataView(random.buffer, random.byteOffset).getUint32(0) >>> 1
  } else sequence++
  return v7({ random, msecs: lastMs, seq: sequence })
}
