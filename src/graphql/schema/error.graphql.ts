// GraphQL: the codes of errors, and the error of a row in operations on many rows.

import { type Code, type RowError, statusOf } from '../../kernel/errors.ts'
import { builder } from './builder.ts'

const meanings: Record<Code, string> = {
  UNAUTHENTICATED: 'No credential came with the request, or one that is wrong, revoked or expired.',
  FORBIDDEN: 'The credential does not allow this, or not in this organization.',
  GUEST_READ_ONLY: 'A guest tried to change something.',
  NOT_FOUND: 'Nothing has this id. What belongs to others looks the same.',
  METHOD_NOT_ALLOWED: 'The address is known, the method is not.',
  CONFLICT: 'It is being changed by others at this moment, or it is not in a state for this, as the message says.',
  ALREADY_EXISTS: 'Something with this unique field exists: `field` names the field, `existingId` the other one.',
  IDEMPOTENCY_IN_FLIGHT: 'The first request with this Idempotency-Key is still running.',
  AGENT_NOT_ACTIVE: 'The voice agent is not active, so it places no calls.',
  SUGGESTION_STALE: 'The record has another value by now than the suggestion was made for: `currentValue`.',
  TARGET_NOT_FOUND: 'No record is the target of the suggestion.',
  PRECONDITION_FAILED: 'The version named is not the current one.',
  PAYLOAD_TOO_LARGE: 'The body is too large.',
  UNSUPPORTED_MEDIA_TYPE: 'The body is not plain `application/json` in UTF-8.',
  INVALID: 'The input did not pass the checks: `problems` has path, type, message and input of each problem.',
  IDEMPOTENCY_MISMATCH: 'The Idempotency-Key was used before, with another request.',
  INSUFFICIENT_CREDITS: 'The account has fewer credits than this costs. Nothing was taken.',
  RATE_LIMITED: 'Too many requests: go on after `retryAfter` seconds.',
  UPSTREAM: 'A service outside refused or did not answer.',
  UNAVAILABLE: 'Something this server needs is away for a moment: retry after `retryAfter` seconds.',
  INTERNAL: 'Our mistake. The log has it under the same request id.',
}

const ErrorCodeEnum = builder.enumType('ErrorCode', {
  description: "The codes of errors, in `extensions.code` of the answer's errors.",
  values: Object.fromEntries((Object.keys(statusOf) as Code[]).map(code => [code, { value: code, description: meanings[code] }])),
})

export const RowErrorType = builder.objectRef<RowError>('RowError').implement({
  description: 'Why a row failed, while others did not.',
  fields: t => ({
    code: t.expose('code', { type: ErrorCodeEnum, description: 'What kind of error.' }),
    message: t.exposeString('message', { description: 'In a sentence.' }),
    problems: t.expose('problems', {
      type: 'JSON',
      nullable: true,
      description: "What is wrong with the row's fields: path, type, message and input of each; null for other codes than INVALID.",
    }),
  }),
})
