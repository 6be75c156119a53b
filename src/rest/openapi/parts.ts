// Components that operations of the OpenAPI document share: security schemes, headers, parameters, errors.

import type { JsonSchema } from '../../graphql/execute/json-schema.ts'
import type { CredentialKind } from '../../identity/authentication/authenticate.ts'
import { type Code, statusOf } from '../../kernel/errors.ts'
import { idempotencyKeyPattern } from '../../kernel/idempotency/idempotency.ts'
import { titles } from '../router/answer.ts'
import { recordIds } from '../routes/contacts/records.ts'

const bearer = (description: string, bearerFormat: string) => ({ type: 'http', scheme: 'bearer', bearerFormat, description })
const inHeader = (name: string, description: string) => ({ type: 'apiKey', in: 'header', name, description })

export const securitySchemes = {
  api_key: bearer(
    'An API key: the first start prints one, `npm run rolocom -- keys --database create` or `createApiKey` at `/graphql` make others. Shown once.',
    'rcm_...',
  ),
  session: bearer('A session token, from `POST /api/auth/session`. Ends after 30 days without use.', 'UUID'),
  identity: bearer("The identity provider's token. Opens a session, and nothing else.", 'JWT'),
  services_token: inHeader('X-Svc-Services-Token', 'The secret shared by backends. `X-User-ID` says on whose behalf.'),
  service_token: inHeader(
    'X-Svc-Service-Token',
    'The secret shared by backends, for the enrichment API. `x-user-id` says on whose behalf.',
  ),
  user_header: inHeader('X-User-ID', 'A user id. Development and test only; off in production.'),
  guest: inHeader('X-Guest-ID', 'Any 1 to 128 characters: reads the demo organization.'),
  // OAuth access tokens are missing: no endpoint of REST takes them.
} satisfies Record<Exclude<CredentialKind, 'access_token'>, JsonSchema>

const requestId = { type: 'string', minLength: 1, maxLength: 128 }

const creditsOrNull = { type: ['number', 'null'], description: 'Null without `credits:read`.' }

/** The answer to `dry_run=true`. */
const dryRunSchema: JsonSchema = {
  type: 'object',
  description: 'The effect that a write would have. Nothing has changed.',
  required: ['dry_run', 'status', 'answer', 'events', 'event_count', 'credits_taken', 'credits_reserved', 'policy', 'file'],
  properties: {
    dry_run: { type: 'boolean', const: true },
    status: { type: 'integer', description: 'The status of the answer.' },
    answer: { description: 'The body of the answer; ids in it are of nothing.' },
    events: {
      type: 'array',
      description: 'The first 200 events that would be recorded and that the credential may read.',
      items: {
        type: 'object',
        required: ['type', 'entity_id', ...recordIds, 'changes'],
        properties: {
          type: { type: 'string', description: 'Type of the event: `contact.updated`, ...' },
          entity_id: { type: 'string' },
          ...Object.fromEntries(recordIds.map(id => [id, { type: ['string', 'null'], format: 'uuid' }])),
          changes: {
            type: 'array',
            description: 'The fields that an update changes.',
            items: {
              type: 'object',
              required: ['field', 'before', 'after'],
              properties: { field: { type: 'string' }, before: {}, after: {} },
              additionalProperties: false,
            },
          },
        },
        additionalProperties: false,
      },
    },
    event_count: { type: 'integer' },
    credits_taken: creditsOrNull,
    credits_reserved: creditsOrNull,
    file: {
      type: ['object', 'null'],
      description: 'Content of an export, a report or an uploaded file; null for other writes.',
      required: ['row_count', 'columns'],
      properties: {
        row_count: {
          type: 'integer',
          description: 'Its rows without the header; of an upload, those that were read to describe its columns.',
        },
        columns: { type: 'array', items: { type: 'string' } },
      },
      additionalProperties: false,
    },
    policy: {
      type: ['object', 'null'],
      description: 'Whether a call would be dialled; null for other writes.',
      required: ['is_allowed', 'at', 'reason'],
      properties: {
        is_allowed: { type: 'boolean' },
        at: { type: ['string', 'null'], format: 'date-time', description: 'When; null for never.' },
        reason: { type: ['string', 'null'], description: 'Why not, or not yet.' },
      },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
}

export const parameters = {
  XOrgId: {
    name: 'X-Org-Id',
    in: 'header',
    description: 'The organization meant. Required when the credential has access to several.',
    schema: { type: 'string', format: 'uuid' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    // No example: Swagger UI would prefill it, and every request from there would have the same key.
    description:
      'Makes a retry safe: the same request with the same key happens once, and is answered the same for 24 hours. A UUID will do.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: idempotencyKeyPattern.source },
  },
  DryRun: {
    name: 'dry_run',
    in: 'query',
    description:
      'With `true` nothing changes: the answer is 200 and tells what would happen (`status`, `answer`, `events`, credits and `policy`).',
    schema: { type: 'boolean', default: false },
    // Not among the answers of each write, because generated clients would make every answer a union.
    'x-answer': dryRunSchema,
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'The version the change is meant for, in quotes, such as `"3"`. When it has another one by then, the answer is 412.',
    schema: { type: 'string', pattern: '^(\\*|(W/)?"\\d{1,9}")$' },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The ETag known; while it is current the answer is 304 without a body.',
    schema: { type: 'string' },
  },
  XRequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description: 'An id of yours for this request, which the answer repeats as X-Client-Request-Id, and the log with it.',
    schema: requestId,
  },
}

export const headers = {
  XRequestId: { description: 'The id of the request, always ours.', schema: requestId },
  XClientRequestId: { description: 'The X-Request-Id that came with the request.', schema: requestId },
  RateLimit: {
    description: 'The rest of the limit: `r` requests in the next `t` seconds. Absent where limits are off.',
    schema: { type: 'string' },
  },
  RateLimitPolicy: {
    description: "The limits, the credential's and its organization's: `q` requests in `w` seconds. Absent where limits are off.",
    schema: { type: 'string' },
  },
  RetryAfter: { description: 'Seconds after which a retry is worth while.', schema: { type: 'integer', minimum: 1 } },
  ETag: { description: 'The version of the answer.', schema: { type: 'string' } },
  Location: { description: 'The address of the created object.', schema: { type: 'string', format: 'uri-reference' } },
  IdempotentReplayed: {
    description: '`true` when the answer is the stored one of an earlier request with this Idempotency-Key.',
    schema: { type: 'string', const: 'true' },
  },
  XOperationId: {
    description:
      'The id of the write, for its receipt; of a replayed answer, the id of the first request. A write that changed nothing has no receipt.',
    schema: { type: 'string', format: 'uuid' },
  },
  WwwAuthenticate: { description: 'How to authenticate: `Bearer`.', schema: { type: 'string' } },
}

const title = (code: Code) => titles[code]
const sentences: Partial<Record<Code, string>> = {
  UNAUTHENTICATED: 'Authentication is required',
  FORBIDDEN: 'The credential lacks the scope contacts:write',
  NOT_FOUND: 'No contact 0199f0e0-0000-7000-8000-000000000000',
  ALREADY_EXISTS: 'A contact with this email exists',
}

export const problemSchemas: Record<string, JsonSchema> = {
  ErrorCode: { type: 'string', title: 'ErrorCode', enum: Object.keys(statusOf).map(code => code.toLowerCase()) },
  Problem: {
    type: 'object',
    description:
      'An error (RFC 9457). Some codes add members, such as `field` and `existing_id`. Sent as application/problem+json when asked for.',
    required: ['type', 'title', 'status', 'detail', 'code', 'request_id'],
    properties: {
      type: { type: 'string', format: 'uri-reference', description: 'The page about this error.' },
      title: { type: 'string' },
      status: { type: 'integer', minimum: 400, maximum: 599 },
      detail: { type: 'string', description: 'The error as a sentence.' },
      code: { $ref: '#/components/schemas/ErrorCode' },
      request_id: { type: 'string' },
    },
    additionalProperties: true,
  },
  ValidationError: {
    type: 'object',
    description: 'Everything wrong with a request, in the words of Pydantic.',
    required: ['detail'],
    properties: { detail: { type: 'array', minItems: 1, items: { $ref: '#/components/schemas/ValidationDetail' } } },
    additionalProperties: false,
  },
  ValidationDetail: {
    type: 'object',
    required: ['loc', 'msg', 'type', 'input', 'ctx'],
    properties: {
      loc: {
        type: 'array',
        minItems: 1,
        items: { type: 'string' },
        description: 'Where: `body`, `query` or `header`, then the way to the value.',
      },
      msg: { type: 'string' },
      type: { type: 'string', description: 'Such as `missing`, `string_type`, `enum`, `extra_forbidden` or `value_error`.' },
      input: { description: 'The sent value; null where there was none, or where it is too large to repeat.' },
      ctx: { type: 'object', additionalProperties: true, description: 'Parameters of `msg`, for programs.' },
    },
    additionalProperties: false,
  },
}

const headerOf = (name: keyof typeof headers) => ({ $ref: `#/components/headers/${name}` })

/** The response of an error code. */
export function errorOf(code: Code): JsonSchema {
  const status = statusOf[code]
  const retries = status === 429 || status === 503 || code === 'IDEMPOTENCY_IN_FLIGHT'
  const common = {
    description: `${title(code)}.`,
    headers: {
      'X-Request-Id': headerOf('XRequestId'),
      ...(status === 401 && { 'WWW-Authenticate': headerOf('WwwAuthenticate') }),
      ...(retries && { 'Retry-After': headerOf('RetryAfter') }),
    },
  }
  if (status === 422) {
    const example = { detail: [{ loc: ['body', 'email'], msg: 'Field required', type: 'missing', input: {}, ctx: {} }] }
    return { ...common, content: { 'application/json': { schema: { $ref: '#/components/schemas/ValidationError' }, example } } }
  }
  const name = code.toLowerCase()
  const example = {
    type: `/docs/errors#${name}`,
    title: title(code),
    status,
    detail: sentences[code] ?? title(code),
    code: name,
    request_id: '5f0c7f5e-6d2f-4f43-9a35-3b6c3c7d5c0e',
    ...(code === 'ALREADY_EXISTS' && { field: 'email', existing_id: '0199f0e0-7a3c-7b1e-9c55-2f6b1f0c9a01' }),
  }
  const schema = { $ref: '#/components/schemas/Problem' }
  return { ...common, content: { 'application/json': { schema, example }, 'application/problem+json': { schema, example } } }
}
