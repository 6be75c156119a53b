// The command lines of `rolocom api` and `rolocom graphql`.

import { buildCommand } from '@stricli/core'
import { argument, fieldAliases, fieldFlags, flag, serverFlags, text, texts } from '../flags.ts'

export const api = buildCommand({
  loader: async () => (await import('./api.ts')).api,
  parameters: {
    flags: {
      ...serverFlags,
      ...fieldFlags,
      input: text('file', 'The body, from a file or from standard input (-)'),
      header: texts('Name: value', 'A further header; may be repeated'),
      paginate: flag('Read a list to its end: one JSON array of its entries'),
      include: flag('Print status and headers too'),
    },
    aliases: { ...fieldAliases, H: 'header', i: 'include' },
    positional: {
      kind: 'tuple',
      parameters: [
        argument('method', 'GET, POST, PUT, PATCH or DELETE; or the path, for GET, and for POST with fields'),
        { ...argument('path', 'The path: /api/crm/v1/contacts'), optional: true },
      ],
    },
  },
  docs: {
    brief: 'Call an endpoint of REST',
    fullDescription:
      'Fields are the query of GET and DELETE, and a JSON body elsewhere. `name[key]` is a member of an object, `name[]` an entry of a list.\nWrites get an Idempotency-Key, and are repeated where that may help.',
    customUsage: [
      { input: 'GET /api/crm/v1/contacts -f q=ada --paginate', brief: 'every contact with this word' },
      { input: "POST /api/crm/v1/contacts -f email=ada@example.com -f 'tags[]=vip' -F do_not_call=true", brief: 'adds one' },
      { input: 'PATCH /api/crm/v1/contacts/01a1fb24-cc37-73f0-a612-214b2776a9d9 --input - < change.json', brief: 'a body from a file' },
    ],
  },
})

export const graphql = buildCommand({
  loader: async () => (await import('./graphql.ts')).graphql,
  parameters: {
    flags: {
      ...serverFlags,
      ...fieldFlags,
      file: text('file', 'The document, from a file'),
      variables: text('file', 'The variables, as JSON from a file or from standard input (-)'),
    },
    aliases: fieldAliases,
    positional: {
      kind: 'tuple',
      parameters: [{ ...argument('document', 'The document. Without it and --file: standard input'), optional: true }],
    },
  },
  docs: {
    brief: 'Run a GraphQL query or mutation',
    fullDescription: 'Fields are the variables. Prints the answer as it is, and ends with 1 if it has errors.',
    customUsage: [
      { input: "'{ me { name organizations { name } } }'", brief: 'a query' },
      { input: "'query ($n: Int) { contacts(first: $n) { nodes { email } } }' -F n=3", brief: 'with a variable' },
      { input: '--file report.graphql --variables report.json', brief: 'from files' },
    ],
  },
})
