// Every door that reads a body, with the fields that an attacker can make large.

import { documents, queries } from './documents.ts'
import { type Attacked, hookToken, serviceToken } from './server.ts'

export interface Door {
  name: string
  method: string
  path: string
  headers: Record<string, string>
  fields: string[]
  /** Bodies by name, sent instead of bodies with those fields; undefined: no body. */
  bodies?: Record<string, string | undefined>
  /** Wraps a body of the door, for example as GraphQL variables. */
  around?: (body: string) => string
}

const operation = (query: string) => (body: string) => `{"query":${JSON.stringify(query)},"variables":${body}}`

/** Returns the doors. Creates a contact and a custom field with 200 long options, which errors could repeat. */
export async function doors(server: Attacked): Promise<Door[]> {
  const key = { authorization: `Bearer ${server.key}` }
  const options = Array.from({ length: 200 }, (_, index) => `${index} ${'o'.repeat(90)}`)
  const define = 'mutation ($input: CreateCustomFieldInput!) { createCustomField(input: $input) { key } }'
  const input = { key: 'many', label: 'Many', type: 'MULTI_SELECT', options }
  await server.ask('POST', '/graphql', { headers: key, body: { query: define, variables: { input } } })
  const contact = await server.ask('POST', '/api/crm/v1/contacts', { headers: key, body: { email: 'target@example.com' } })
  const address = `/api/crm/v1/contacts/${contact.body.id}`

  const rest = (method: string, path: string, fields: string[], headers: Record<string, string> = key): Door => ({
    name: `${method} ${path.replace(address, '/api/crm/v1/contacts/{id}')}`,
    method,
    path,
    headers,
    fields,
  })
  const service = { 'x-svc-services-token': serviceToken }
  const hook = { authorization: `Bearer ${hookToken}` }
  const graphql = (who: string, headers: Record<string, string>, query: string, fields: string[]): Door => ({
    name: `GraphQL, ${who}`,
    method: 'POST',
    path: '/graphql',
    headers,
    fields,
    around: operation(query),
  })
  const create = 'mutation ($input: CreateContactInput!) { createContact(input: $input) { id } }'
  const search = 'query ($filter: ContactFilter) { contacts(filter: $filter) { nodes { id } } }'
  const inInput = (name: string) => (body: string) =>
    operation(create)(`{"input":{"email":"a@example.com",${JSON.stringify(name)}:${body}}}`)
  return [
    rest('POST', '/api/crm/v1/contacts', ['email', 'tags', 'custom']),
    {
      ...rest('POST', '/api/crm/v1/contacts', ['many']),
      name: 'POST contacts, options',
      around: body => `{"email":"a@example.com","custom":${body}}`,
    },
    rest('PUT', '/api/crm/v1/contacts?match=email', ['tags']),
    rest('PATCH', address, ['add_tags', 'remove_tags', 'custom']),
    rest('POST', '/api/crm/v1/contacts/batch', ['contacts']),
    rest('POST', '/api/voice/v1/calls', ['agent_id', 'variables', 'metadata', 'schedule']),
    rest('POST', '/api/voice/v1/agents', ['name', 'extraction', 'instructions']),
    rest('POST', '/api/enrich/v1/jobs', ['target', 'options']),
    rest('POST', '/api/enrich/v1/jobs/batch', ['jobs']),
    rest('POST', '/api/enrich/v1/suggestions/bulk', ['rule']),
    {
      ...rest('POST', '/api/enrich/v1/suggestions/bulk', ['ids']),
      name: 'POST suggestions/bulk, ids',
      around: body => `{"decision":"accept","rule":${body}}`,
    },
    rest('POST', '/api/auth/session', ['x']),
    rest('POST', '/api/credits/deduct', ['user_id', 'amount', 'reference'], service),
    rest('POST', '/api/credits/grant', ['category'], service),
    graphql('key', key, create, ['input']),
    { ...graphql('key, tags', key, create, []), fields: [], around: inInput('tags') },
    { ...graphql('key, custom', key, create, ['many']), around: inInput('custom') },
    graphql('key, rows', key, 'mutation ($input: [CreateContactInput!]!) { batchContacts(input: { contacts: $input }) { failed } }', [
      'input',
    ]),
    graphql('guest', { 'x-guest-id': 'attack' }, search, ['filter']),
    graphql('anonymous', {}, search, ['filter']),
    {
      name: 'GraphQL, members',
      method: 'POST',
      path: '/graphql',
      headers: {},
      fields: ['query', 'variables', 'extensions', 'operationName'],
    },
    ...(
      [
        ['key', key],
        ['guest', { 'x-guest-id': 'attack' }],
        ['anonymous', {}],
      ] as const
    ).map(
      ([who, headers]): Door => ({
        name: `GraphQL document, ${who}`,
        method: 'POST',
        path: '/graphql',
        headers,
        fields: [],
        bodies: Object.fromEntries(Object.entries(documents).map(([name, query]) => [name, JSON.stringify({ query })])),
      }),
    ),
    ...Object.entries(queries).flatMap(([name, query]) =>
      ['/api/crm/v1/contacts', '/api/voice/v1/calls', '/api/enrich/v1/suggestions', '/api/crm/v1/stats'].map(
        (path): Door => ({
          name: `GET ${path}`,
          method: 'GET',
          path: `${path}?${query}`,
          headers: key,
          fields: [],
          bodies: { [name]: undefined },
        }),
      ),
    ),
    rest('POST', '/hooks/wake', ['text', 'mode'], hook),
    rest('POST', '/hooks/agent', ['message', 'to'], hook),
    rest('POST', '/hooks/agent', ['message'], {}),
    rest('POST', '/idp/sign-up/email', ['email', 'password', 'name'], {}),
    rest('POST', '/idp/sign-in/email', ['email'], {}),
    rest('POST', '/idp/sign-in/magic-link', ['email'], {}),
  ]
}
