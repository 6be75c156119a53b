// The cases of REST, beside Fastify over pg, which answers the same requests.

import type { Workload } from '../load.ts'
import { firstNames, lastNames } from '../searched.ts'
import { type Case, type Data, keyed } from './case.ts'

export function restCases(data: Data): Case[] {
  const reader = keyed(data.readerKey)
  // Each request puts its own number in the place of the key.
  const writer = { ...keyed(data.writerKey), 'idempotency-key': '{{n}}' }
  const contacts = '/api/crm/v1/contacts'
  const beside = (request: Workload) => ({ project: request, 'fastify+pg': request })
  const page = (query: string) => beside({ path: `${contacts}?limit=50${query}`, headers: reader, count: { '"email"': 50 } })
  const create = {
    method: 'POST',
    path: contacts,
    headers: writer,
    body: { email: 'w3-{{n}}@example.test', first_name: 'First', last_name: 'Last' },
    status: 201,
    count: { '"email"': 1 },
  }
  return [
    { name: 'W1', what: 'page of 50 contacts', requests: page(''), floor: 1.4 },
    { name: 'W1d', what: 'page of 50 from the middle', requests: page(`&cursor=${encodeURIComponent(data.middle)}`), floor: 1.4 },
    { name: 'W1f', what: 'page of 50 of a lifecycle stage', requests: page('&lifecycle_stage=customer'), floor: 1 },
    {
      name: 'W2',
      what: 'single read',
      floor: 1.4,
      requests: beside({ paths: data.agents.map(id => `/api/voice/v1/agents/${id}`), headers: reader, count: { '"instructions"': 1 } }),
    },
    {
      name: 'W3',
      what: 'create with its event, answer and counts',
      floor: 1.4,
      requests: beside(create),
      differing: /^\{"id":".*?"|"(?:email|value)":".*?"|"(?:created|updated)_at":".*?"/g,
      isCreate: true,
    },
    {
      name: 'W4',
      what: 'stats of 30 days (the peer counts rows)',
      requests: beside({ path: '/api/crm/v1/stats', headers: reader, count: { '"evangelist"': 1 } }),
      differing: /"as_of":".*?"/g,
    },
    {
      name: 'timeline',
      what: 'newest 50 entries of a contact',
      floor: 1,
      requests: beside({ path: `${contacts}/${data.contactId}/timeline?limit=50`, headers: reader, count: { '"door"': 50 } }),
    },
    {
      name: 'search',
      what: 'names letter by letter, one person typing',
      requests: {
        project: { paths: typed().map(q => `/api/crm/v1/search?limit=10&q=${encodeURIComponent(q)}`), headers: reader, count: {} },
      },
      connections: 1,
    },
    {
      name: 'dashboard',
      what: 'the start page of a user',
      requests: {
        project: {
          path: '/api/dashboard',
          headers: { 'x-svc-services-token': data.serviceToken, 'x-user-id': data.userId, 'x-org-id': data.orgId },
          count: { '"recent_contacts"': 1 },
        },
      },
      differing: /"as_of":".*?"/g,
    },
    {
      name: 'changes',
      what: 'a created contact, delivered to 100 listeners',
      requests: { project: create },
      connections: 1,
      listeners: 100,
    },
  ]
}

// Twelve names that the contacts have, as they are typed: m, ma, mar, ...
function typed(): string[] {
  const names = Array.from({ length: 12 }, (_, n) => `${firstNames[(n * 7) % firstNames.length]} ${lastNames[(n * 41) % lastNames.length]}`)
  return names.flatMap(name => Array.from({ length: name.length }, (_, length) => name.slice(0, length + 1).toLowerCase()))
}
