// Traces as an OpenTelemetry collector receives them: which spans there are, what they say and do not say, and where traces go on.

import { expect, test, vi } from 'vitest'
import { type Json, startApp } from '../support/app.ts'
import { keepOpen } from '../support/open.ts'
import { startReceiver } from '../webhooks/receiver.ts'

interface Span {
  traceId: string
  spanId: string
  parentSpanId: string | undefined
  name: string
  kind: number
  status: number
  attributes: Record<string, unknown>
}
// As OTLP numbers them.
const [server, client, producer, consumer] = [2, 3, 4, 5]
const failed = 2

const traceId = (digit: string) => digit.repeat(32)
const given = (digit: string, flags = '01') => `00-${traceId(digit)}-${digit.repeat(16)}-${flags}`
const person = 'somebody@example.com'

const spansOf = ({ scopeSpans }: Json): Span[] =>
  scopeSpans.flatMap((scope: Json) =>
    scope.spans.map((span: Json) => ({
      ...span,
      parentSpanId: span.parentSpanId || undefined,
      status: span.status.code,
      attributes: attributesOf(span.attributes),
    })),
  )
const attributesOf = (list: { key: string; value: Record<string, unknown> }[]) =>
  Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value)[0]]))
const collector = await keepOpen(startReceiver())
const webhooks = await keepOpen(startReceiver())
const app = await startApp({
  env: {
    ROLES: 'web,api,session,worker',
    OUTGOING_ALLOW_PRIVATE: '127.0.0.1',
    SIMULATOR_SPEED: '0',
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/otlp/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=one%20key',
    OTEL_SERVICE_NAME: 'crm',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
  },
})
const { key } = await app.given.apiKey()
const ask = (digit: string, method: string, path: string, body?: Json) =>
  app.rest(method, path, { key, body, headers: { traceparent: given(digit) } })
await app.rest('POST', '/api/webhooks/v1/endpoints', { key, body: { url: `${webhooks.url}/secret`, event_types: ['contact.created'] } })
const { body: contact } = await ask('a', 'POST', '/api/crm/v1/contacts', { email: person })
await webhooks.received(1)
await ask('b', 'GET', `/api/crm/v1/contacts?q=${person}`)
await app.graphql(
  `query ProjectOfSomebody($q: String) { contacts(first: 1, filter: { q: $q }) { edges { node { id } } } }`,
  { q: person },
  {
    key,
    headers: { traceparent: given('c') },
  },
)
const malformedStatus: number = (
  await app.rest('GET', `/api/crm/v1/contacts/${contact.id}`, { key, headers: { traceparent: 'malformed' } })
).status
await app.rest('GET', '/api/crm/v1/contacts', { key, headers: { traceparent: given('d', '00') } })
await ask('e', 'GET', '/api/crm/v1/contacts/00000000-0000-7000-8000-000000000000')
await ask('f', 'GET', '/healthz')
const { body: agent } = await ask('1', 'POST', '/api/voice/v1/agents', { name: 'Ada', provider: 'simulator' })
const { body: call } = await ask('2', 'POST', '/api/voice/v1/calls', { agent_id: agent.id, to_number: '+14155550100' })
const statusNow = async () => (await app.rest('GET', `/api/voice/v1/calls/${call.id}`, { key })).body.status
await vi.waitFor(async () => expect(await statusNow()).toBe('completed'), { timeout: 20_000 })
// What has not been sent yet is sent by the stop.
await app.close()
const spans: Span[] = collector.sent.flatMap(({ body }) => body.resourceSpans.flatMap(spansOf))
const log: Json[] = app.log.map(line => JSON.parse(line))
const trace = (digit: string) => spans.filter(span => span.traceId === traceId(digit))
const below = ({ spanId }: Span) => spans.filter(({ parentSpanId }) => parentSpanId === spanId)
const isBelow = (above: Span, { parentSpanId }: Span): boolean => {
  const parent = spans.find(({ spanId }) => spanId === parentSpanId)
  return parent !== undefined && (parent === above || isBelow(above, parent))
}
const only = <Value>(values: readonly Value[]): Value => {
  expect(values).toHaveLength(1)
  return values[0] as Value
}
const root = (digit: string) => only(trace(digit).filter(({ kind }) => kind === server))

test('the collector gets them as OTLP, with the headers and the names that are set', () => {
  const [{ path, headers, body }] = collector.sent as [Json]
  expect([path, headers['content-type'], headers['x-collector-key']]).toEqual(['/otlp/v1/traces', 'application/json', 'one key'])
  expect(attributesOf(body.resourceSpans[0].resource.attributes)).toMatchObject({
    'service.name': 'crm',
    'service.version': expect.any(String),
    'deployment.environment.name': 'test',
  })
})

test('a request is a tree: HTTP, the operation, its statements', () => {
  const http = root('b')
  expect(http).toMatchObject({
    parentSpanId: 'b'.repeat(16),
    name: 'GET /api/crm/v1/contacts',
    attributes: {
      'http.request.method': 'GET',
      'http.route': '/api/crm/v1/contacts',
      'http.response.status_code': 200,
      'url.scheme': 'http',
      'rolocom.request.id': expect.any(String),
    },
  })
  const operation = only(below(http).filter(({ name }) => name === 'query ListContacts'))
  expect(operation.attributes).toEqual({ 'graphql.operation.type': 'query', 'graphql.operation.name': 'ListContacts' })
  const statements = below(operation)
  expect(statements.length).toBeGreaterThan(0)
  for (const { kind, name, attributes } of statements) {
    expect(kind).toBe(client)
    expect(attributes).toEqual({ 'db.system.name': 'postgresql', 'db.query.summary': name })
  }
})

test('the statements of a write are below it: of its transaction, and of Prisma', () => {
  const names = trace('1').map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['POST /api/voice/v1/agents', 'BEGIN', 'COMMIT']))
  for (const { parentSpanId } of trace('1')) expect(['1'.repeat(16), ...trace('1').map(({ spanId }) => spanId)]).toContain(parentSpanId)
})

test('a GraphQL document of a caller is not shown by the name that the caller chose', () => {
  expect(below(root('c')).map(({ name }) => name)).toContain('query')
  expect(root('c').name).toBe('POST /graphql')
})

test('an error is marked by its code: on an operation always, on a request only if the server failed', () => {
  expect(root('e')).toMatchObject({ status: 0, attributes: { 'http.response.status_code': 404 } })
  expect(only(below(root('e')).filter(({ name }) => name.startsWith('query ')))).toMatchObject({
    status: failed,
    attributes: { 'error.type': 'NOT_FOUND' },
  })
})

test('a queue item goes on with the trace of the request that queued it', () => {
  const operation = only(below(root('2')).filter(({ name }) => name.startsWith('mutation ')))
  const about = { 'messaging.system': 'pg-boss', 'messaging.destination.name': 'simulated-call' }
  const sent = only(trace('2').filter(span => span.name === 'send simulated-call' && isBelow(operation, span)))
  expect(sent).toMatchObject({ kind: producer, attributes: { ...about, 'messaging.operation.type': 'send' } })
  const processed = only(below(sent).filter(({ name }) => name === 'process simulated-call'))
  expect(processed).toMatchObject({ kind: consumer, attributes: { ...about, 'messaging.operation.type': 'process' } })
})

test('an outgoing request passes its trace on, and is shown by its host alone', () => {
  const [{ headers }] = webhooks.sent as [Json]
  const [, id, parent] = /^00-([\da-f]{32})-([\da-f]{16})-01$/.exec(headers.traceparent) ?? []
  const sent = only(spans.filter(({ spanId }) => spanId === parent))
  expect(sent).toMatchObject({
    traceId: id,
    name: 'POST',
    kind: client,
    attributes: { 'http.request.method': 'POST', 'server.address': '127.0.0.1', 'url.scheme': 'http', 'http.response.status_code': 204 },
  })
  expect(only(spans.filter(({ spanId }) => spanId === sent.parentSpanId))).toMatchObject({ name: 'process webhook', kind: consumer })
})

test('a malformed traceparent is ignored, one that is not sampled is followed, and a probe is not traced', () => {
  expect(malformedStatus).toBe(200)
  const begun = only(spans.filter(span => span.name === 'GET /api/crm/v1/contacts/{contact_id}' && span.traceId !== traceId('e')))
  expect(begun.parentSpanId).toBeUndefined()
  expect(trace('d')).toEqual([])
  expect(trace('f')).toEqual([])
})

test('log lines name the trace of their request', () => {
  const line = only(log.filter(({ path, trace_id }) => path === '/api/crm/v1/contacts' && trace_id === traceId('b')))
  expect(line.span_id).toBe(root('b').spanId)
  expect(log.filter(({ path }) => path === '/healthz').map(({ trace_id }) => trace_id)).toEqual([undefined])
})

test('nothing that a user sent or that is secret is in a span', () => {
  const text = JSON.stringify(collector.sent.map(({ body }) => body))
  for (const value of ['somebody', 'ProjectOfSomebody', 'Bearer', 'rk_', '/secret', '4155550100', 'Ada']) expect(text).not.toContain(value)
})

test.each([
  ['refuses what it is sent', () => ({ status: 400 })],
  ['does not answer', () => new Promise<never>(() => {})],
])('a collector that %s affects neither requests nor the stop', async (name, answer) => {
  const broken = await startReceiver()
  broken.answer(answer)
  const app = await startApp({ env: { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: broken.url } })
  const { key } = await app.given.apiKey()

  const { status } = await app.rest('GET', '/api/crm/v1/contacts', { key })
  await app.close()
  await broken.close()

  expect([status, broken.sent.map(({ path }) => path)]).toEqual([200, ['/']])
  // One that is still waited for has not failed yet.
  const failures = app.log.filter(line => line.includes('traces cannot be sent'))
  expect(failures).toHaveLength(name === 'refuses what it is sent' ? 1 : 0)
})
