// The hooks in the OpenAPI document: the payloads wake and agent, the run, and mapped hooks, which take any JSON object or list, and forms.

import { GetRunDocument, RunAgentDocument, WakeDocument } from '../../generated/operations.ts'
import { type JsonSchema, targetsOf } from '../../graphql/execute/json-schema.ts'
import { wireSchema } from '../../graphql/execute/run.ts'
import { answerSchema, type Components, enumSchema, ref } from './answer-schema.ts'
import { doorExamples as examples } from './door-examples.ts'
import { answers, bearer, type Failures, failing, json, object, parameter, requestId, responsesOf, text } from './doors.ts'
import { effectMembers } from './effects.ts'

export const hookToken = bearer('The hook token, from HOOKS_TOKEN. `X-Svc-Token` may carry it instead.')

/** Returns the paths, and adds the schemas that they use to the components. */
export function hookPaths(schemas: Components): Record<string, Record<string, JsonSchema>> {
  schemas.HookError = {
    title: 'HookError',
    ...object({ ok: { type: 'boolean', const: false }, error: text('The error as a sentence.') }),
  }
  // Hooks use camelCase, in payloads and responses.
  schemas.HookWakeMode = {
    type: 'string',
    title: 'HookWakeMode',
    enum: ['now', 'next-heartbeat'],
    description: 'When the main session hears of it: at once, or at its next heartbeat.',
  }
  const enumOf = (name: string) => {
    const type = wireSchema().getType(name)
    if (!type || !('getValues' in type)) throw new Error(`No enum ${name}`)
    return enumSchema(type, schemas)
  }
  const about = targetsOf(wireSchema(), RunAgentDocument)
  const descriptionOf = (field: string) => about.get(field)?.description ?? field
  schemas.WakeHook = {
    title: 'WakeHook',
    ...object({ text: text('Text of the event.', { minLength: 1 }), mode: { ...ref('HookWakeMode'), description: 'Default: now.' } }, [
      'text',
    ]),
    additionalProperties: false,
  }
  schemas.AgentHook = {
    title: 'AgentHook',
    ...object(
      {
        message: text(descriptionOf('message'), { minLength: 1 }),
        name: text(descriptionOf('name'), { minLength: 1, maxLength: 200 }),
        agentId: text(descriptionOf('agentId'), { minLength: 1, maxLength: 63 }),
        sessionKey: text(descriptionOf('sessionKey'), { minLength: 1, maxLength: 255 }),
        wakeMode: { ...ref('HookWakeMode'), description: descriptionOf('wakeMode').replace('NOW', 'now') },
        deliver: { type: 'boolean', description: descriptionOf('deliver') },
        channel: { ...enumOf('ChannelChoice'), description: descriptionOf('channel').replace('LAST', 'last') },
        to: text(descriptionOf('to'), { minLength: 1, maxLength: 500 }),
        model: text(descriptionOf('model'), { minLength: 1, maxLength: 200 }),
        thinking: { ...enumOf('ThinkingLevel'), description: descriptionOf('thinking') },
        timeoutSeconds: { type: 'number', minimum: 1, maximum: 86_400, description: descriptionOf('timeoutSeconds') },
      },
      ['message'],
    ),
    additionalProperties: false,
  }
  const ok = { ok: { type: 'boolean', const: true } }
  // The response of a hook: `ok` and the fields of its document.
  const answerOf = (document: typeof WakeDocument | typeof RunAgentDocument | typeof GetRunDocument) => {
    const { properties } = answerSchema(wireSchema(), document, schemas) as { properties: Record<string, JsonSchema> }
    // Hooks spell it with a hyphen.
    return object({ ...ok, ...properties, ...(properties.mode && { mode: { ...properties.mode, ...ref('HookWakeMode') } }) })
  }
  schemas.WakeHookAnswer = { title: 'WakeHookAnswer', ...answerOf(WakeDocument) }
  schemas.AgentHookAnswer = { title: 'AgentHookAnswer', ...answerOf(RunAgentDocument) }
  schemas.HookRun = { title: 'HookRun', ...answerOf(GetRunDocument) }
  const failures = failing('Hook', hookFailures)
  const hook = (operationId: string, summary: string, description: string, more: JsonSchema) => ({
    operationId,
    summary,
    description,
    tags: ['Hooks'],
    security: [{ hook_token: [] }],
    ...more,
  })
  const repeatable = [parameter('IdempotencyKey'), parameter('XRequestId')]
  const path = (name: string, description: string, schema: JsonSchema) => ({ name, in: 'path', required: true, description, schema })
  return {
    '/hooks/wake': {
      post: hook('hookWake', 'Tell the main session something', 'Queues the text for the next heartbeat, or begins one now.', {
        parameters: repeatable,
        requestBody: { required: true, content: json(ref('WakeHook'), examples.wake) },
        responses: { 200: answers('Queued.', ref('WakeHookAnswer'), examples.woken), ...failures },
        ...effectMembers(WakeDocument),
      }),
    },
    '/hooks/agent': {
      post: hook(
        'hookAgent',
        'Have an agent do something',
        'Accepts a run of an agent, which works on it in turn; read its run for what came of it.',
        {
          parameters: repeatable,
          requestBody: { required: true, content: json(ref('AgentHook'), examples.agent) },
          responses: { 202: answers('Accepted.', ref('AgentHookAnswer'), examples.accepted), ...failures },
          ...effectMembers(RunAgentDocument),
        },
      ),
    },
    '/hooks/runs/{run_id}': {
      get: hook('hookRun', 'Get a run', 'How far a run has come that a hook began, and what came of it.', {
        parameters: [
          path('run_id', 'The `runId` of the answer that accepted it.', { type: 'string', format: 'uuid' }),
          parameter('XRequestId'),
        ],
        responses: { 200: answers('The run.', ref('HookRun'), examples.run), ...failures },
      }),
    },
    '/hooks/{name}': {
      post: hook(
        'hookMapped',
        'Send what a mapping takes',
        'Turns any JSON object or list, or a form, into a wake or a run, as the mapping of this name in GATEWAY_CONFIG says: the payload of GitHub, Stripe, or of any other sender. Opened by the hook token, or by the token or signature that the mapping asks for.',
        {
          security: [{ hook_token: [] }, {}],
          parameters: [path('name', 'The path of the mapping.', { type: 'string' }), ...repeatable],
          requestBody: {
            required: true,
            content: {
              ...json({ oneOf: [anyObject, { type: 'array', items: {} }] }, { type: 'order.paid', id: 'ord_1' }),
              'application/x-www-form-urlencoded': { schema: anyObject },
              'multipart/form-data': { schema: anyObject },
            },
          },
          responses: {
            200: answers(
              'Woken, or a handshake answered as the sender asks for it.',
              { type: 'object', additionalProperties: true },
              examples.woken,
            ),
            202: answers('One run or more were accepted.', { type: 'object', additionalProperties: true }, examples.accepted),
            204: { description: 'The mapping makes nothing of it.', headers: requestId },
            ...failures,
          },
          ...effectMembers(RunAgentDocument),
        },
      ),
    },
  }
}

const anyObject = { type: 'object', additionalProperties: true } as const

const hookFailures: Failures = {
  400: ['text: is required', ''],
  401: ['A hook token is required: Authorization: Bearer <token>', ''],
  403: ['The hook lacks the scope agents:run', ''],
  404: ['There is no such hook', ''],
  409: ['The first request with this Idempotency-Key is still running', ''],
  413: ['The body must not be larger than 262,144 bytes', ''],
  422: ['The Idempotency-Key was used before, with another request', ''],
  429: ['Too many wrong tokens from this address', ''],
  500: ['Unexpected error', ''],
  503: ['The gateway has no organization yet', ''],
}

export const hookResponses = responsesOf('Hook', hookFailures, error => json(ref('HookError'), { ok: false, error }))
