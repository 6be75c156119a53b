// Reads and writes through Relay's store, with documents compiled by relay-compiler.

import assert from 'node:assert/strict'
import relay, { type RequestParameters, type Variables } from 'relay-runtime'
import everything, { type documentsEverythingQuery } from './src/__generated__/documentsEverythingQuery.graphql.ts'
import read, { type documentsReadQuery } from './src/__generated__/documentsReadQuery.graphql.ts'
import rename, { type documentsRenameMutation } from './src/__generated__/documentsRenameMutation.graphql.ts'

const { Environment, Network, RecordSource, Store, commitMutation, createOperationDescriptor, fetchQuery } = relay
const { URL: server = '', KEY = '' } = process.env

async function post(query: string | null | undefined, variables: Variables) {
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
  const answer = await fetch(`${server}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query, variables }) })
  return answer.json()
}
const warned: string[] = []
const { error, warn } = console
console.error = console.warn = (...words: unknown[]) => void warned.push(words.join(' '))

const network = Network.create((request: RequestParameters, variables) => post(request.text, variables))
const environment = new Environment({ network, store: new Store(new RecordSource()) })
for (const hostApp of ['relay', 'other'])
  await post(`mutation { enqueueEnrichment(input: { target: { hostApp: "${hostApp}", id: "9", kind: "deal" } }) { id } }`, {})
const made = await post('mutation { createContact(input: { email: "relay@example.com", tags: ["a"] }) { id } }', {})
const id: string = made.data.createContact.id

await fetchQuery<documentsEverythingQuery>(environment, everything, {}).toPromise()
const kept = environment.lookup(createOperationDescriptor(everything, {}).fragment).data
assert.deepEqual(kept, (await post(everything.params.text, {})).data)

await fetchQuery<documentsReadQuery>(environment, read, { id }).toPromise()
await new Promise<void>((resolve, reject) =>
  commitMutation<documentsRenameMutation>(environment, {
    mutation: rename,
    variables: { id },
    onCompleted: () => resolve(),
    onError: reject,
  }),
)
const contact = environment.lookup(createOperationDescriptor(read, { id }).fragment).data
assert.deepEqual(contact, { contact: { id, firstName: 'Renamed', tags: ['a'] } })
Object.assign(console, { error, warn })
assert.deepEqual(warned, [])

console.log('a query, a mutation, kept as answered')
