// Generates the OpenAPI document from the table of routes: requests from their zod schemas, responses from their stored documents.

import type { DocumentNode } from 'graphql'
import type { JsonSchema } from '../../graphql/execute/json-schema.ts'
import { isTriable, wireSchema } from '../../graphql/execute/run.ts'
import { type Code, statusOf } from '../../kernel/errors.ts'
import { titles } from '../router/answer.ts'
import { answerOf, inputsOf } from '../router/document.ts'
import { type Documented, parametersOf, type Route } from '../router/route.ts'
import { routes, tags } from '../routes/routes.ts'
import { answerSchema, type Components, componentOf, isNullable, titleCase, withoutNull } from './answer-schema.ts'
import { downloadPaths } from './downloads.ts'
import { effectMembers } from './effects.ts'
import { hookPaths, hookResponses, hookToken } from './hooks.ts'
import { errorOf, headers, parameters, problemSchemas, securitySchemes } from './parts.ts'
import { providerPaths, providerResponses, providerSession } from './provider.ts'
import { queryParameters, requestBody } from './requests.ts'
import { webhookParameters, webhookPaths, webhookResponses } from './webhooks.ts'

/** The whole document, as plain JSON. */
export function openapi(): JsonSchema {
  const schemas: Components = {}
  const codes = new Set<Code>()
  const paths: Record<string, Record<string, JsonSchema>> = {}
  for (const route of routes) {
    paths[route.path] ??= {}
    Object.assign(paths[route.path] ?? {}, { [route.method.toLowerCase()]: operation(route, schemas, codes) })
  }
  Object.assign(paths, downloadPaths(), hookPaths(schemas), providerPaths(schemas))
  const webhooks = webhookPaths(schemas)
  return {
    openapi: '3.1.1',
    info: {
      title: 'Rolocom API',
      version: '1.0.0',
      summary: 'Contacts, with their notes, tasks and history.',
      description: introduction,
      contact: { name: 'The operator of this server' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'This server' }],
    tags: Object.entries({ ...tags, ...otherTags }).map(([name, description]) => ({ name, description })),
    paths,
    webhooks,
    components: {
      securitySchemes: {
        ...Object.fromEntries(
          Object.entries(securitySchemes).filter(([kind]) => routes.some(route => sufficientFor(route).some(caller => caller === kind))),
        ),
        hook_token: hookToken,
        provider_session: providerSession,
      },
      parameters: { ...parameters, ...webhookParameters },
      headers,
      responses: {
        ...Object.fromEntries([...codes].toSorted().map(code => [titleCase(code), errorOf(code)])),
        ...hookResponses,
        ...providerResponses,
        ...webhookResponses,
      },
      schemas: Object.fromEntries(Object.entries({ ...schemas, ...problemSchemas }).toSorted(([a], [b]) => (a < b ? -1 : 1))),
    },
  }
}

// Operations that are not in the table of routes.
const otherTags = {
  Hooks:
    'How other systems tell the gateway something. Served where HOOKS_TOKEN or GATEWAY_CONFIG is set, under /hooks unless the configuration says otherwise.',
  'Signing in':
    'The embedded identity provider: sign up or in, ask for a token, and exchange it at `POST /api/auth/session`. Absent where IDENTITY_ISSUER names another provider.',
}

// The security requirements. Guests may only read. X-User-ID works only in development and is left out, because generated clients would
// send the key in it.
const sufficientFor = ({ callers, method }: Route) =>
  callers.filter(kind => kind !== 'user_header' && (kind !== 'guest' || method === 'GET'))

const introduction = `Send an API key as \`Authorization: Bearer rcm_...\`. The first start prints one; \`npm run rolocom -- keys --database create\` makes another where the
server runs, and with a session \`mutation { createApiKey(input: { label: "CI", scopes: ["contacts:read"] }) { key } }\` at \`/graphql\`.
Without a key, \`X-Guest-ID: visitor\` reads the demo organization.

Lists come in pages: send \`next_cursor\` back as \`cursor\`. A write with an \`Idempotency-Key\` may be sent again and happens once.
Errors are JSON objects with a \`code\`; a request that does not pass the checks is 422 and lists everything wrong with it in \`detail\`.`

function operation(route: Route, schemas: Components, codes: Set<Code>): JsonSchema {
  const inputs = inputsOf(wireSchema(), route.document, route.path).byName
  const isWrite = route.method !== 'GET'
  const open = route.withoutCredential
  return {
    operationId: route.operationId,
    summary: route.summary,
    ...(route.description && { description: route.description }),
    tags: [route.tag],
    security: [...sufficientFor(route).map(kind => ({ [kind]: [] })), ...(open ? [{}] : [])],
    parameters: [
      ...parametersOf(route.path).map(name => ({
        name,
        in: 'path',
        required: true,
        description: inputs.get(name)?.description ?? 'The id.',
        schema: name.endsWith('_id') ? { type: 'string', format: 'uuid' } : { type: 'string' },
      })),
      ...queryParameters(route, inputs, schemas),
      ...(route.scope || route.inOrganization ? [parameter('XOrgId')] : []),
      ...(isTried(route) ? [parameter('DryRun')] : []),
      ...(isKeyed(route) ? [parameter('IdempotencyKey')] : []),
      ...(route.ifMatch ? [parameter('IfMatch')] : []),
      ...(isTagged(route) && !isWrite ? [parameter('IfNoneMatch')] : []),
      parameter('XRequestId'),
    ],
    ...(route.isRaw && { requestBody: { description: 'As the sender signed it.', content: rawContent } }),
    ...(route.isUpload && { requestBody: { required: true, description: 'The file.', content: fileContent(route) } }),
    ...(route.body && { requestBody: requestBody(route, route.body, schemas) }),
    ...(open?.body && { requestBody: requestBody(open, open.body, schemas) }),
    responses: { ...successes(route, schemas), ...failures(route, codes) },
    ...effectMembers(route.document as DocumentNode),
  }
}

// Twilio sends forms, all other providers JSON.
const rawContent = { 'application/json': { schema: {} }, 'application/x-www-form-urlencoded': { schema: { type: 'object' } } }

const file = { type: 'string', format: 'binary' }
const fileContent = ({ examples }: Route) => ({
  'text/csv': { schema: file, example: examples?.body },
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': { schema: file },
  'text/vcard': { schema: file },
})

const parameter = (name: keyof typeof parameters) => ({ $ref: `#/components/parameters/${name}` })
const header = (name: keyof typeof headers) => ({ $ref: `#/components/headers/${name}` })
const isTried = ({ method, document }: Route) => method !== 'GET' && isTriable(document as DocumentNode)
const isTagged = (route: Route) => route.etag === true

const everywhere = {
  'X-Request-Id': header('XRequestId'),
  'X-Client-Request-Id': header('XClientRequestId'),
  RateLimit: header('RateLimit'),
  'RateLimit-Policy': header('RateLimitPolicy'),
}

function successes(route: Route, schemas: Components): JsonSchema {
  const isWrite = route.method !== 'GET'
  const schema = answerSchema(wireSchema(), route.document as DocumentNode, schemas)
  if (route.documented) neverNull(route.documented, schema, schemas)
  for (const [list, fields] of Object.entries(route.documentedRows ?? {})) neverNull(fields, rowsOf(schema, list), schemas)
  const outcomes = [route.document, ...(route.instead ? [route.instead.document] : [])].map(document => answerOf(document).kind)
  const statuses = new Set<number>([route.status, ...(outcomes.includes('outcome') ? [200, 201] : [])])
  const example = route.examples?.answer
  const answer = (status: number) => ({
    description: status === 204 ? 'Done; there is nothing to say.' : status === 201 ? 'Created.' : 'The answer.',
    headers: {
      ...everywhere,
      ...(isTagged(route) && { ETag: header('ETag') }),
      ...(isWrite && { 'X-Operation-Id': header('XOperationId') }),
      ...(isWrite && !route.isRaw && { 'Idempotent-Replayed': header('IdempotentReplayed') }),
      ...((status === 201 || status === 202) && route.location && { Location: header('Location') }),
    },
    ...(status !== 204 && { content: contentOf(route, schema, example) }),
  })
  return {
    ...Object.fromEntries([...statuses].toSorted((a, b) => a - b).map(status => [status, answer(status)])),
    ...(isTagged(route) &&
      !isWrite && { 304: { description: 'Not changed since If-None-Match.', headers: { ...everywhere, ETag: header('ETag') } } }),
  }
}

const contentOf = ({ textOf }: Route, schema: JsonSchema, example: unknown) => {
  const described = { schema: textOf ? { type: 'string' } : schema, ...(example !== undefined && { example }) }
  return { [textOf ? (textOf.type.split(';', 1)[0] ?? '') : 'application/json']: described }
}

// Documented fields are never null: unknown values are empty strings, lists or objects.
function neverNull(fields: Documented, schema: JsonSchema, schemas: Components): void {
  const target = (typeof schema.$ref === 'string' ? schemas[componentOf(schema.$ref)] : schema) ?? schema
  const properties = target.properties as Record<string, JsonSchema>
  for (const [field, unknown] of Object.entries(fields)) {
    const property = properties[field]
    if (!property || !isNullable(property)) continue
    const { description, ...present } = withoutNull(property)
    const isFreeText = present.type === 'string' && present.format === undefined
    properties[field] = {
      ...(unknown !== '' || isFreeText ? present : { anyOf: [present, { type: 'string', const: '' }] }),
      ...(typeof description === 'string' && { description: unknown === '' ? `${description} Empty while unknown.` : description }),
    }
  }
}

const rowsOf = (schema: JsonSchema, list: string) => (schema.properties as Record<string, { items: JsonSchema }>)[list]?.items ?? {}

// For callers without a credential no answers are stored.
const isKeyed = ({ method, isRaw, callers }: Route) => method !== 'GET' && !isRaw && callers.length > 0

function codesOf(route: Route): Code[] {
  const isWrite = route.method !== 'GET'
  const codes: Code[] = ['UNAUTHENTICATED', 'FORBIDDEN', 'INVALID', 'RATE_LIMITED', 'UNAVAILABLE', 'INTERNAL']
  if (isKeyed(route)) codes.push('IDEMPOTENCY_IN_FLIGHT')
  if (route.isRaw) codes.push('PAYLOAD_TOO_LARGE')
  // Guests read the demo organization, if one is configured.
  if (parametersOf(route.path).length > 0 || (!isWrite && route.callers.includes('guest'))) codes.push('NOT_FOUND')
  if (route.ifMatch) codes.push('PRECONDITION_FAILED')
  if (route.body || route.withoutCredential || route.isUpload) codes.push('PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE')
  for (const code of Object.keys(errorsOf(route)) as Code[]) if (!codes.includes(code)) codes.push(code)
  return codes
}

const errorsOf = ({ errors, withoutCredential }: Route) => ({ ...errors, ...withoutCredential?.errors })

// If several codes share a status, the description of the response says when each of them occurs.
function failures(route: Route, shared: Set<Code>): JsonSchema {
  const answers = [...Map.groupBy(codesOf(route), code => statusOf[code])].map(([status, codes]) => {
    const [code = 'INTERNAL', ...others] = codes
    if (others.length === 0 && !errorsOf(route)[code]) {
      shared.add(code)
      return [status, { $ref: `#/components/responses/${titleCase(code)}` }]
    }
    const description = codes.map(one => `\`${one.toLowerCase()}\`: ${errorsOf(route)[one] ?? titles[one]}.`).join(' ')
    return [status, { ...errorOf(code), description }]
  })
  return Object.fromEntries(answers)
}
