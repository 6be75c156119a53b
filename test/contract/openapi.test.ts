// The published OpenAPI document is valid, complete, and consistent with the table of routes.

import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import Ajv2020 from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { minPasswordLength } from '../../src/identity/pages/password.ts'
import { openapi } from '../../src/rest/openapi/openapi.ts'
import { routes } from '../../src/rest/routes/routes.ts'
import type { Json } from '../support/app.ts'

const document = openapi() as Json
const everyOperation = Object.entries<Json>(document.paths).flatMap(([address, item]) =>
  Object.entries<Json>(item).map(([method, operation]) => ({ address, method, operation })),
)
// Operations of the table; hooks and the identity provider have their own error formats.
const operations = everyOperation.filter(({ address }) => address.startsWith('/api/') && address !== '/api/crm/v1/exports/{token}')
const others = everyOperation.filter(({ address }) => !address.startsWith('/api/'))

describe('openapi.json', () => {
  test("passes redocly's recommended rules without an error or a warning", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'openapi-'))
    try {
      await writeFile(path.join(folder, 'openapi.json'), JSON.stringify(document))
      await writeFile(path.join(folder, 'redocly.yaml'), 'extends: [recommended]\ntelemetry: off\n')

      const run = promisify(execFile)(
        process.execPath,
        [path.resolve('node_modules/@redocly/cli/bin/cli.js'), 'lint', 'openapi.json', '--config', 'redocly.yaml', '--format', 'json'],
        { cwd: folder, env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
      )

      const { stdout } = await run.catch((failed: { stdout: string }) => failed)
      expect(JSON.parse(stdout).totals).toEqual({ errors: 0, warnings: 0, ignored: 0 })
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  test('has every route of the table, and nothing else', () => {
    expect(operations.map(({ method, address }) => `${method.toUpperCase()} ${address}`).toSorted()).toEqual(
      routes.map(({ method, path }) => `${method} ${path}`).toSorted(),
    )
  })

  test('has the links to files, which take no credential', () => {
    const { security, responses } = document.paths['/api/crm/v1/exports/{token}'].get

    expect([security, Object.keys(responses)]).toEqual([[], ['200', '404', '429', '500', '503']])
    expect(responses[200].content).toEqual({
      'application/zip': { schema: { type: 'string', format: 'binary' } },
      'text/csv': { schema: { type: 'string' }, example: expect.any(String) },
    })
  })

  test('has hooks and identity provider, which are not in the table', () => {
    expect(others.map(({ method, address }) => `${method.toUpperCase()} ${address}`)).toEqual([
      'POST /hooks/wake',
      'POST /hooks/agent',
      'GET /hooks/runs/{run_id}',
      'POST /hooks/{name}',
      'POST /idp/sign-up/email',
      'POST /idp/sign-in/email',
      'GET /idp/token',
      'POST /idp/sign-in/magic-link',
      'POST /idp/send-verification-email',
      'POST /idp/request-password-reset',
      'POST /idp/reset-password',
      'POST /idp/change-password',
      'POST /idp/revoke-other-sessions',
      'POST /idp/revoke-sessions',
      'POST /idp/sign-out',
    ])
  })

  test('requires the same password length as the provider', () => {
    const { SignUpBody, ResetPasswordBody } = document.components.schemas

    expect([SignUpBody.properties.password.minLength, ResetPasswordBody.properties.newPassword.minLength]).toEqual([
      minPasswordLength,
      minPasswordLength,
    ])
  })

  test.each(others)('$method $address documents the error format of its door', ({ address, operation }) => {
    const error = address.startsWith('/hooks/') ? 'HookError' : 'ProviderError'
    const failures = Object.entries<Json>(operation.responses).filter(([status]) => Number(status) >= 400)

    expect(failures.map(([status]) => status)).toEqual(expect.arrayContaining(['400', '401', '403', '413', '422', '429', '503']))
    for (const [, { $ref }] of failures)
      expect(document.components.responses[$ref.split('/').at(-1)].content['application/json'].schema).toEqual({
        $ref: `#/components/schemas/${error}`,
      })
    expect(operation.description).toMatch(/\.$/)
  })

  test('has unique operation ids', () => {
    const names = everyOperation.map(({ operation }) => operation.operationId)

    expect(new Set(names).size).toBe(names.length)
  })

  test.each(operations)('$method $address documents its errors and an example response', ({ operation }) => {
    const success = Object.keys(operation.responses).find(status => status.startsWith('2')) ?? ''

    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['401', '403', '422', '429', '500', '503']))
    if (success !== '204') expect(Object.values(operation.responses[success].content)[0]).toHaveProperty('example')
  })

  test.each(operations)('$method $address describes each of its parameters and fields', ({ operation }) => {
    const silent = operation.parameters.filter((parameter: Json) => !parameter.$ref && !parameter.description)
    const body = operation.requestBody?.content['application/json']?.schema.$ref?.split('/').at(-1)
    const fields = Object.entries<Json>(document.components.schemas[body]?.properties ?? {}).filter(([, field]) => !field.description)

    expect([...silent.map((parameter: Json) => parameter.name), ...fields.map(([name]) => name)]).toEqual([])
  })

  test.each(operations)('$method $address has a summary and its credentials', ({ method, operation }) => {
    const kinds: string[] = operation.security.flatMap(Object.keys)

    expect(operation.description).toMatch(/\.$/)
    expect(kinds).not.toContain('user_header')
    if (method !== 'get') expect(kinds).not.toContain('guest')
  })

  test('shows of every write whether it can be undone; what costs credits says by which unit', () => {
    const writes = everyOperation.filter(({ address, method }) => method !== 'get' && !address.startsWith('/idp/'))
    const silent = writes.filter(({ operation }) => typeof operation['x-rolocom-reversible'] !== 'boolean')
    const priced = writes.filter(({ operation }) => operation['x-rolocom-cost'])

    // It reads.
    expect(silent.map(({ method, address }) => `${method} ${address}`)).toEqual([
      'post /api/crm/v1/imports/{import_id}/preview',
      'post /api/crm/v1/imports/{import_id}/check',
    ])
    expect(priced.map(({ address }) => address).sort()).toEqual([
      '/api/enrich/v1/jobs',
      '/api/enrich/v1/jobs/batch',
      '/api/enrich/v1/jobs/{job_id}/retry',
      '/api/voice/v1/calls',
      '/hooks/agent',
      '/hooks/wake',
      '/hooks/{name}',
    ])
    for (const { operation } of priced) expect(operation['x-rolocom-cost']).toMatchObject({ unit: 'credit', per: expect.any(String) })
  })

  test('has no inline enums, and no defaults in bodies, which generators treat as required', () => {
    const inline: string[] = []
    const visit = (part: Json, at: string): void => {
      if (part === null || typeof part !== 'object') return
      if (Array.isArray(part.enum) && !/^\/components\/schemas\/\w+$/.test(at)) inline.push(at)
      if ('default' in part && !at.includes('/parameters/')) inline.push(`${at} has a default`)
      for (const [key, inner] of Object.entries(part)) if (key !== 'example') visit(inner, `${at}/${key}`)
    }
    visit(document, '')

    expect(inline).toEqual([])
    expect(document.components.schemas.CallStatus).toEqual({
      type: 'string',
      title: 'CallStatus',
      enum: ['busy', 'canceled', 'completed', 'failed', 'in_progress', 'no_answer', 'queued', 'ringing'],
      description: 'State of the telephone line. Busy, canceled, completed, failed and no answer are final.',
    })
  })

  test('marks ids with a format, and documents strings that are empty while unknown', () => {
    const { Call, NewCall, Actor, Suggestion } = document.components.schemas

    expect([Call.properties.id.format, NewCall.properties.agent_id.format, Suggestion.properties.job_id.format]).toEqual(
      Array(3).fill('uuid'),
    )
    expect(Actor.properties.id.format).toBeUndefined()
    expect(Call.properties.outcome).toEqual({
      anyOf: [{ $ref: '#/components/schemas/CallOutcome' }, { type: 'string', const: '' }],
      description: 'Its outcome, once it is over. Empty while unknown.',
    })
    expect(document.info.contact).toEqual({ name: 'The operator of this server' })
  })

  test('has examples that match their schemas', () => {
    const ajv = new Ajv2020.default({ strict: false, allErrors: true })
    addFormats.default(ajv)
    ajv.addSchema(document, 'openapi')
    const bodies = everyOperation.flatMap(({ address, method, operation }) => [
      ...(operation.requestBody
        ? [{ at: `${method} ${address} request`, media: operation.requestBody.content['application/json'] ?? {} }]
        : []),
      ...Object.entries<Json>(operation.responses).flatMap(([status, response]) =>
        response.content ? [{ at: `${method} ${address} ${status}`, media: response.content['application/json'] ?? {} }] : [],
      ),
    ])

    const wrong = bodies
      .filter(({ media }) => media.example !== undefined)
      .flatMap(({ at, media }) => {
        const schema = JSON.parse(JSON.stringify(media.schema).replaceAll('"#/', '"openapi#/'))
        return ajv.validate(schema, media.example) ? [] : [`${at}: ${ajv.errorsText()}`]
      })

    expect(wrong).toEqual([])
    expect(bodies.length).toBeGreaterThan(routes.length)
  })
})
