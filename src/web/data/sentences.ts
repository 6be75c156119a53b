// The sentence of a failure or a problem. The server's own sentence is shown where the table has none, or where it tells the reason and reads
// as a sentence.

import type { ErrorCode } from '../generated/schema.ts'
import { errorWords } from '../language/en/errors.ts'

// Their sentences from the server tell why, which no code can.
const telling: ReadonlySet<string> = new Set<ErrorCode>([
  'AGENT_NOT_ACTIVE',
  'ALREADY_EXISTS',
  'CONFLICT',
  'FORBIDDEN',
  'INVALID',
  'UPSTREAM',
])
// Identifiers, patterns, code and JSON, ids, and times of computers.
const technical =
  /[a-z\d]_[a-z\d]|[a-z][A-Z]|[A-Z]{2}_[A-Z]|[`{}[\]\\^|<>]|\w\.\w+\(|[\da-f]{8}-[\da-f]{4}-|\d{4}-\d{2}-\d{2}T|\b(?:GraphQL|JSON|UUID|Header|Idempotency|null|undefined)\b/

/** Whether the text is for a person: a sentence without identifiers. */
export const isPlain = (text: string): boolean => text !== '' && !technical.test(text)

export function failureSentence(code: string, message: string): string {
  const known = (errorWords.code as Readonly<Record<string, string>>)[code]
  if (known === undefined) return message
  return telling.has(code) && isPlain(message) ? withFullStop(message) : known
}

export function problemSentence(type: string, message: string, context: Readonly<Record<string, unknown>>): string {
  if (type === 'string_pattern_mismatch' && message.includes('country code')) return errorWords.noNumber
  const say = Object.hasOwn(errorWords.problem, type) ? errorWords.problem[type] : undefined
  if (say) return say(context)
  const own = message.replace(/^Value error, /, '')
  return isPlain(own) ? own.charAt(0).toUpperCase() + own.slice(1) : errorWords.invalidValue
}

export const withFullStop = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)
