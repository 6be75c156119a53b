// Everything that can be read: each GET of REST, and each field of the schema by each way that leads to it from a root.

import {
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  isAbstractType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql'
import { publicOf } from '../../../src/graphql/schema/public.ts'
import { schema as wholeSchema } from '../../../src/graphql/schema/root.ts'
import { routes } from '../../../src/rest/routes/routes.ts'
import { nouns, oneOf, records } from '../../support/nouns.ts'
import type { Seeded } from './marked.ts'

const schema = publicOf(wholeSchema)

export interface Question {
  method: string
  path: string
  body?: unknown
}
type Ids = Seeded['ids']

/** The reads of REST, and the writes that answer with something they did not write or refuse with something they know. */
export function restQuestions(ids: Ids): Question[] {
  const reads = routes.filter(({ method }) => method === 'GET')
  const contact = `/api/crm/v1/contacts/${ids.contact}`
  const email = 'marked-contact-email@example.com'
  return [
    ...reads.map(({ method, path }) => ({ method, path: path.replace(/\{(\w+)_id\}/g, (_, noun: keyof Ids) => ids[noun]) })),
    { method: 'POST', path: '/api/crm/v1/contacts', body: { email } },
    { method: 'POST', path: '/api/crm/v1/contacts?on_conflict=skip', body: { email } },
    { method: 'POST', path: '/api/crm/v1/contacts/batch', body: { contacts: [{ email }] } },
    { method: 'PUT', path: '/api/crm/v1/contacts?match=email', body: { email } },
    { method: 'PATCH', path: contact, body: { last_name: 'Changed' } },
    ...nouns.map(({ path, id }) => ({ method: 'PATCH', path: `${path}/${ids[id]}`, body: {} })),
    { method: 'PATCH', path: `/api/webhooks/v1/endpoints/${ids.endpoint}`, body: {} },
    { method: 'POST', path: `/api/voice/v1/agents/${ids.agent}/signing-secret`, body: {} },
    { method: 'PATCH', path: `/api/voice/v1/agents/${ids.agent}`, body: {} },
    { method: 'POST', path: `/api/voice/v1/calls/${ids.call}/cancel`, body: {} },
    // More than there is to pay with; asked before what is reserved changes.
    { method: 'POST', path: '/api/voice/v1/calls', body: { agent_id: ids.agent, to_number: '+442079460999', max_duration_seconds: 7200 } },
    { method: 'POST', path: `/api/voice/v1/calls/${ids.laterCall}/cancel`, body: {} },
    { method: 'POST', path: `/api/enrich/v1/suggestions/${ids.staleSuggestion}/accept`, body: {} },
    { method: 'POST', path: `/api/enrich/v1/suggestions/${ids.suggestion}/reject`, body: {} },
  ]
}

/** What the root fields are asked with. */
const argumentsOf = (ids: Ids): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(
    nouns.flatMap((noun): [string, string][] => [
      [`Query.${oneOf(noun)}`, `(id: "${ids[noun.id]}")`],
      [`Mutation.update${noun.name}`, `(input: { id: "${ids[noun.id]}" })`],
    ]),
  ),
  'Query.voiceAgent': `(id: "${ids.agent}")`,
  'Query.agentRun': `(id: "${ids.job}")`,
  'Query.call': `(id: "${ids.call}")`,
  'Query.contact': `(id: "${ids.contact}")`,
  ...Object.fromEntries(records.map(({ id }) => [`Query.${id}BulkChange`, `(id: "${ids.import}")`])),
  'Query.contactImport': `(id: "${ids.import}")`,
  'Query.contactImportWarnings': `(id: "${ids.import}")`,
  'Query.contactImportRows': `(id: "${ids.import}")`,
  'Query.checkContactImport': `(id: "${ids.import}")`,
  'Query.previewContactImport': `(id: "${ids.import}")`,
  'Query.enrichmentJob': `(id: "${ids.job}")`,
  'Query.groupCalls': '(by: [{ field: ENDED_REASON }, { field: CONTACT_ID }], sumOf: CREDITS_CHARGED)',
  'Query.groupCompanies': '(by: [{ field: TAG }, { field: CITY }])',
  'Query.groupContacts': '(by: [{ field: TAG }, { field: CITY }])',
  'Query.groupSuggestions': '(by: [{ field: FIELD }, { field: HOST_APP }])',
  'Query.groupCreditTransactions': '(by: [{ field: REFERENCE }, { field: OPERATION }], sumOf: SPENT)',
  'Query.dashboardWidget': `(id: "${ids.view}")`,
  'Query.embeddedWidget': `(id: "${ids.view}", key: "rcw_none")`,
  'Query.applicationRequest': '(redirectUri: "http://127.0.0.1:1/", codeChallenge: "x", clientName: "x")',
  'Query.oauthRequest': '(clientId: "x", redirectUri: "http://127.0.0.1:1/")',
  'Query.deviceAuthorization': '(userCode: "x")',
  'Query.node': `(id: "${ids.contact}")`,
  'Query.nodes': `(ids: ${JSON.stringify(Object.values(ids))})`,
  'Query.operation': `(id: "${ids.operation}")`,
  'Query.webhookEndpoint': `(id: "${ids.endpoint}")`,
  'Query.webhookDelivery': `(id: "${ids.delivery}")`,
  'Query.duplicatesOf': `(contactId: "${ids.contact}")`,
  'Query.companyDuplicatesOf': `(companyId: "${ids.company}")`,
  'Query.companyMergePreview': `(winnerId: "${ids.company}", loserId: "${ids.company}")`,
  'Query.mergePreview': `(winnerId: "${ids.contact}", loserId: "${ids.contact}")`,
  'Query.search': '(query: "marked")',
  'Query.testHook': '(input: { name: "wake", payload: { text: "a" } })',
  'Query.suggestion': `(id: "${ids.suggestion}")`,
  'Mutation.logNote': `(input: { contactId: "${ids.contact}", text: "marked-contact-note" })`,
  'Mutation.revealSigningSecret': `(input: { id: "${ids.agent}" })`,
  'Mutation.updateWebhookEndpoint': `(input: { id: "${ids.endpoint}" })`,
  'Mutation.updateVoiceAgent': `(input: { id: "${ids.agent}" })`,
  'Mutation.cancelCall': `(input: { id: "${ids.laterCall}" })`,
  'Mutation.rejectSuggestion': `(input: { id: "${ids.suggestion}" })`,
  'Mutation.enqueueEnrichment': `(input: { target: { hostApp: "rolocom", id: "${ids.contact}", kind: "contact" }, recipe: "phone" })`,
})

/** A document for each object that a query can reach, with all its leaves; and for those that harmless mutations answer with. */
export function graphqlQuestions(ids: Ids): string[] {
  const given = argumentsOf(ids)
  const documents = (root: GraphQLObjectType | null | undefined, keyword: string, isMeant: (name: string) => boolean) =>
    Object.values(root?.getFields() ?? {}).flatMap(field => {
      const name = `${root?.name}.${field.name}`
      if (!isMeant(name)) return []
      if (given[name] === undefined && field.args.some(isRequiredArgument)) throw new Error(`${name} needs arguments here`)
      return selections(field, []).map(selection => `${keyword} { ${field.name}${given[name] ?? ''} ${selection} }`)
    })
  return [
    ...documents(schema.getQueryType(), 'query', () => true),
    ...documents(schema.getMutationType(), 'mutation', name => given[name] !== undefined),
  ]
}

/** The subscriptions that keys may follow, each with everything next to it and one step further. */
export const subscriptionQuestions = (): string[] =>
  Object.values(schema.getSubscriptionType()?.getFields() ?? {}).flatMap(field =>
    selections(field, []).map(selection => `subscription { ${field.name} ${selection} }`),
  )

/** `{ a { b { leaves } } }` for each object below the field; no type is passed through twice. */
function selections(field: GraphQLField<unknown, unknown>, above: readonly string[]): string[] {
  const type = getNamedType(field.type)
  // The types that it may be, each with its leaves: what they lead to is reached by their own fields.
  if (isAbstractType(type))
    return schema.getPossibleTypes(type).map(possible => `{ ... on ${possible.name} { ${leavesOf(possible).join(' ')} } }`)
  if (!isObjectType(type)) return ['']
  if (above.includes(type.name)) return []
  const fields = Object.values(type.getFields()).filter(({ args }) => !args.some(isRequiredArgument))
  const leaves = leavesOf(type)
  const below = fields
    // `nodes` says what `edges` say.
    .filter(({ name }) => name !== 'edges')
    .flatMap(one => selections(one, [...above, type.name]).flatMap(inner => (inner === '' ? [] : [`{ ${one.name} ${inner} }`])))
  return [...(leaves.length > 0 ? [`{ ${leaves.join(' ')} }`] : []), ...below]
}

const leavesOf = (type: GraphQLObjectType): string[] =>
  Object.values(type.getFields()).flatMap(({ name, type, args }) =>
    isLeafType(getNamedType(type)) && !args.some(isRequiredArgument) ? [name] : [],
  )
