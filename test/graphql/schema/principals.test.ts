// Authorization: every root field with every kind of caller. A field that is missing from the table fails the test.

import { beforeEach, describe, expect, test } from 'vitest'
import { publicOf } from '../../../src/graphql/schema/public.ts'
import { schema as wholeSchema } from '../../../src/graphql/schema/root.ts'
import { type Role, roles, scopes } from '../../../src/kernel/principal.ts'
import { type Json, openApp, serviceToken } from '../../support/app.ts'
import { ofOtherDoors } from './other-doors.ts'
import { matrix } from './principal-table.ts'

const userIds = new Map<Role, string>()
const headersOf = new Map<string, Record<string, string>>([['nobody', {}]])

async function signIn(): Promise<string> {
  const user = { email: 'identity@example.com', password: 'correct horse battery', name: 'Identity' }
  const { body } = await app.rest('POST', '/idp/sign-up/email', { body: user, headers: { origin: app.url } })
  const token = await app.rest('GET', '/idp/token', { session: body.token })
  return token.body.token
}

const app = await openApp({ env: { ALLOW_USER_HEADER: '1' } })
const { userId: ownerId, orgId } = await app.given.organization()
userIds.set('owner', ownerId)
const { userId } = await app.given.organization()
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
for (const scope of ['*', ...scopes] as const)
  headersOf.set(`key:${scope}`, bearer((await app.given.apiKey({ orgId, scopes: [scope] })).key))
for (const role of roles.filter(role => role !== 'owner')) userIds.set(role, (await app.given.member({ orgId, role })).userId)
const viewer = await app.given.member({ orgId, role: 'viewer' })
headersOf.set('key of viewer', bearer((await app.given.apiKey({ orgId, userId: viewer.userId })).key))
headersOf.set('user header', { 'x-user-id': userId })
headersOf.set('service', { 'x-svc-services-token': serviceToken })
headersOf.set('identity', bearer(await signIn()))
headersOf.set('guest', { 'x-guest-id': 'guest' })
await app.services.database.prisma.organization.create({
  data: { id: '019a0000-0000-7000-8000-00000000de70', name: 'Demo', isDemo: true },
})

// Some root fields sign out.
beforeEach(async () => {
  for (const [role, userId] of userIds)
    if (!headersOf.has(role) || (await codeOf('{ session { id } }', role)) === 'UNAUTHENTICATED')
      headersOf.set(role, { authorization: `Bearer ${(await app.given.session({ userId })).session}` })
})

/**
 * Answers to a caller who may ask. The ids in the documents are of nothing: a field that is given one finds nothing, or refuses its input
 * before. Only `node` and `nodes` answer null, and lists without rows.
 */
const admitted = (field: string, document: string): readonly string[] =>
  namesNothing.test(document) && !field.startsWith('Query.node')
    ? ['NOT_FOUND', 'INVALID', 'CONFLICT']
    : ['none', 'NOT_FOUND', 'INVALID', 'CONFLICT']
const namesNothing = /019a0000-0000-7000-8000-00000000000/

async function codeOf(document: string, caller: string): Promise<string | undefined> {
  const leaving = new AbortController()
  const response = await fetch(`${app.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headersOf.get(caller) },
    body: JSON.stringify({ query: document }),
    signal: leaving.signal,
  })
  // An accepted subscription has no events yet.
  const silence = setTimeout(() => leaving.abort(), document.startsWith('subscription') ? 500 : 20_000)
  const text = await response.text().catch(() => null)
  clearTimeout(silence)
  if (text === null) return undefined
  return JSON.parse(text.replace(/^[\s\S]*?data: (.*)\n[\s\S]*$/, '$1')).errors?.[0].extensions.code
}

const rootFieldsOf = (schema: typeof wholeSchema) =>
  [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].flatMap(root =>
    Object.keys(root?.getFields() ?? {}).map(name => `${root?.name}.${name}`),
  )

describe('every root field', () => {
  const fields = rootFieldsOf(publicOf(wholeSchema))

  test('is in the table, and every row of the table is a root field', () =>
    expect(Object.keys(matrix).toSorted()).toEqual(fields.toSorted()))

  const rows = Object.entries(matrix)
  for (const [field, [document, callers]] of rows)
    test(`${field} is for ${callers.join(', ')}`, async () => {
      const isMutation = field.startsWith('Mutation')
      const expected: Record<string, string> = {}
      const actual: Record<string, string | undefined> = {}

      const ask = async (caller: string) => {
        const code = await codeOf(document, caller)
        const refusal = ['nobody', 'identity', 'service'].includes(caller)
          ? 'UNAUTHENTICATED'
          : caller === 'guest' && isMutation
            ? 'GUEST_READ_ONLY'
            : 'FORBIDDEN'
        expected[caller] = (callers as readonly string[]).includes(caller) ? 'allowed' : refusal
        // Any other code is no answer to who asks: a server that is busy or broken fails the test by the name of its error.
        actual[caller] = admitted(field, document).includes(code ?? 'none') ? 'allowed' : (code ?? 'none')
      }
      // A mutation may end the session of another caller.
      if (isMutation) for (const caller of headersOf.keys()) await ask(caller)
      else await Promise.all([...headersOf.keys()].map(ask))

      expect(actual).toEqual(expected)
    })
})

describe('what only other doors run', () => {
  test('is what the whole schema has and the public one has not', () => {
    const visible = new Set(rootFieldsOf(publicOf(wholeSchema)))
    expect(new Set(rootFieldsOf(wholeSchema).filter(name => !visible.has(name)))).toEqual(new Set(Object.keys(ofOtherDoors)))
  })

  test.each(Object.entries(ofOtherDoors))('%s is unknown to every caller', async (field, document) => {
    const [type, name] = field.split('.')
    for (const caller of headersOf.keys()) {
      // Refused before the document is read.
      if (['identity', 'service'].includes(caller)) continue
      const { body } = await app.graphql(document, {}, { headers: headersOf.get(caller) ?? {} })
      if (caller === 'guest' && type === 'Mutation') expect(body.errors[0].extensions.code).toBe('GUEST_READ_ONLY')
      else
        expect([caller, body.errors[0]]).toMatchObject([
          caller,
          { message: expect.stringContaining(`Cannot query field "${name}" on type "${type}".`), extensions: { code: 'INVALID' } },
        ])
    }
  })

  test('is not in the introspection, nor are its types and the spelling of REST', async () => {
    const { body } = await app.graphql(
      '{ __schema { types { name } mutationType { fields { name } } } __type(name: "Suggestion") { fields { name } } }',
      {},
      { headers: headersOf.get('user header') ?? {} },
    )
    const types = body.data.__schema.types.map(({ name }: Json) => name)
    expect(types.filter((name: string) => /^(Adjust|Deduct|Grant|Void|RecordProviderEvent|EventReceipt)/.test(name))).toEqual([])
    expect(body.data.__type.fields.map(({ name }: Json) => name)).not.toContain('wireField')
    expect(body.data.__schema.mutationType.fields.map(({ name }: Json) => name)).not.toContain('grantCredits')
  })
})

describe('guests', () => {
  const guest: Record<string, string> = { 'x-guest-id': 'guest' }

  test('every mutation is GUEST_READ_ONLY, with every required scope, and with an Idempotency-Key too', async () => {
    for (const [field, [document]] of Object.entries(matrix).filter(([name]) => name.startsWith('Mutation.')))
      for (const headers of [guest, { ...guest, 'idempotency-key': `guest-${field}` }]) {
        const { status, body } = await app.graphql(document, {}, { headers })
        expect([status, body]).toEqual([
          200,
          {
            errors: [
              { message: 'Guests may only read', extensions: { code: 'GUEST_READ_ONLY', status: 403, requestId: expect.any(String) } },
            ],
          },
        ])
      }
  })

  test('a mutation in a document with a query is not executed', async () => {
    const query = 'query A { me { isGuest } } mutation B { createContact(input: { email: "guest@example.com" }) { id } }'
    const ask = (operationName: string) => app.rest('POST', '/graphql', { body: { query, operationName }, headers: guest })

    expect((await ask('B')).body.errors[0].extensions.code).toBe('GUEST_READ_ONLY')
    expect((await ask('A')).body).toEqual({ data: { me: { isGuest: true } } })
    expect(await app.services.database.prisma.contact.count()).toBe(0)
  })
})
