// The types of a call: what an endpoint takes and answers, from the OpenAPI document.

import type { FetchResponse, RequestBodyOption } from 'openapi-fetch'
import type { paths } from './generated/api.ts'
import type { Bytes, Patience } from './send.ts'

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** The paths that have an endpoint of this method, as the API reference writes them: `/api/crm/v1/contacts/{contact_id}`. */
export type PathOf<M extends Method> = { [P in keyof paths]: paths[P] extends Record<M, object> ? P : never }[keyof paths]

/** Options of one call. */
export interface CallOptions extends Patience {
  /**
   * The key under which a write happens once. Default: a random one for each call, which its repetitions keep. Give one of your own to
   * repeat a call in another process or on another day; the server knows it for 24 hours.
   */
  idempotencyKey?: string
  /** The organization, for credentials with access to several. Default: the client's. */
  orgId?: string
}

type Operation<M extends Method, P extends PathOf<M>> = paths[P] extends Record<M, infer Op extends Shape> ? Op : never

interface Shape extends Record<string | number, unknown> {
  parameters: { path?: unknown; query?: unknown; header?: unknown }
}

type BodyOf<Op> = RequestBodyOption<Op> extends { body: string } ? { body: Bytes } : RequestBodyOption<Op>

/** Input of an endpoint: `path` and `query` parameters, `headers`, a `body`, and options of the call. */
export type Input<M extends Method, P extends PathOf<M>> = Pick<Operation<M, P>['parameters'], 'path' | 'query'> &
  BodyOf<Operation<M, P>> &
  CallOptions & { headers?: NonNullable<Operation<M, P>['parameters']['header']> & { [name: string]: string | undefined } }

/** The input may be left out where nothing in it is required. */
export type Inputs<M extends Method, P extends PathOf<M>> = object extends Input<M, P> ? [input?: Input<M, P>] : [input: Input<M, P>]

/** Answer of an endpoint; undefined for an answer without a body. */
export type Answer<M extends Method, P extends PathOf<M>> =
  FetchResponse<Operation<M, P>, object, `${string}/${string}`> extends infer R ? (R extends { data: infer Data } ? Data : never) : never

/** The paths whose endpoint answers with pages. */
export type ListPath = { [P in PathOf<'get'>]: Answer<'get', P> extends Page ? P : never }[PathOf<'get'>]

/** An entry of a list. */
export type Item<P extends ListPath> = Answer<'get', P> extends { data: (infer Entry)[] } ? Entry : never

interface Page {
  data: unknown[]
  next_cursor: string | null
}

/** The effect that a write would have. Nothing has changed, and its ids do not exist. */
export interface DryRun<Data> {
  dry_run: true
  /** The HTTP status that the write would have. */
  status: number
  answer: Data
  /** The first 200 events that would be recorded and that the credential may read. */
  events: {
    type: string
    entity_id: string
    contact_id: string | null
    company_id: string | null
    deal_id: string | null
    changes: { field: string; before: unknown; after: unknown }[]
  }[]
  event_count: number
  /** In credits; null without the scope `credits:read`. */
  credits_taken: number | null
  credits_reserved: number | null
  /** Whether and when a call would be dialled; null for other writes. `at` is null for never. */
  policy: { is_allowed: boolean; at: string | null; reason: string | null } | null
  /** The file of an export, a report or an upload; null for other writes. */
  file: { row_count: number; columns: string[] } | null
}
