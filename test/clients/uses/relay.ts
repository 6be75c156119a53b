// Reads and writes through Relay's store, with documents compiled by relay-compiler.

import assert from 'node:assert/strict'
import relay, { type RequestParameters, type Variables } from 'relay-runtime'
import { subscriber, until } from '../../live.ts'
import changes, { type documentsChangesSubscription } from './src/__generated__/documentsChangesSubscription.graphql.ts'
import everything, { type documentsEverythingQuery } from './src/__generated__/documentsEverythingQuery.graphql.ts'
import list, { type documentsListQuery, type documentsListQuery$data } from './src/__generated__/documentsListQuery.graphql.ts'
import read, { type documentsReadQuery } from './src/__generated__/documentsReadQuery.graphql.ts'
import rename, { type documentsRenameMutation } from './src/__generated__/documentsRenameMutation.graphql.ts'

const {
  Environment,
  Network,
  Observable,
  RecordSource,
  Store,
  commitMutation,
  createOperationDescriptor,
  fetchQuery,
  requestSubscription,
} = relay
const { URL: server = '', KEY = '' } = process.env

async function post(query: string | null | undefined, variables: Variables) {
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
  const answer = await fetch(`${server}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query, variables }) })
  return answer.json()
}
const warned: string[] = []
const { error, warn } = console
console.error = console.warn = (...words: unknown[]) => void warned.push(words.join(' '))

const subscribe = subscriber(server, KEY)
const network = Network.create(
  (request: RequestParameters, variables) => post(request.text, variables),
  ({ text }, variables) => Observable.create(sink => subscribe({ query: text ?? '', variables }, sink as never)),
)
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

// A list with pages in both directions, as `usePaginationFragment` reads them: Relay's handler joins the pages of a connection.
for (const firstName of ['R1', 'R2', 'R3', 'R4', 'R5'])
  await post('mutation ($input: CreateContactInput!) { createContact(input: $input) { id } }', { input: { firstName, tags: ['relay'] } })
function pagesIn(store: InstanceType<typeof Environment>, first: documentsListQuery['variables']) {
  const operation = createOperationDescriptor(list, first)
  store.retain(operation)
  const shown = () => (store.lookup(operation.fragment).data as documentsListQuery$data).contacts
  return {
    shown,
    names: () => shown().edges.map(({ node }) => node.firstName),
    load: (variables: documentsListQuery['variables']) => fetchQuery<documentsListQuery>(store, list, variables).toPromise(),
  }
}
const forward = pagesIn(environment, { first: 2 })
await forward.load({ first: 2 })
while (forward.shown().pageInfo.hasNextPage)
  await forward.load({ first: 2, after: forward.shown().pageInfo.endCursor, last: null, before: null })
assert.deepEqual(forward.names(), ['R1', 'R2', 'R3', 'R4', 'R5'])
const backward = pagesIn(new Environment({ network, store: new Store(new RecordSource()) }), { last: 2 })
await backward.load({ last: 2 })
while (backward.shown().pageInfo.hasPreviousPage)
  await backward.load({ last: 2, before: backward.shown().pageInfo.startCursor, first: null, after: null })
assert.deepEqual(backward.names(), ['R1', 'R2', 'R3', 'R4', 'R5'])

const first = forward.shown().edges[0]?.node.id ?? ''
const seen: (string | null | undefined)[] = []
await new Promise<void>((resolve, reject) => {
  commitMutation<documentsRenameMutation>(environment, {
    mutation: rename,
    variables: { id: first },
    optimisticResponse: { updateContact: { id: first, firstName: 'Expected' } },
    onCompleted: () => resolve(),
    onError: reject,
  })
  seen.push(forward.names()[0])
})
assert.deepEqual([...seen, forward.names()[0]], ['Expected', 'Renamed'])

const heard: (string | undefined)[] = []
const stream = requestSubscription<documentsChangesSubscription>(environment, {
  subscription: changes,
  variables: {},
  onNext: data => void heard.push(data?.changes.type),
  onError: failed => void heard.push(String(failed)),
})
await until('following', () => heard.includes('FOLLOWING'))
// Past the store, so that only the stream tells it.
await post('mutation ($input: UpdateContactInput!) { updateContact(input: $input) { id } }', {
  input: { id: first, firstName: 'Elsewhere' },
})
await until('the change', () => forward.names()[0] === 'Elsewhere')
stream.dispose()
Object.assign(console, { error, warn })
assert.deepEqual(warned, [])

console.log('kept as answered; pages in both directions, an optimistic write, a live update')
