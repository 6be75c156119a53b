// A failed request in one shape: code, sentence, request id, and the details of the code.

import type { CombinedError } from '@urql/core'
import type { ErrorCode } from '../generated/schema.ts'
import { errorWords } from '../language/en/errors.ts'
import { failureSentence, problemSentence } from './sentences.ts'

/** A problem with one value: its path below `input`, and a sentence. */
export interface FieldProblem {
  path: string
  message: string
  type: string
}

export interface Failure {
  /** `OFFLINE` when no answer arrived. */
  code: ErrorCode | 'OFFLINE'
  message: string
  requestId: string | null
  /** The root field that failed, such as `createContact`; null when the whole request failed. */
  root: string | null
  problems: FieldProblem[]
  /** ALREADY_EXISTS: the id of the existing object, and the field with the same value. */
  existingId: string | null
  field: string | null
  /** INSUFFICIENT_CREDITS: the number of missing credits. */
  shortfall: number | null
  /** SUGGESTION_STALE: the present value of the field. */
  currentValue: unknown
  /** NOT_FOUND: the id of the contact into which this one was merged. */
  mergedInto: string | null
  /** Seconds to wait before trying again. */
  retryAfter: number | null
}

/** Thrown when an answer has errors and there is no cache to hold them. */
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

/** The first error of the answer, or else the network's error. */
export function failureOf(error: CombinedError): Failure {
  const [first] = error.graphQLErrors
  return first ? failureFrom(first) : offline(error.networkError?.message)
}

/** The failure of one field, by its path, such as `dashboard.calls`. The rest of the answer is valid. */
export function failureAt(error: CombinedError | undefined, path: string): Failure | null {
  const found = error?.graphQLErrors.find(one => one.path?.join('.') === path)
  return found ? failureFrom(found) : null
}

/** The failure of a thrown value. */
export function failureOfUnknown(thrown: unknown): Failure {
  if (thrown instanceof Refused) return thrown.failure
  return offline(thrown instanceof Error ? thrown.message : undefined)
}

export function failureFrom({ message, path, extensions = {} }: WireError): Failure {
  const text = (name: string) => (typeof extensions[name] === 'string' ? extensions[name] : null)
  const number = (name: string) => (typeof extensions[name] === 'number' ? extensions[name] : null)
  return {
    // Only a proxy or a newer server sends an error without a code.
    code: (text('code') as ErrorCode | null) ?? 'INTERNAL',
    message: failureSentence(text('code') ?? '', message),
    requestId: text('requestId'),
    root: typeof path?.[0] === 'string' ? path[0] : null,
    problems: problemsIn(extensions.problems),
    existingId: text('existingId'),
    field: text('field'),
    shortfall: number('shortfall'),
    currentValue: extensions.currentValue,
    mergedInto: text('mergedInto'),
    retryAfter: number('retryAfter'),
  }
}

/** The existing contact or company with the same address, domain or external id; null when another object exists. */
export function existingRecord({ field, existingId, root }: Failure): { noun: 'contact' | 'company'; id: string } | null {
  if (existingId === null || field === null || !uniqueFields.has(field)) return null
  return { noun: root?.endsWith('Company') ? 'company' : 'contact', id: existingId }
}

const uniqueFields: ReadonlySet<string> = new Set(['email', 'externalId', 'domain', 'domains'])

export const isOffline = ({ code }: Failure): boolean => code === 'OFFLINE'

function offline(cause?: string): Failure {
  const message = navigator.onLine ? errorWords.noAnswer : errorWords.offline
  return { ...failureFrom({ message, extensions: cause ? { cause } : {} }), code: 'OFFLINE' }
}

function problemsIn(value: unknown): FieldProblem[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((one: unknown) => {
    if (typeof one !== 'object' || one === null || !('message' in one) || typeof one.message !== 'string') return []
    const path = 'path' in one && Array.isArray(one.path) ? one.path.join('.') : ''
    const type = 'type' in one && typeof one.type === 'string' ? one.type : ''
    const context = 'context' in one && typeof one.context === 'object' && one.context !== null ? one.context : {}
    return [{ path, message: problemSentence(type, one.message, context as Record<string, unknown>), type }]
  })
}
