// Building blocks of OpenAPI operations that are not in the table of routes: hooks and identity provider.

import type { JsonSchema } from '../../graphql/execute/json-schema.ts'

export const bearer = (description: string) => ({ type: 'http', scheme: 'bearer', description })
export const text = (description: string, more: JsonSchema = {}): JsonSchema => ({ type: 'string', description, ...more })
export const object = (properties: Record<string, JsonSchema>, required = Object.keys(properties)): JsonSchema => ({
  type: 'object',
  required,
  properties,
})
export const json = (schema: JsonSchema, example: unknown) => ({ 'application/json': { schema, example } })
export const parameter = (name: string) => ({ $ref: `#/components/parameters/${name}` })
export const requestId = { 'X-Request-Id': { $ref: '#/components/headers/XRequestId' } }
export const answers = (description: string, schema: JsonSchema, example: unknown) => ({
  description,
  headers: requestId,
  content: json(schema, example),
})

export type Failures = Readonly<Record<number, readonly [sentence: string, code: string]>>

type Content = (sentence: string, code: string) => JsonSchema

/** The response components that `failing` refers to. */
export const responsesOf = (prefix: string, failures: Failures, content: Content): Record<string, JsonSchema> =>
  Object.fromEntries(
    Object.entries(failures).map(([status, [sentence, code]]) => {
      const isRetried = status === '429' || status === '503'
      const headers = { ...requestId, ...(isRetried && { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }) }
      return [`${prefix}${status}`, { description: `Such as: ${sentence}.`, headers, content: content(sentence, code) }]
    }),
  )

/** The error responses of an operation. */
export const failing = (prefix: string, failures: Failures): JsonSchema =>
  Object.fromEntries(Object.keys(failures).map(status => [status, { $ref: `#/components/responses/${prefix}${status}` }]))
