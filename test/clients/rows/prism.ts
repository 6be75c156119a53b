// Prism as a validating proxy: checks every request and response of every operation against the OpenAPI document.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../support/free-port.ts'
import { nouns } from '../../support/nouns.ts'
import type { Row, Served } from '../row.ts'

interface Operation {
  operationId: string
  security: Record<string, string[]>[]
  parameters?: { name?: string; in?: string; required?: boolean }[]
  requestBody?: { content: Record<string, { example?: Record<string, unknown> | string }> }
}
interface Document {
  paths: Record<string, Record<string, Operation>>
}
interface Call {
  method: string
  address: string
  operation: Operation
}
type Ids = Record<string, string>

const prism = fileURLToPath(new URL('../node_modules/@stoplight/prism-cli/dist/index.js', import.meta.url))
const document = fileURLToPath(new URL('../../../schema/openapi.json', import.meta.url))

export const row: Row = {
  name: 'Prism, validating proxy',
  packages: ['@stoplight/prism-cli'],
  async run(served) {
    const { paths } = JSON.parse(await readFile(document, 'utf8')) as Document
    const port = await freePort()
    const child = spawn(process.execPath, [prism, 'proxy', document, served.url, '--errors', '--port', String(port)], { stdio: 'ignore' })
    try {
      return await every(paths, `http://127.0.0.1:${port}`, served)
    } finally {
      child.kill()
    }
  },
}

async function every(paths: Document['paths'], proxy: string, served: Served): Promise<string> {
  const calls = Object.entries(paths).flatMap(([address, item]) =>
    Object.entries(item).map(([method, operation]): Call => ({ method: method.toUpperCase(), address, operation })),
  )
  const credentials = await credentialsOf(served)
  const ids: Ids = { provider: 'http', user_id: credentials.userId }
  let good = 0
  const broken: string[] = []
  for (const call of calls.toSorted((a, b) => order(a) - order(b))) {
    const { operationId } = call.operation
    const { status, text } = await ask(proxy, call, ids, credentials)
    if (status < 300) good++
    else if (!mayFail.has(operationId)) broken.push(`${operationId} ${status} ${text.slice(0, 600)}`)
    if (text.includes('stoplight.io/prism/errors') || status >= 500) broken.push(`${operationId} ${status} ${text.slice(0, 600)}`)
    else note(call, text, ids)
  }
  assert.deepEqual(broken, [])
  // A violation is reported by Prism and not by the server, which proves that Prism validates.
  const headers = { authorization: `Bearer ${credentials.key}`, 'content-type': 'application/json' }
  const wrong = await fetch(`${proxy}/api/crm/v1/contacts`, { method: 'POST', headers, body: '{"email":41}' })
  assert.match(await wrong.text(), /stoplight\.io\/prism\/errors/)
  // Prism validates each value of a repeated filter.
  const listed = async (query: string) => (await fetch(`${proxy}/api/crm/v1/contacts?${query}`, { headers })).text()
  assert.match(await listed('lifecycle_stage=lead&lifecycle_stage=customer&tag=one'), /^\{"data"/)
  assert.match(await listed('lifecycle_stage=lead&lifecycle_stage=nothing'), /stoplight\.io\/prism\/errors/)
  return `${calls.length} operations, ${good} with success, no violation`
}

/** Operations that need what is not there: a signed event, a mapping's payload, a failed job, a suggestion, a link's token, a session. */
const mayFail = new Set([
  ...['recordProviderEvent', 'hookMapped', 'retryEnrichmentJob', 'cancelEnrichmentJob', 'provisionAgent', 'cancelCall', 'resumeAgent'],
  ...['getSuggestion', 'acceptSuggestion', 'rejectSuggestion', 'download', 'resetPassword', 'revokeOtherSessions', 'revokeSessions'],
  ...['renameTag', 'createContactImportReport', 'cancelContactImport', 'restoreContact'],
  ...['getWebhookDelivery', 'replayWebhookDelivery'],
])

// The order of calls: create, read, update, delete, sign out.
const signsOut = /^(signOut|revoke\w*Sessions|changePassword|resetPassword)$/
const makesPart = new RegExp(`^create(${nouns.flatMap(({ name, isOfContact }) => (isOfContact ? name : [])).join('|')})$`)
// A call needs an agent, a note a contact, a merge both contacts.
const orderOfCreation = (operationId: string) => (operationId === 'createAgent' ? -1 : makesPart.test(operationId) ? 100 : 0)
const last = /archive|endSession|deleteContact|cancel|void|rotate/i
const order = ({ method, address, operation: { operationId } }: Call) =>
  signsOut.test(operationId)
    ? 1000
    : /^(restoreContact|deleteWebhookEndpoint)$/.test(operationId)
      ? 900
      : last.test(operationId)
        ? 800
        : method === 'POST' && (!address.includes('{') || makesPart.test(operationId))
          ? orderOfCreation(operationId)
          : method === 'GET'
            ? 200
            : 400

interface Credentials {
  key: string
  session: string
  jwt: string
  serviceToken: string
  hookToken: string
  /** The session token of the identity provider. */
  providerSession: string
  userId: string
}

async function credentialsOf({ url, key, serviceToken, hookToken }: Served): Promise<Credentials> {
  const post = async (address: string, init: RequestInit) =>
    (await (await fetch(url + address, { ...init, headers: { 'content-type': 'application/json', ...init.headers } })).json()) as Ids
  const body = JSON.stringify({ email: 'prism@example.com', password: 'correct horse battery', name: 'Prism' })
  const signedUp = await post('/idp/sign-up/email', { method: 'POST', body })
  const { token: jwt = '' } = await post('/idp/token', { headers: { authorization: `Bearer ${signedUp.token}` } })
  const { session_token: session = '', user_id: userId = '' } = await post('/api/auth/session', {
    method: 'POST',
    headers: { authorization: `Bearer ${jwt}` },
  })
  return { key, session, jwt, serviceToken, hookToken, providerSession: signedUp.token ?? '', userId }
}

async function ask(proxy: string, { method, address, operation }: Call, ids: Ids, credentials: Credentials) {
  const target = address.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '01890000-0000-7000-8000-000000000000')
  const [[type = '', { example } = {}] = []] = Object.entries(operation.requestBody?.content ?? {})
  const body = typeof example === 'string' ? example : example && JSON.stringify(filled(operation, example, ids))
  const required = operation.parameters?.flatMap(one => (one.in === 'query' && one.required ? [one.name ?? ''] : [])) ?? []
  const query =
    required.length > 0 ? `?${required.map(name => `${name}=${{ match: 'email', q: 'prism' }[name] ?? ids[name] ?? ''}`).join('&')}` : ''
  const headers = { ...credentialFor(operation, credentials), ...(body && { 'content-type': type }) }
  // Retries until Prism has started.
  for (let attempt = 0; ; attempt++)
    try {
      const answer = await fetch(proxy + target + query, { method, headers, ...(body && { body }) })
      ids.operation_id = answer.headers.get('x-operation-id') ?? ids.operation_id ?? ''
      return { status: answer.status, text: await answer.text() }
    } catch (error) {
      if (attempt === 150) throw error
      await sleep(200)
    }
}

function credentialFor(
  { security }: Operation,
  { key, session, jwt, serviceToken, hookToken, providerSession }: Credentials,
): Record<string, string> {
  const kinds = security.flatMap(Object.keys)
  if (kinds.includes('hook_token')) return { authorization: `Bearer ${hookToken}` }
  if (kinds.includes('provider_session')) return { authorization: `Bearer ${providerSession}` }
  if (kinds.includes('identity')) return { authorization: `Bearer ${jwt}` }
  if (kinds.includes('api_key')) return { authorization: `Bearer ${key}` }
  if (kinds.includes('session')) return { authorization: `Bearer ${session}` }
  return kinds.includes('services_token') ? { 'x-svc-services-token': serviceToken } : {}
}

// The example of the document, with the ids of objects created before.
function filled({ operationId }: Operation, example: Record<string, unknown>, ids: Ids): Record<string, unknown> {
  const known = Object.fromEntries(Object.keys(example).flatMap(name => (ids[name] ? [[name, ids[name]]] : [])))
  const contact = operationId === 'updateContact' ? { email: 'prism-changed@example.com' } : {}
  return {
    ...example,
    ...known,
    ...(example.owner_user_id !== undefined && { owner_user_id: undefined }),
    ...(example.custom !== undefined && { custom: undefined }),
    ...(example.assignee_user_id !== undefined && { assignee_user_id: undefined }),
    ...(example.contacts !== undefined && { contacts: [{ email: 'prism-other@example.com' }] }),
    ...(example.columns !== undefined && { columns: ['email'] }),
    // The file that was uploaded has its headers in the first row.
    ...(example.header_row !== undefined && { header_row: 1 }),
    ...(example.mapping !== undefined && { mapping: [{ column: 0, field: 'email' }] }),
    ...contact,
  }
}

function note({ operation: { operationId } }: Call, text: string, ids: Ids): void {
  const made = text.startsWith('{')
    ? (JSON.parse(text) as {
        id?: string
        job_id?: string
        runId?: string
        merge_id?: string
        grant?: { id: string }
        endpoint?: { id: string }
        data?: { id: string }[]
        results?: { id: string }[]
      })
    : {}
  const known: Record<string, readonly [string, string | undefined]> = {
    createContact: ['contact_id', made.id],
    batchContacts: ['loser_id', made.results?.[0]?.id],
    ...Object.fromEntries(nouns.map(({ name, id }) => [`create${name}`, [`${id}_id`, made.id]] as const)),
    createContactImport: ['import_id', made.id],
    createWebhookEndpoint: ['endpoint_id', made.endpoint?.id],
    listWebhookDeliveries: ['delivery_id', made.data?.[0]?.id],
    mergeContacts: ['merge_id', made.merge_id],
    createAgent: ['agent_id', made.id],
    createCall: ['call_id', made.id],
    enqueueEnrichmentJob: ['job_id', made.job_id],
    hookAgent: ['run_id', made.runId],
    grantCredits: ['grant_id', made.grant?.id],
    listSuggestions: ['suggestion_id', made.data?.[0]?.id],
  }
  const [name, id] = known[operationId] ?? []
  if (name && id) ids[name] = id
  if (name === 'loser_id' && id) ids.other_id = id
}
