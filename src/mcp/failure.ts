// Errors of tools: the model reads the code, what happened, and what to do next.

import type { CallToolResult } from '@modelcontextprotocol/server'
import type { GraphQLFormattedError } from 'graphql'
import { type Code, meaningOf } from '../kernel/errors.ts'

/** Advice to a model about an error. For other codes, the meaning of the code. */
const advice: Partial<Record<Code, string>> = {
  FORBIDDEN: 'Do not call it again. Tell the user which scope or role is missing.',
  NOT_FOUND: 'Look the id up with a tool that finds or lists, and call again with that id.',
  CONFLICT: 'Read the record again, then decide.',
  ALREADY_EXISTS: 'Read the one named by existingId, or find it by the field, and change that one.',
  AGENT_NOT_ACTIVE: 'Choose an active agent from list_voice_agents.',
  SUGGESTION_STALE: 'Read the contact and the suggestion again, then decide.',
  INVALID: 'Correct the arguments that the problems name, and call again.',
  IDEMPOTENCY_IN_FLIGHT: 'The first call is still running. Call again after a second, with the same key.',
  IDEMPOTENCY_MISMATCH: 'Use another idempotency key for other arguments.',
  INSUFFICIENT_CREDITS: 'Nothing was done. Tell the user how many credits are missing.',
  PAYLOAD_TOO_LARGE: 'Ask for fewer rows with first, or filter.',
  RATE_LIMITED: 'Wait for retryAfter seconds, then call again.',
  UPSTREAM: 'Read the record to see what happened before calling again.',
  UNAVAILABLE: 'Wait for a second, then call again.',
  INTERNAL: 'Do not call it again. Tell the user the request id.',
}

/** The result for an error that the platform has presented. */
export function failure({ message, extensions }: GraphQLFormattedError): CallToolResult {
  const { code, status: _, requestId, ...extras } = extensions as { code: Code; status: number; requestId: string }
  const error = { code, message, whatToDo: advice[code] ?? meaningOf[code], ...extras, requestId }
  return { isError: true, content: [{ type: 'text', text: JSON.stringify({ error }) }] }
}
