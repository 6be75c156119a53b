// What went wrong with a request, in one shape: the code, the sentence, the request's id, and what belongs to the code.

import type { CombinedError } from '@urql/core'
import type { ErrorCode } from '../generated/schema.ts'

/** A problem with one value: where it is below `input`, and what is wrong with it. */
export interface FieldProblem {
  path: string
  message: string
  type: string
}

export interface Failure {
  /** `OFFLINE` where no answer came at all. */
  code: ErrorCode | 'OFFLINE'
  message: string
  requestId: string | null
  problems: FieldProblem[]
  /** ALREADY_EXISTS: the id of the other one, and the field that both share. */
  existingId: string | null
  field: string | null
  /** INSUFFICIENT_CREDITS: what is missing. */
  shortfall: number | null
  /** SUGGESTION_STALE: what stands there now. */
  currentValue: unknown
  /** NOT_FOUND: the contact that this one was merged into. */
  mergedInto: string | null
  /** Seconds to wait before trying again. */
  retryAfter: number | null
}

/** Thrown where an answer has errors and there is no cache to put them into. */
export class Refused extends Error {
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.message)
    this.failure = failure
  }
}

interface WireError {
  message: string
  path?: readonly (string | number)[] | undefined
  extensions?: Record<string, unknown> | undefined
}

/** The failure that decides: the first error of the answer, or the network's. */
export function failureOf(error: CombinedError): Failure {
  const [first] = error.graphQLErrors
  return first ? failureFrom(first) : offline(error.networkError?.message)
}

/** A part of an answer that failed alone, by the path of its field, such as `dashboard.calls`. */
export function failureAt(error: CombinedError | undefined, path: string): Failure | null {
  const found = error?.graphQLErrors.find(one => one.path?.join('.') === path)
  return found ? failureFrom(found) : null
}

/** The failure of anything thrown. */
export function failureOfUnknown(thrown: unknown): Failure {
  if (thrown instanceof Refused) return thrown.failure
  return offline(thrown instanceof Error ? thrown.message : undefined)
}

export function failureFrom({ message, extensions = {} }: WireError): Failure {
  const text = (name: string) => (typeof extensions[name] === 'string' ? extensions[name] : null)
  const number = (name: string) => (typeof extensions[name] === 'number' ? extensions[name] : null)
  return {
    // An error without a code is not of this server's making: a proxy's, or one of a newer version.
    code: (text('code') as ErrorCode | null) ?? 'INTERNAL',
    message,
    requestId: text('requestId'),
    problems: problemsIn(extensions.problems),
    existingId: text('existingId'),
    field: text('field'),
    shortfall: number('shortfall'),
    currentValue: extensions.currentValue,
    mergedInto: text('mergedInto'),
    retryAfter: number('retryAfter'),
  }
}

/** The id of the contact that exists already; null where something else does. */
export const existingContact = ({ field, existingId }: Failure): string | null =>
  field === 'email' || field === 'externalId' ? existingId : null

export const isOffline = ({ code }: Failure): boolean => code === 'OFFLINE'

function offline(cause?: string): Failure {
  const message = navigator.onLine
    ? 'The server did not answer. Try again in a moment.'
    : 'You are offline. What you see is what was read last.'
  return { ...failureFrom({ message, extensions: cause ? { cause } : {} }), code: 'OFFLINE' }
}

function problemsIn(value: unknown): FieldProblem[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((one: unknown) => {
    if (typeof one !== 'object' || one === null || !('message' in one) || typeof one.message !== 'string') return []
    const path = 'path' in one && Array.isArray(one.path) ? one.path.join('.') : ''
    const type = 'type' in one && typeof one.type === 'string' ? one.type : ''
    return [{ path, message: problemSentence(type, one.message), type }]
  })
}

// The server's sentences of these types name patterns and types of values, which say nothing to a person.
const sentences: Readonly<Record<string, string>> = {
  string_pattern_mismatch: 'It is not written as it should be.',
  url_parsing: 'It is not a web address. Write it as https://example.com.',
  url_scheme: 'It is not a web address. Write it as https://example.com.',
}
const noNumber = 'It is not a telephone number. Write it as +14155550123.'

function problemSentence(type: string, message: string): string {
  if (type === 'string_pattern_mismatch' && message.includes('country code')) return noNumber
  const plain = message.replace(/^Value error, /, '').replace(/^(?:String|Input|List) should/, 'It should')
  return sentences[type] ?? plain.charAt(0).toUpperCase() + plain.slice(1)
}
