// Stored answers of an Idempotency-Key that contain a secret, or data that a later sender of the key may not see.

import { type GraphQLObjectType, getNamedType, isObjectType, isScalarType } from 'graphql'
import { describe, expect, test } from 'vitest'
import { schema } from '../../../src/graphql/schema/root.ts'
import type { Scope } from '../../../src/kernel/principal.ts'
import { openApp } from '../../support/app.ts'
import { query } from '../../support/database/database.ts'

const app = await openApp({ env: { SIMULATOR_SPEED: '0' } })

const retry = { 'idempotency-key': 'once' }
const stored = async () =>
  (await query<{ answer: string }>(app.database.url, 'select answer from idempotency_keys')).map(({ answer }) => answer)

describe('strangers with the same Idempotency-Key and input', () => {
  const device = 'mutation { startDeviceAuthorization(input: { clientName: "Laptop" }) { deviceCode } }'
  const doors: Record<string, () => Promise<unknown>> = {
    REST: async () => (await app.rest('POST', '/api/auth/device', { body: { client_name: 'Laptop' }, headers: retry })).body.device_code,
    GraphQL: async () => (await app.graphql(device, {}, { headers: retry })).body.data.startDeviceAuthorization.deviceCode,
    'GraphQL, named by its operation': async () =>
      (await app.graphql(`mutation Begin${device.slice(8)}`, {}, { headers: retry })).body.data.startDeviceAuthorization.deviceCode,
  }
  test.each(Object.entries(doors))('by %s get a device code each, and nothing is stored', async (_door, begin) => {
    const before = (await stored()).length

    const [first, second] = [await begin(), await begin()]

    expect([first, second]).toEqual([expect.stringMatching(/^[\w-]{43}$/), expect.stringMatching(/^[\w-]{43}$/)])
    expect(first).not.toBe(second)
    expect((await stored()).length).toBe(before)
  })

  test('do not get the session that the first of them opened', async () => {
    const { session } = await app.given.session()
    const { body: begun } = await app.rest('POST', '/api/auth/device', { body: { client_name: 'Laptop' } })
    await app.graphql(`mutation { approveDevice(input: { userCode: "${begun.user_code}" }) { status } }`, {}, { session })
    const open = () => app.rest('POST', '/api/auth/session', { body: { device_code: begun.device_code }, headers: retry })

    const [first, second] = [await open(), await open()]

    expect([first.status, second.status, second.body.code]).toEqual([201, 400, 'invalid_grant'])
    expect(second.headers.get('idempotent-replayed')).toBe(null)
  })

  test('are not asked for a key by the reference', async () => {
    const { body } = await app.rest('GET', '/openapi.json')
    const names = (path: string) => body.paths[path].post.parameters.map(({ $ref }: { $ref?: string }) => $ref?.split('/').at(-1))

    expect(names('/api/auth/device')).not.toContain('IdempotencyKey')
    expect(names('/api/crm/v1/contacts')).toContain('IdempotencyKey')
  })
})

describe('an answer that shows a secret', () => {
  test('is stored encrypted, for every operation and door', async () => {
    const { key } = await app.given.apiKey()
    const { body: agent } = await app.rest('POST', '/api/voice/v1/agents', { key, body: { name: 'Secretive' } })
    const path = `/api/voice/v1/agents/${agent.id}/signing-secret`

    const shown = await app.rest('POST', path, { key, headers: retry })
    const rotated = await app.rest('POST', `${path}/rotate`, { key, headers: retry })
    const again = await app.rest('POST', `${path}/rotate`, { key, headers: retry })
    const reveal = `mutation { revealSigningSecret(input: { id: "${agent.id}" }) { voiceAgent { id } ... on SigningSecret { all: secrets } } }`
    const asked = await app.graphql(reveal, {}, { key, headers: retry })

    expect([shown.status, rotated.status, again.headers.get('idempotent-replayed')]).toEqual([200, 200, 'true'])
    expect(again.body).toEqual(rotated.body)
    expect(asked.body.data.revealSigningSecret.all).toEqual(rotated.body.secrets)
    const answers = await stored()
    expect(answers.filter(answer => answer.includes('encrypted:'))).toHaveLength(3)
    for (const secret of rotated.body.secrets) expect(answers.join('\n')).not.toContain(secret.slice(6, 30))
  })

  test("is replayed to its caller only: another member's equal Idempotency-Key is another key", async () => {
    const { session, orgId } = await app.given.session()
    const other = await app.given.organization()
    await app.services.database.prisma.membership.create({ data: { organizationId: orgId, userId: other.userId, role: 'member' } })
    const { session: member } = await app.given.session({ userId: other.userId })
    const create = 'mutation { createApiKey(input: { label: "CI" }) { key } }'
    const keyOf = async (token: string) => {
      const { body } = await app.graphql(create, {}, { session: token, headers: { ...retry, 'x-org-id': orgId } })
      return body.data.createApiKey.key
    }

    const mine = await keyOf(session)

    expect(await keyOf(session)).toBe(mine)
    expect(await keyOf(member)).not.toBe(mine)
  })

  test('of an agent is not replayed to another API key, whose own scopes are checked', async () => {
    const { key, orgId } = await app.given.apiKey()
    const { key: other } = await app.given.apiKey({ orgId })
    const { body: agent } = await app.rest('POST', '/api/voice/v1/agents', { key, body: { name: 'Secretive' } })
    const path = `/api/voice/v1/agents/${agent.id}/signing-secret`

    await app.rest('POST', path, { key, headers: retry })
    const answer = await app.rest('POST', path, { key: other, headers: retry })

    expect([answer.status, answer.headers.get('idempotent-replayed')]).toEqual([200, null])
  })

  test('is recognized by its field: every field named like a secret, key or token is marked', () => {
    // A token that is always null, and names of things.
    const harmless = [
      'Session.sessionToken',
      'SignInOptions.password',
      'CustomField.key',
      'CustomFieldConditions.key',
      'DashboardWidgetKeyName.key',
      'HookAction.idempotencyKey',
      'HookMapping.idempotencyKey',
      'HookMapping.sessionKey',
      'Operation.idempotencyKey',
      'ProviderEvent.eventKey',
      'AgentRun.sessionKey',
      'AcceptedRun.sessionKey',
      'AgentSession.key',
    ]
    const types = Object.values(schema.getTypeMap()).filter(
      (type): type is GraphQLObjectType => isObjectType(type) && !type.name.startsWith('__'),
    )
    const unmarked = types.flatMap(type =>
      Object.values(type.getFields())
        .filter(field => /(secrets?|key|token|password)$/i.test(field.name) && isScalarType(getNamedType(field.type)))
        .filter(field => field.extensions.isSecret !== true)
        .map(field => `${type.name}.${field.name}`),
    )

    expect(unmarked.filter(name => !harmless.includes(name))).toEqual([])
  })
})

describe('an answer with fields that need further scopes', () => {
  const note = (id: string) =>
    `mutation { logNote(input: { contactId: "${id}", text: "a" }) { id calls { nodes { metadata } } timeline { nodes { details } } } }`
  const placed = async () => {
    const { key, orgId, userId } = await app.given.apiKey()
    const { body: agent } = await app.rest('POST', '/api/voice/v1/agents', { key, body: { name: 'CallFixture' } })
    const body = { agent_id: agent.id, to_number: '+442079460123', metadata: { a: 'for-readers-of-calls' } }
    const { body: call } = await app.rest('POST', '/api/voice/v1/calls', { key, body })
    const keyWith = async (...scopes: Scope[]) => (await app.given.apiKey({ orgId, scopes })).key
    return { key, orgId, userId, contactId: call.contact_id, keyWith }
  }

  test('is not replayed to a key without them', async () => {
    const { key, contactId, keyWith } = await placed()
    const ask = (by: string) => app.graphql(note(contactId), {}, { key: by, headers: retry })

    const first = await ask(key)
    const narrower = await ask(await keyWith('contacts:read', 'contacts:write'))

    expect(JSON.stringify(first.body)).toContain('for-readers-of-calls')
    expect(narrower.body).toEqual({
      errors: [
        {
          message: expect.stringContaining('further scopes'),
          extensions: { code: 'FORBIDDEN', status: 403, requestId: expect.any(String) },
        },
      ],
    })
  })

  test('is replayed to a key with the same scopes or more, such as its replacement', async () => {
    const { key, contactId, keyWith } = await placed()
    const scopes = ['contacts:read', 'contacts:write', 'calls:read'] as const
    const ask = (by: string) => app.graphql(note(contactId), {}, { key: by, headers: retry })

    const first = await ask(await keyWith(...scopes))

    expect((await ask(await keyWith(...scopes))).body).toEqual(first.body)
    expect((await ask(key)).body).toEqual(first.body)
    const { totalCount } = (await app.graphql(`{ contact(id: "${contactId}") { timeline { totalCount } } }`, {}, { key })).body.data.contact
      .timeline
    expect(totalCount).toBe(3)
  })
})
