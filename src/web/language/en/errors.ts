// Sentences for failures, by their code, and for problems with a value, by their type. The server's own sentences are for developers.

import type { ErrorCode } from '../../generated/schema.ts'
import { room } from '../language.ts'

const characters = (count: number) => (count === 1 ? '1 character' : `${count} characters`)

export const errorWords = room('errors', {
  code: {
    ACCESS_DENIED: 'Access was refused.',
    AGENT_NOT_ACTIVE: 'This voice agent is not active, so it cannot make calls. Resume it first.',
    ALREADY_EXISTS: 'Another one with the same value exists already.',
    AUTHORIZATION_PENDING: 'The sign-in is still waiting for your answer.',
    CONFLICT: 'This is not possible now. Somebody may have changed it in the meantime: look again, then try again.',
    EXPIRED_TOKEN: 'This took too long. Start again.',
    FORBIDDEN: 'You do not have permission for this. Ask an admin of your organization.',
    GUEST_READ_ONLY: 'Guests can look at everything and change nothing. Sign up to make changes.',
    IDEMPOTENCY_IN_FLIGHT: 'This is already being done. Wait a moment.',
    IDEMPOTENCY_MISMATCH: 'This was already sent with other values. Reload the page and try again.',
    INSUFFICIENT_CREDITS: 'There are not enough credits for this.',
    INTERNAL: 'Something went wrong on our side. Try again in a moment.',
    INVALID: 'Something in this form needs another value.',
    INVALID_GRANT: 'This sign-in is over. Start again.',
    METHOD_NOT_ALLOWED: 'This page and the server do not fit together. Reload the page.',
    NOT_FOUND: 'This was not found. It may have been deleted, or belong to another organization.',
    PAYLOAD_TOO_LARGE: 'This is too large. Send less at once.',
    PERSISTED_QUERY_NOT_SUPPORTED: 'This page and the server do not fit together. Reload the page.',
    PRECONDITION_FAILED: 'Somebody has changed this in the meantime. Look at the new version, then try again.',
    RATE_LIMITED: 'That was too much at once. Wait a moment, then try again.',
    SLOW_DOWN: 'That was too much at once. Wait a moment, then try again.',
    SUGGESTION_STALE: 'The value has changed since this suggestion was made. Look again, then decide.',
    TARGET_NOT_FOUND: 'There is no contact that could take this value.',
    UNAUTHENTICATED: 'Your sign-in has ended. Sign in again.',
    UNAVAILABLE: 'The server is busy for a moment. Try again soon.',
    UNSUPPORTED_MEDIA_TYPE: 'This kind of file or text cannot be read.',
    UPSTREAM: 'A connected service did not do what it should. Try again later.',
  } satisfies Record<ErrorCode, string>,
  noAnswer: 'The server did not answer. Try again in a moment.',
  offline: 'You are offline. You see the data from before.',
  // By the type of the problem. The server's problems have the parameters.
  problem: {
    missing: () => 'This is required.',
    string_too_short: ({ min_length = 1 }) =>
      min_length === 1 ? 'This is required.' : `Enter at least ${characters(Number(min_length))}.`,
    string_too_long: ({ max_length }) => `Enter at most ${characters(Number(max_length))}.`,
    string_pattern_mismatch: () => 'It does not have the expected form.',
    bool_type: () => 'Choose yes or no.',
    int_type: () => 'Enter a whole number.',
    int_from_float: () => 'Enter a whole number.',
    float_type: () => 'Enter a number.',
    finite_number: () => 'Enter a number.',
    decimal_max_places: ({ decimal_places }) => `Enter at most ${decimal_places} decimal places.`,
    greater_than: ({ gt }) => `Enter a number above ${gt}.`,
    greater_than_equal: ({ ge }) => `Enter ${ge} or more.`,
    less_than: ({ lt }) => `Enter a number below ${lt}.`,
    less_than_equal: ({ le }) => `Enter ${le} or less.`,
    too_short: ({ min_length }) => `Choose at least ${min_length}.`,
    too_long: ({ max_length }) => `Choose at most ${max_length}.`,
    enum: () => 'Choose one of the offered values.',
    literal_error: () => 'Choose one of the offered values.',
    url_type: () => 'It is not a web address. Write it as https://example.com.',
    url_parsing: () => 'It is not a web address. Write it as https://example.com.',
    url_scheme: () => 'It is not a web address. Write it as https://example.com.',
    uuid_parsing: () => 'This does not exist any more.',
    date_parsing: () => 'Enter a date.',
    datetime_parsing: () => 'Enter a date and a time.',
    datetime_future: () => 'Choose a time in the future.',
    extra_forbidden: () => 'This page and the server do not fit together. Reload the page.',
  } satisfies Record<string, (context: Readonly<Record<string, unknown>>) => string> as Readonly<
    Record<string, (context: Readonly<Record<string, unknown>>) => string>
  >,
  noNumber: 'It is not a telephone number. Write it as +14155550123.',
  invalidValue: 'This value is not possible here.',
  copyDetails: 'Copy details for support',
  copied: 'Details copied',
  retry: 'Try again',
  retryIn: (seconds: number) => `Try again in ${seconds} s`,
})
