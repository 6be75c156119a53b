// A guest of the demo organization meets no error: each query of the app's pages runs for a guest, save those of pages for accounts.

import { globSync, readFileSync } from 'node:fs'
import { type DefinitionNode, type FragmentDefinitionNode, Kind, type OperationDefinitionNode, parse, print, visit } from 'graphql'
import { expect, test } from 'vitest'
import { seedDemo } from '../../prisma/seed/seed.ts'
import { type Json, openApp } from '../support/app.ts'

const app = await openApp()
await seedDemo(app.services)
const guest = (query: string, variables: Json = {}) => app.graphql(query, variables, { headers: { 'x-guest-id': 'guest-1' } })

// The pages do not ask these for a guest: they are about an account, or about what only members do.
const forAccounts: Record<string, string> = {
  ...{ ApplicationRequest: 'signs a program in', Device: 'signs a device in', OAuthRequest: 'lets a client in' },
  ...{ ApiKeys: 'settings', Members: 'settings', Invitations: 'settings', Sessions: 'settings', WidgetKeys: 'settings' },
  LatestArchive: 'settings of an owner',
  ...{ ConnectedClients: 'settings', WebhookEndpoint: 'settings', WebhookDelivery: 'settings', WebhookEndpoints: 'settings' },
  ...{ WebhookDeliveries: 'settings', OwnersToChoose: 'editing', OpenInvitations: 'the checklist of an owner' },
  ...{ TestHook: 'tries a hook', ImportToMap: 'an import', ImportRows: 'an import', CheckImport: 'an import' },
  ...{ AgentSessions: 'Assistant', AgentRuns: 'Assistant', SystemEvents: 'Assistant', AgentDeliveries: 'Assistant' },
  ...{ GatewayHooks: 'Assistant', HookPayloads: 'Assistant', WebhookChoices: 'settings', Start: 'the checklist of an owner' },
  ...{ Inbox: 'an inbox', InboxCount: 'an inbox', InboxItem: 'an inbox', InboxPreferences: 'an inbox', AssignmentRule: 'members' },
  ...{
    BulkChangeProgress: 'a change of many',
    CompanyBulkChangeProgress: 'a change of many',
    DealBulkChangeProgress: 'a change of many',
    EmbeddedWidget: 'has a key of its own',
    AgentRunPanel: 'a run',
    AgentConversation: 'a run',
  },
}

const definitions: DefinitionNode[] = globSync('src/web/**/*.graphql').flatMap(file => parse(readFileSync(file, 'utf8')).definitions)
const isFragment = (one: DefinitionNode): one is FragmentDefinitionNode => one.kind === Kind.FRAGMENT_DEFINITION
const fragments = new Map(definitions.filter(isFragment).map(one => [one.name.value, one]))
const queries = definitions.filter(
  (one): one is OperationDefinitionNode => one.kind === Kind.OPERATION_DEFINITION && one.operation === 'query',
)

function documentOf(query: OperationDefinitionNode): string {
  const used = new Map<string, DefinitionNode>()
  const collect = (node: DefinitionNode) =>
    visit(node, {
      FragmentSpread({ name: { value } }) {
        const fragment = fragments.get(value)
        if (!fragment || used.has(value)) return
        used.set(value, fragment)
        collect(fragment)
      },
    })
  collect(query)
  return [query, ...used.values()].map(print).join('\n').replaceAll(' @live', '')
}

const { data } = (
  await guest(`{ contacts(first: 2) { nodes { id orgId } } calls(first: 1) { nodes { id } } voiceAgents(first: 1) { nodes { id } }
    tasks(first: 1) { nodes { id } } enrichmentJobs(first: 1) { nodes { id } } dashboardWidgets { id }
    companies(first: 2) { nodes { id } } deals(first: 1) { nodes { id } } pipelines { stages { id pipelineId } } }`)
).body
const [{ id: stageId, pipelineId }] = data.pipelines[0].stages

const idIn = (list: string) => data[list].nodes[0].id
const idFor: readonly (readonly [RegExp, string])[] = [
  [/^(VoiceAgent|CallsOfAgent)/, idIn('voiceAgents')],
  [/^Call/, idIn('calls')],
  [/^Company/, idIn('companies')],
  [/^Deal/, idIn('deals')],
  [/^Task/, idIn('tasks')],
  [/^EnrichmentJob/, idIn('enrichmentJobs')],
  [/^DashboardWidget/, data.dashboardWidgets[0].id],
  [/./, idIn('contacts')],
]
const others: Json = {
  // Of timelines and views, as the pages ask.
  first: 30,
  timezone: 'Europe/Berlin',
  q: 'anna',
  query: 'anna',
  pipelineId,
  stageId,
  companyId: idIn('companies'),
}
const pairOf = (list: string): Json => ({ winnerId: data[list].nodes[0].id, loserId: data[list].nodes[1].id })

test.each(
  queries.map(query => [query.name?.value ?? '', query] as const).filter(([name]) => !(name in forAccounts)),
)('%s runs for a guest', async (name, query) => {
  const asked = (query.variableDefinitions ?? []).map(({ variable }) => variable.name.value)
  const id = idFor.find(([pattern]) => pattern.test(name))?.[1]
  const known: Json = { ...others, ...pairOf(name.startsWith('Company') ? 'companies' : 'contacts'), id }
  const variables = Object.fromEntries(asked.filter(one => one in known).map(one => [one, known[one]]))

  const { status, body } = await guest(documentOf(query), variables)

  expect([status, body.errors]).toEqual([200, undefined])
})

test('no query of a page for accounts is listed that does not exist', () => {
  const names = new Set(queries.map(({ name }) => name?.value))
  expect(Object.keys(forAccounts).filter(name => !names.has(name))).toEqual([])
})
