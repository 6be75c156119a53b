// rolocom/client: calls the REST endpoints with types, repeats what failed, reads lists to their end, and verifies webhooks.

import type { Answer, DryRun, Inputs, Item, ListPath, Method, PathOf } from './endpoints.ts'
import { errorOf } from './errors.ts'
import { type Caller, type LooseInput, requestOf, withoutEndSlash } from './request.ts'
import { type Fetch, globalFetch, type Patience, send } from './send.ts'

export type * from './endpoints.ts'
export { type AnyRolocomError, type Code, isRolocomError, RolocomError, type ValidationProblem } from './errors.ts'
export type * from './generated/api.ts'
export { type VerifyOptions, verifyWebhook, WebhookError, type WebhookEvent, type WebhookHeaders, type WebhookRefusal } from './webhooks.ts'

export interface ClientOptions extends Caller, Omit<Patience, 'signal'> {
  /** Default: the global `fetch`. */
  fetch?: Fetch
}

/** An answer with what its headers tell. */
export interface FullAnswer<Data> {
  data: Data
  /** 200, 201, 202 or 204. */
  status: number
  headers: Headers
  /** The server's id of the request, by which its log line is found. */
  requestId: string | null
  /** The id of a write, for its receipt at `/api/crm/v1/operations/{operation_id}`; null for reads. */
  operationId: string | null
  /** The first answer under this Idempotency-Key, given again. */
  isReplayed: boolean
}

/** Resolves with the body of the answer. Throws a RolocomError, or the reason of the signal. */
export type Call<M extends Method> = <P extends PathOf<M>>(path: P, ...input: Inputs<M, P>) => Promise<Answer<M, P>>

export interface Client {
  get: Call<'get'>
  post: Call<'post'>
  put: Call<'put'>
  patch: Call<'patch'>
  delete: Call<'delete'>
  /** Calls an endpoint as the method of its name does, and resolves with the headers too. */
  request<M extends Method, P extends PathOf<M>>(method: M, path: P, ...input: Inputs<M, P>): Promise<FullAnswer<Answer<M, P>>>
  /** Tries a write: resolves with what it would do. Throws what the write would throw. */
  dryRun<M extends Exclude<Method, 'get'>, P extends PathOf<M>>(method: M, path: P, ...input: Inputs<M, P>): Promise<DryRun<Answer<M, P>>>
  /** Calls an endpoint and resolves with its answer unread, for files. Only the signal limits the time of its body. */
  download<P extends PathOf<'get'>>(path: P, ...input: Inputs<'get', P>): Promise<Response>
  /**
   * The entries of a list, page by page as they are read: `for await (const contact of client.list('/api/crm/v1/contacts'))`. `query.limit`
   * is the size of a page. An entry that is added or moved meanwhile may be missed or come twice.
   */
  list<P extends ListPath>(path: P, ...input: Inputs<'get', P>): AsyncGenerator<Item<P>, void, undefined>
}

/** Makes a client. It keeps no connection and nothing between calls. Throws TypeError if `url` is not the address of a server. */
export function createClient({ url, key, orgId, headers, fetch = globalFetch, ...patience }: ClientOptions): Client {
  const caller: Caller = { url: withoutEndSlash(new URL(url).href), key, orgId, headers }

  async function fetchResponse(method: Method, path: string, input: LooseInput = {}, isStreamed = false): Promise<Response> {
    const { timeoutMs, maxRetries, maxRetryAfterMs, signal } = { ...patience, ...input }
    const request = await requestOf(caller, method, path, input)
    const response = await send(fetch, request, { timeoutMs, maxRetries, maxRetryAfterMs, signal }, isStreamed)
    if (!response.ok) throw errorOf(response, await bodyOf(response))
    return response
  }

  async function request(method: Method, path: string, input?: LooseInput): Promise<FullAnswer<unknown>> {
    const response = await fetchResponse(method, path, input)
    const { status, headers } = response
    return {
      data: await bodyOf(response),
      status,
      headers,
      requestId: headers.get('X-Request-Id'),
      operationId: headers.get('X-Operation-Id'),
      isReplayed: headers.get('Idempotent-Replayed') === 'true',
    }
  }

  const call = (method: Method) => async (path: string, input?: LooseInput) => (await request(method, path, input)).data

  async function* list(path: string, input: LooseInput = {}): AsyncGenerator<unknown, void, undefined> {
    const { query } = input
    for (let from = {}; ; ) {
      const { data } = await request('get', path, { ...input, query: { ...query, ...from } })
      const { data: entries, next_cursor: cursor } = data as { data: unknown[]; next_cursor: string | null }
      yield* entries
      if (cursor === null) return
      from = { cursor }
    }
  }

  const dryRun = (method: Method, path: string, input: LooseInput = {}) =>
    call(method)(path, { ...input, query: { ...input.query, dry_run: true } })
  const methods = { get: call('get'), post: call('post'), put: call('put'), patch: call('patch'), delete: call('delete') }
  const download = (path: string, input?: LooseInput) => fetchResponse('get', path, input, true)
  // The types of each endpoint come from the OpenAPI document, by which the server's answers are tested.
  return { ...methods, request, dryRun, download, list } as Client
}

/** The body, parsed if it is JSON; undefined if there is none. */
async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text()
  if (text === '') return undefined
  if (!/^application\/(.+\+)?json/.test(response.headers.get('Content-Type') ?? '')) return text
  return JSON.parse(text)
}
