// The orders of lists: each ascends and descends through the same rows, in pages, and a cursor belongs to its order.

import { type GraphQLEnumType, getNamedType } from 'graphql'
import { describe, expect, test } from 'vitest'
import { schema } from '../../src/graphql/schema/root.ts'
import type { Json } from '../support/app.ts'
import { openGateway } from '../support/gateway.ts'

// Without workers: what is queued stays.
const gateway = await openGateway({ works: false })
const { owner } = gateway
const ask = gateway.ask.bind(gateway)
const { key } = await gateway.given.apiKey({ orgId: owner.orgId })
for (const name of ['Bea', 'ada', 'Čeněk']) {
  await ask('mutation ($name: String!) { createVoiceAgent(input: { name: $name, draft: true }) { id } }', { name })
  await ask('mutation ($text: String!) { wake(input: { text: $text, mode: NEXT_HEARTBEAT }) { eventId } }', { text: name })
  await ask('mutation ($input: StartAgentRunInput!) { startAgentRun(input: $input) { runId } }', {
    input: { message: name, sessionKey: `hook:${name.length}`, wakeMode: 'NEXT_HEARTBEAT', deliver: false },
  })
  const { createContact } = await ask('mutation ($input: CreateContactInput!) { createContact(input: $input) { id } }', {
    input: { lastName: name, email: `${name.length}${Math.random()}@example.com` },
  })
  await ask('mutation ($input: CreateTaskInput!) { createTask(input: $input) { id } }', {
    input: { contactId: createContact.id, title: name, dueAt: new Date(Date.now() + name.length * 1000).toISOString() },
  })
  await ask('mutation ($id: ID!) { enqueueEnrichment(input: { target: { hostApp: "rolocom", kind: "contact", id: $id } }) { id } }', {
    id: createContact.id,
  })
  await fetch(`${gateway.url}/api/crm/v1/imports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'text/csv' },
    body: `email\n${name.length}@example.com`,
  })
}
const [agent] = (await ask('{ voiceAgents(sort: CREATED_AT, first: 1) { nodes { id } } }')).voiceAgents.nodes
gateway.setNow(new Date(Date.now() + 1000))
await ask('mutation ($id: ID!) { updateVoiceAgent(input: { id: $id, firstMessage: "Hello" }) { id } }', { id: agent.id })
gateway.setNow(null)

/** The lists of the query type that have orders. */
const lists = Object.values(schema.getQueryType()?.getFields() ?? {}).flatMap(({ name, args }) => {
  const sort = args.find(arg => arg.name === 'sort')
  if (!sort) return []
  // `as`: an argument `sort` is an enum.
  const orders = (getNamedType(sort.type) as GraphQLEnumType).getValues().map(value => value.name)
  return orders.filter(order => orders.includes(`${order}_DESC`)).map(order => [name, order] as const)
})
const filled = new Set(['agentRuns', 'contactImports', 'contacts', 'enrichmentJobs', 'systemEvents', 'tasks', 'voiceAgents'])

async function pages(list: string, sort: string | null): Promise<{ ids: string[]; cursor: string }> {
  const ids: string[] = []
  let cursor = ''
  for (let after: string | null = null; ; ) {
    const order: string = sort === null ? '' : `, sort: ${sort}`
    const text: string = `query ($after: String) { ${list}(first: 2, after: $after${order}) { nodes { id } pageInfo { hasNextPage endCursor } } }`
    const answer: Json = await gateway.ask(text, { after })
    const { nodes, pageInfo } = answer[list]
    ids.push(...nodes.map(({ id }: Json) => id))
    cursor ||= pageInfo.endCursor
    if (!pageInfo.hasNextPage) return { ids, cursor }
    after = pageInfo.endCursor
  }
}

describe('the orders of lists', () => {
  test('are those that the pages of the app sort by', () => {
    const wanted = ['agentDeliveries', 'agentRuns', 'calls', 'contactImports', 'contacts', 'creditTransactions', 'enrichmentJobs']
    expect([...new Set(lists.map(([name]) => name))]).toEqual(expect.arrayContaining([...wanted, 'systemEvents', 'tasks', 'voiceAgents']))
  })

  test.each(lists)('%s by %s', async (list, order) => {
    const ascending = await pages(list, order)
    const descending = await pages(list, `${order}_DESC`)

    if (filled.has(list)) expect(ascending.ids).toHaveLength(3)
    expect(new Set(ascending.ids).size).toBe(ascending.ids.length)
    expect(descending.ids).toEqual(ascending.ids.toReversed())
    if (!ascending.cursor) return
    const { body } = await gateway.graphql(
      `query ($after: String) { ${list}(after: $after, sort: ${order}_DESC) { nodes { id } } }`,
      { after: ascending.cursor },
      { session: gateway.owner.session },
    )
    expect(body.errors[0].extensions.code).toBe('INVALID')
  })

  test('of agents are the names without regard to case, and the last change', async () => {
    const names = async (sort: string) =>
      (await gateway.ask(`{ voiceAgents(sort: ${sort}) { nodes { name } } }`)).voiceAgents.nodes.map(({ name }: Json) => name)

    expect(await names('NAME')).toEqual(['ada', 'Bea', 'Čeněk'])
    expect(await names('UPDATED_AT_DESC')).toEqual(['Bea', 'Čeněk', 'ada'])
    expect(await names('CREATED_AT_DESC')).toEqual(['Čeněk', 'ada', 'Bea'])
  })
})
