// The cases of GraphQL, beside Mercurius with graphql-jit, which answers the same documents, and PostGraphile, whose documents have its own
// names for the same fields in the same order.

import type { Workload } from '../load.ts'
import { type Case, type Data, keyed } from './case.ts'

export function graphqlCases({ readerKey, writerKey, pipelineId }: Data): Case[] {
  const post = (query: string, count: Record<string, number>): Workload => ({
    method: 'POST',
    path: '/graphql',
    headers: keyed(readerKey),
    body: { query },
    count,
  })
  const of = (document: string, postgraphile: string, count: Record<string, number>) => ({
    project: post(document, count),
    mercurius: post(document, count),
    postgraphile: post(postgraphile, count),
  })
  const newest = 'orderBy: [CREATED_AT_DESC, ROW_ID_DESC]'
  const contacts = `contacts: allContacts(condition: { deletedAt: null }, ${newest}`
  const calls = `callsByContactId(first: 5, ${newest})`
  const create: Workload = {
    method: 'POST',
    path: '/graphql',
    headers: keyed(writerKey),
    body: {
      query: 'mutation ($input: CreateContactInput!) { createContact(input: $input) { id email firstName } }',
      variables: { input: { email: 'w7-{{n}}@example.test', firstName: 'First', lastName: 'Last' } },
    },
    count: { '"email"': 1 },
  }
  const beside = (document: string, count: Record<string, number>) => ({ project: post(document, count), mercurius: post(document, count) })
  return [
    {
      name: 'W5',
      what: '20 contacts, their last 5 calls, the agents of these',
      floor: 1.4,
      requests: of(
        '{ contacts(first: 20) { nodes { id email firstName calls(first: 5) { nodes { id status direction createdAt voiceAgent { name } } } } } }',
        `{ ${contacts}, first: 20) { nodes { rowId email firstName ${calls} { nodes { rowId status direction createdAt voiceAgentByAgentId { name } } } } } }`,
        { '"name"': 100, '"email"': 20 },
      ),
    },
    {
      name: 'W6',
      what: 'page of 50 contacts',
      floor: 1.4,
      requests: of(
        '{ contacts(first: 50) { nodes { id email firstName lastName phone companyName createdAt updatedAt } } }',
        `{ ${contacts}, first: 50) { nodes { rowId email firstName lastName phone companyName createdAt updatedAt } } }`,
        { '"email"': 50 },
      ),
    },
    {
      name: 'W7',
      what: 'create with its event and counts',
      floor: 1.4,
      requests: { project: create, mercurius: create },
      differing: /"id":".*?"|"email":".*?"/g,
      isCreate: true,
    },
    {
      name: 'W8',
      what: 'contacts, calls, agents, and 50 suggestions with their contacts',
      floor: 1.1,
      requests: of(
        '{ contacts(first: 20) { nodes { id email calls(first: 5) { nodes { id status voiceAgent { id name provider } } } } } suggestions(first: 50) { nodes { id field proposedValue confidence contact { id email } } } }',
        `{ ${contacts}, first: 20) { nodes { rowId email ${calls} { nodes { rowId status voiceAgentByAgentId { rowId name provider } } } } }
           suggestions: allSuggestions(${newest}, first: 50) { nodes { rowId field proposedValue confidence contactByContactId { rowId email } } } }`,
        { '"email"': 70, '"name"': 100 },
      ),
    },
    {
      name: 'deals',
      what: 'page of 50 deals with stage, company and contacts',
      floor: 0.9,
      requests: beside(
        '{ deals(first: 50) { nodes { id title amount currency stage { name } company { id name } contacts { role contact { id email } } } } }',
        { '"title"': 50, '"role"': 100 },
      ),
    },
    {
      name: 'board',
      what: 'board of 200 cards with their companies',
      floor: 0.75,
      requests: beside(
        `{ dealBoard(pipelineId: "${pipelineId}", cards: 50) { stage { id name } count sums { currency count sum } deals { id version title amount currency company { id name } } } }`,
        { '"title"': 200, '"count"': 10 },
      ),
    },
  ]
}
