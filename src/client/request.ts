// The request of a call: its address, its headers with credential and Idempotency-Key, and its body.

import { createFinalURL, createQuerySerializer, defaultPathSerializer } from 'openapi-fetch'
import type { CallOptions, Method } from './endpoints.ts'
import type { Bytes, Sendable } from './send.ts'

/** Caller and server. */
export interface Caller {
  /** The address of the server, such as `https://crm.example.com`. */
  url: string
  /** An API key (`rcm_...`) or session token, or a function that gives one for each call. Default: none, for what needs none. */
  key?: string | (() => string | Promise<string>) | undefined
  /** The organization of each call. Required where the credential has access to several. */
  orgId?: string | undefined
  /** Further headers of each call, such as `X-Guest-ID`. */
  headers?: Readonly<Record<string, string>> | undefined
}

/** The input of a call whose endpoint is not known to the compiler. */
export interface LooseInput extends CallOptions {
  path?: Record<string, unknown>
  query?: Record<string, unknown>
  headers?: Record<string, string | undefined>
  body?: unknown
}

const querySerializer = createQuerySerializer()

/** Builds the request. A write gets an Idempotency-Key, by which it can be repeated. */
export async function requestOf(caller: Caller, method: Method, path: string, input: LooseInput): Promise<Sendable> {
  const { body, query, path: inPath, idempotencyKey = randomKey() } = input
  const params = { ...(inPath && { path: inPath }), ...(query && { query }) }
  const headers = await credentialHeaders(caller, input.orgId)
  headers.set('Accept', 'application/json')
  if (body !== undefined) headers.set('Content-Type', isBytes(body) ? 'text/csv' : 'application/json')
  if (method !== 'get' && takesKey(path)) headers.set('Idempotency-Key', idempotencyKey)
  for (const [name, value] of Object.entries(input.headers ?? {})) if (value !== undefined) headers.set(name, value)
  return {
    url: createFinalURL(path, { baseUrl: caller.url, params, querySerializer, pathSerializer: defaultPathSerializer }),
    method: method.toUpperCase(),
    headers,
    body: body === undefined ? null : isBytes(body) ? body : JSON.stringify(body),
  }
}

/** The headers that say who calls. `orgId` replaces the caller's. */
export async function credentialHeaders({ key, orgId: own, headers }: Caller, orgId = own): Promise<Headers> {
  const sent = new Headers(headers)
  const credential = typeof key === 'function' ? await key() : key
  if (credential !== undefined) sent.set('Authorization', `Bearer ${credential}`)
  if (orgId !== undefined) sent.set('X-Org-Id', orgId)
  return sent
}

// Requests without Idempotency-Key: reports of telephone providers, the endpoints of the identity provider, and the request of a device for
// its code. Such callers have no identity, so somebody else could ask for their stored answer.
const takesKey = (path: string) => !/^\/(idp\/|api\/voice\/v1\/providers\/|api\/auth\/device$)/.test(path)

// Not crypto.randomUUID, which browsers have on pages of https and localhost alone.
const randomKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')

const isBytes = (body: unknown): body is Bytes =>
  typeof body === 'string' || body instanceof Blob || body instanceof ArrayBuffer || body instanceof Uint8Array

export const withoutEndSlash = (address: string): string => address.replace(/(?<!\/)\/+$/, '')
