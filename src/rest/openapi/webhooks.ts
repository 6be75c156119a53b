// The section `webhooks` of the OpenAPI document: what endpoints are sent, by type of event.

import type { JsonSchema } from '../../graphql/execute/json-schema.ts'
import { wireSchema } from '../../graphql/execute/run.ts'
import { toldEvents } from '../../kernel/nouns/nouns.ts'
import { recordIds } from '../routes/contacts/records.ts'
import { objectDocument } from '../routes/webhooks/objects.ts'
import { type Components, fragmentSchema, orNull, ref, titleCase } from './answer-schema.ts'
import { object, parameter, text } from './doors.ts'

/** Returns the webhooks, and adds the schemas that they use to the components. */
export function webhookPaths(schemas: Components): Record<string, JsonSchema> {
  schemas.ThinWebhookData = { title: 'ThinWebhookData', ...object({ id: text('The id of the object.') }), additionalProperties: false }
  const types = toldEvents()
  for (const entity of new Set(types.map(one => one.entity))) schemas[dataName(entity)] ??= dataOf(entity, schemas)
  return Object.fromEntries(types.map(one => [one.type, { post: webhook(one) }]))
}

const shownBy = (noun: string): JsonSchema => ({
  type: ['string', 'null'],
  format: 'uuid',
  description: `The ${noun} whose timeline shows it, if any.`,
})

const dataName = (entity: string) => `${titleCase(entity)}WebhookData`

function dataOf(entity: string, schemas: Components): JsonSchema {
  const document = objectDocument(entity)
  return {
    title: dataName(entity),
    ...object({
      id: text('The id of the object.'),
      entity: { type: 'string', const: entity, description: 'Subject of the event.' },
      ...Object.fromEntries(recordIds.map(id => [id, shownBy(id.replace('_id', ''))])),
      actor: { ...ref('Actor'), description: 'The actor.' },
      changes: {
        type: 'object',
        additionalProperties: { type: 'array', items: {}, minItems: 2, maxItems: 2 },
        description: 'The fields that an update changed: `{ field: [before, after] }`; empty for other events.',
      },
      object: document
        ? {
            ...orNull(fragmentSchema(wireSchema(), document, schemas)),
            description: 'As it was when the event was sent first; null when it is gone.',
          }
        : { type: 'null', description: 'It has no representation of its own.' },
    }),
  }
}

function webhook({ type, description, entity }: { type: string; description: string; entity: string }): JsonSchema {
  const name = titleCase(type.replace('.', '_'))
  return {
    operationId: `receive${name}`,
    summary: type,
    description: `${description} Signed by Standard Webhooks: verify \`webhook-signature\` before the body is read. Repetitions have the same \`webhook-id\`.`,
    tags: ['Webhooks'],
    security: [],
    parameters: Object.keys(webhookParameters).map(parameter),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: object({
            type: { type: 'string', const: type },
            timestamp: { type: 'string', format: 'date-time', description: 'When it happened.' },
            data: { anyOf: [ref(dataName(entity)), ref('ThinWebhookData')] },
          }),
        },
      },
    },
    responses: {
      '2XX': { $ref: '#/components/responses/WebhookTaken' },
      410: { $ref: '#/components/responses/WebhookUnwanted' },
      '4XX': { $ref: '#/components/responses/WebhookRefused' },
      '5XX': { $ref: '#/components/responses/WebhookRefused' },
    },
  }
}

const header = (name: string, description: string) => ({ name, in: 'header', required: true, description, schema: { type: 'string' } })

/** Headers of the request. */
export const webhookParameters = {
  WebhookId: header('webhook-id', 'The id of the event, the same for all attempts and replays.'),
  WebhookTimestamp: header('webhook-timestamp', 'When it was sent, in seconds since 1970.'),
  WebhookSignature: header(
    'webhook-signature',
    '`v1,` and an HMAC-SHA256 of id, timestamp and body; several with blanks between them while two secrets are live.',
  ),
}

/** Answers of receivers. */
export const webhookResponses = {
  WebhookTaken: { description: 'It was taken.' },
  WebhookUnwanted: { description: 'Nothing more is wanted: the endpoint is disabled.' },
  WebhookRefused: { description: 'It is sent again later, eight times in all over 27 hours; `Retry-After` is obeyed.' },
}
