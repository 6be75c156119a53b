// Client caches rely on this: an object with an `id` is identified by its type and id.

import {
  type GraphQLField,
  type GraphQLNamedOutputType,
  type GraphQLObjectType,
  getNamedType,
  isEnumType,
  isObjectType,
  isRequiredArgument,
  isScalarType,
} from 'graphql'
import { expect, test } from 'vitest'
import { publicOf } from '../../../src/graphql/schema/public.ts'
import { schema as wholeSchema } from '../../../src/graphql/schema/root.ts'
import { type Json, openApp } from '../../support/app.ts'
import { nouns, records } from '../../support/nouns.ts'

const schema = publicOf(wholeSchema)

const app = await openApp()

/** Types whose objects can be queried, changed or subscribed to by id. Other types refer to ids by other field names. */
const entities = [
  ...nouns.map(({ type }) => type),
  ...records.map(({ name }) => `${name}BulkChange`),
  // Messages of subscriptions: each event is told once.
  ...['AgentRunChange', 'AgentSessionChange', 'CallChange', 'Change', 'ContactChange', 'EnrichmentJobChange', 'SuggestionChange'],
  ...['SystemEventChange'],
  ...['AgentDelivery', 'AgentRun', 'AgentSession', 'AgentTurn', 'ApiKey', 'Call', 'Contact', 'CreditGrant'],
  ...['CreditReservation', 'CreditTransaction', 'CustomField', 'DeniedNumber', 'EnrichmentJob', 'Me', 'Organization', 'ProviderEvent'],
  ...['Pipeline', 'Recipe', 'Session', 'Stage', 'Suggestion', 'SystemEvent', 'TimelineEntry', 'VoiceAgent'],
  ...[
    'Archive',
    'ConnectedClient',
    'ContactImport',
    'Conversation',
    'DashboardWidget',
    'Invitation',
    'Member',
    'HookPayload',
    'InboxItem',
    'Operation',
    'OperationEvent',
    'OwnershipOffer',
    'Tag',
    'User',
    'WebhookDelivery',
    'WebhookEndpoint',
    'WidgetKey',
  ],
]

test('the types with an id are exactly the entities', () => {
  const types = Object.values(schema.getTypeMap()).filter(type => isObjectType(type) && !type.name.startsWith('__'))
  const identified = types.filter((type): type is GraphQLObjectType => isObjectType(type) && 'id' in type.getFields())

  expect(identified.map(type => `${type.name}: ${type.getFields().id?.type}`).toSorted()).toEqual(
    entities.map(name => `${name}: ID!`).toSorted(),
  )
})

test('in all objects of two organizations of one user, a type and id has one value for each field', async () => {
  const { session, orgId } = await app.given.session()
  const { createOrganization } = (await app.graphql('mutation { createOrganization(input: { name: "Second" }) { id } }', {}, { session }))
    .body.data
  for (const organization of [orgId, createOrganization.id]) await fill(session, organization)

  const seen = new Map<string, string>()
  const conflicts: string[] = []
  for (const organization of [orgId, createOrganization.id])
    for (const [name, selection] of readable()) {
      const { body } = await app.graphql(`{ ${name}${selection} }`, {}, { session, headers: { 'x-org-id': organization } })
      // These belong to the gateway's organization only.
      if (body.errors) expect(body.errors[0], name).toMatchObject({ message: expect.stringMatching(/^No |^The gateway of this server/) })
      for (const [key, value] of identifiedIn(body.data?.[name])) {
        if ((seen.get(key) ?? value) !== value) conflicts.push(`${key}: ${seen.get(key)} and ${value}`)
        seen.set(key, value)
      }
    }

  expect(conflicts).toEqual([])
  const types = new Set([...seen.keys()].map(key => key.split(':')[0]))
  expect([...types].toSorted()).toEqual(
    [
      'ApiKey',
      'Call',
      'Contact',
      'CreditGrant',
      'CreditTransaction',
      'CustomField',
      'DashboardWidget',
      'DeniedNumber',
      'EnrichmentJob',
      'Me',
    ].concat(['Member', 'Organization', 'Pipeline', 'Recipe', 'Session', 'Stage', 'TimelineEntry', 'User', 'VoiceAgent']),
  )
})

// Pairs that can be confused: rows, targets with the same id in two apps, steps with the same name in two recipes.
async function fill(session: string, orgId: string): Promise<void> {
  const ask = async (query: string) => {
    const { body } = await app.graphql(query, {}, { session, headers: { 'x-org-id': orgId } })
    expect(body.errors).toBeUndefined()
    return body.data
  }
  await ask('mutation { createApiKey(input: { label: "One", scopes: [ALL] }) { apiKey { id } } }')
  await ask('mutation { createCustomField(input: { key: "plan", label: "Plan", type: TEXT }) { id } }')
  await ask('mutation { denyNumber(input: { phone: "+15550199999" }) { id } }')
  for (const email of ['ada@example.com', 'grace@example.com']) await ask(`mutation { createContact(input: { email: "${email}" }) { id } }`)
  const { createVoiceAgent } = await ask('mutation { createVoiceAgent(input: { name: "One" }) { id } }')
  const later = new Date(Date.now() + 86_400_000).toISOString()
  const call = `voiceAgentId: "${createVoiceAgent.id}", toNumber: "+15550100123", schedule: { earliestAt: "${later}" }`
  for (let calls = 0; calls < 2; calls++) await ask(`mutation { createCall(input: { ${call} }) { id } }`)
  for (const [hostApp, recipe] of [
    ['hubspot', 'contact'],
    ['pipedrive', 'generic'],
  ])
    await ask(
      `mutation { enqueueEnrichment(input: { target: { hostApp: "${hostApp}", id: "1", kind: "contact" }, recipe: "${recipe}", options: { phone: "+442079460958" } }) { id } }`,
    )
}

/** The root fields without required arguments, each with all fields of two levels. */
const readable = () =>
  Object.values(schema.getQueryType()?.getFields() ?? {})
    .filter(field => isReadable(field) && isObjectType(getNamedType(field.type)))
    .map(field => [field.name, `${pageOf(field)} ${selectionOf(getNamedType(field.type), 2)}`] as const)

type Field = GraphQLField<unknown, unknown>
const isReadable = (field: Field) => !field.args.some(isRequiredArgument)
const pageOf = (field: Field) => (field.args.some(({ name }) => name === 'first') ? '(first: 3)' : '')

// Excluded: these have no ids and are expensive.
const excluded = ['edges', 'pageInfo', 'stats', 'fieldMeta']

function selectionOf(type: GraphQLNamedOutputType, depth: number): string {
  if (!isObjectType(type)) return ''
  const parts = Object.values(type.getFields())
    .filter(isReadable)
    .map(field => {
      const of = getNamedType(field.type)
      if (isScalarType(of) || isEnumType(of)) return field.name
      const selection = depth > 0 && !excluded.includes(field.name) ? selectionOf(of, field.name === 'nodes' ? depth : depth - 1) : ''
      return selection && `${field.name}${pageOf(field)} ${selection}`
    })
  return `{ __typename ${parts.filter(part => part !== '').join(' ')} }`
}

/** `Type:id.field` and its value for every object with an id. Fields with arguments are skipped; nested objects are visited. */
function* identifiedIn(value: Json): Generator<[string, string]> {
  if (Array.isArray(value)) for (const one of value) yield* identifiedIn(one)
  else if (value !== null && typeof value === 'object') {
    for (const [field, inner] of Object.entries(value)) {
      const isObject = JSON.stringify(inner).includes('"__typename"')
      if (value.id !== undefined && value.__typename !== undefined && !isObject)
        yield [`${value.__typename}:${value.id}.${field}`, JSON.stringify(inner)]
      if (isObject) yield* identifiedIn(inner)
    }
  }
}
