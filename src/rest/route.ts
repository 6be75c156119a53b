// What a route is: one entry of the table in routes.ts, read by the router, by the checks and by the OpenAPI printer.

import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import type { z } from 'zod'
import type { Role } from '../config.ts'
import type { Context } from '../context.ts'
import type { Code, Problem } from '../errors.ts'
import type { CredentialKind } from '../identity/authenticate.ts'
import type { Scope } from '../identity/principal.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type Fields = Readonly<Record<string, unknown>>

/** Fields, each with what stands for unknown. */
export type Documented = Readonly<Record<string, '' | readonly never[] | Readonly<Record<string, never>>>>

/** A stored document whose answer stands under `result`. */
export type Document<Variables> = TypedDocumentNode<{ result: unknown }, Variables>

/** What the compiler no longer needs to know once it has compared a route's shapes with its document's variables. */
export interface Route {
  method: Method
  /** As OpenAPI writes it: `/api/crm/v1/contacts/{contact_id}`. The parameters are ids; one that cannot be an id is 404. */
  path: string
  /** The part of the process that serves it. */
  role: Extract<Role, 'api' | 'session'>
  operationId: string
  summary: string
  description?: string
  tag: string
  /** Credentials looked at. Others are as good as none: 401. */
  callers: readonly CredentialKind[]
  /** What an API key must be allowed to do. Named: the route belongs to an organization, which X-Org-Id may choose. */
  scope?: Scope
  query?: z.ZodObject
  body?: z.ZodObject
  /** No body is as good as an empty object. */
  bodyMayBeAbsent?: boolean
  /** What the rules refuse in fields of the right shape, the body's or else the query's, for requests that are refused anyway. */
  problemsOf?: (fields: Fields, context: Context) => readonly Problem[] | Promise<readonly Problem[]>
  /** Takes `If-Match: "<version>"` as the variable `if_version`. */
  ifMatch?: boolean
  /** Takes any request as it came, as the variables `path`, `headers` and `body`. Whose it is is found out by the rule. */
  isRaw?: boolean
  document: Document<never>
  /** Another document for requests that give this query parameter. */
  instead?: { given: string; document: Document<never> }
  /** Of success. An answer with an `outcome` says itself whether it is 201 or 200. */
  status: 200 | 201 | 202 | 204
  /** The new thing's address, from the answer: `/api/crm/v1/contacts/{id}`. */
  location?: string
  /** Answers reads with an ETag, and If-None-Match with 304. */
  etag?: boolean
  /** Answers hold a secret: no cache may keep them. */
  isSecret?: boolean
  /** Fields that the contract documents, with what stands for unknown: a client made from the contract never meets null. */
  documented?: Documented
  /** The same of rows within the answer, by the name of the list that they stand in. */
  documentedRows?: Readonly<Record<string, Documented>>
  /** A member of the rows whose keys are names of fields, and are spelled like them. */
  keyedByField?: string
  /** Answers with Retry-After while the thing has one of these statuses: when it is worth asking again, in seconds. */
  openWhile?: { statuses: readonly string[]; retryAfterSeconds: number }
  /** Errors beyond those that every route can answer with, and when. */
  errors?: Partial<Record<Code, string>>
  /** Bodies as the API reference shows them. */
  examples?: { body?: unknown; answer?: unknown }
}

type Nothing = z.ZodObject<Record<never, never>, z.core.$strict>
type Ids<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? { [Id in Name]: string } & Ids<Rest> : unknown

interface TypedRoute<Path extends string, Query extends z.ZodObject, Body extends z.ZodObject, IfMatch, Raw>
  extends Omit<Route, 'document' | 'instead'> {
  path: Path
  query?: Query
  body?: Body
  ifMatch?: IfMatch & boolean
  isRaw?: Raw & boolean
  document: Document<Input<Path, Query, Body, IfMatch, Raw>>
  instead?: { given: keyof z.output<Query> & string; document: Document<Input<Path, Query, Body, IfMatch, Raw>> }
}
type Input<Path extends string, Query extends z.ZodObject, Body extends z.ZodObject, IfMatch, Raw> = Ids<Path> &
  z.output<Query> &
  z.output<Body> &
  (IfMatch extends true ? { if_version?: number } : unknown) &
  (Raw extends true ? { path: string; headers: Record<string, string>; body: string } : unknown)

/** A route whose parameters, query and body are together what its document asks for; the compiler refuses any other. */
export function route<
  const Path extends string,
  Query extends z.ZodObject = Nothing,
  Body extends z.ZodObject = Nothing,
  IfMatch = false,
  Raw = false,
>(entry: TypedRoute<Path, Query, Body, IfMatch, Raw>): Route {
  return entry
}

/** The names of the parameters in a path, in order. */
export const parametersOf = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')
