// The type of a route: an entry of a table in rest/routes/, used by the router and by the OpenAPI generator. `route` declares one with zod
// schemas of its own; see derived.ts for bodies that follow from the document.

import type { IncomingHttpHeaders } from 'node:http'
import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { type DocumentNode, getOperationAST } from 'graphql'
import type { z } from 'zod'
import type { Role } from '../../config/settings.ts'
import type { CredentialKind } from '../../identity/authentication/authenticate.ts'
import type { Services } from '../../kernel/context.ts'
import type { Code } from '../../kernel/errors.ts'
import type { Role as OrganizationRole, Scope } from '../../kernel/principal.ts'
import type { CamelCased } from '../routes/inputs.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type Fields = Readonly<Record<string, unknown>>

/** Fields, each with the value that replaces null. */
export type Documented = Readonly<Record<string, '' | readonly never[] | Readonly<Record<string, never>>>>

/** A stored document with its result under `result`. */
export type Document<Variables> = TypedDocumentNode<{ result: unknown }, Variables>

/** A route without the types that `route` compares: parameters, query and body with the document's variables. */
export interface Route {
  method: Method
  /** In OpenAPI syntax: `/api/crm/v1/contacts/{contact_id}`. All path parameters are ids; a malformed id is 404. */
  path: string
  /** The role of the processes that serve the route. */
  role: Extract<Role, 'api' | 'session'>
  operationId: string
  summary: string
  description?: string
  tag: string
  /** The kinds of credentials that are accepted. Others are ignored: 401. */
  callers: readonly CredentialKind[]
  /** The scope that an API key needs. A route with a scope acts on an organization, which X-Org-Id may select. */
  scope?: Scope
  /** A session with this role in the organization, or a higher one, needs no scope. */
  orRole?: OrganizationRole
  /** Acts on an organization without requiring a scope: the rule decides by the caller's scopes what it returns. */
  inOrganization?: true
  query?: z.ZodObject
  body?: z.ZodObject
  /** An absent body is treated as an empty object. */
  bodyMayBeAbsent?: boolean
  /** Passes the version in `If-Match: "<version>"` as the variable `if_version`. */
  ifMatch?: boolean
  /** Passes the unparsed request as the variables `path`, `headers` and `body`. The rule authenticates the sender by the signature. */
  isRaw?: boolean
  /** Of a raw route: the headers that may hold the signature. A request with none of them is refused before its body is read. */
  signedBy?: (parameters: Readonly<Record<string, unknown>>) => readonly string[]
  /** Of a raw route: how far the headers prove the sender, before the body is read. With `none` the body must not be large. */
  proofOf?: (
    parameters: Readonly<Record<string, unknown>>,
    headers: IncomingHttpHeaders,
    services: Services,
  ) => 'sender' | 'signature' | 'none'
  /** The operation of a request with a JSON body and without a credential. */
  withoutCredential?: Route
  /** The body is a file. It is stored as it arrives, and its id is passed as the variable `upload_id`. */
  isUpload?: boolean
  document: Document<never>
  /** A different document for requests with this query parameter. */
  instead?: { given: string; document: Document<never> }
  /** The status of success. A result with an `outcome` determines itself whether it is 201 or 200. */
  status: 200 | 201 | 202 | 204
  /** The template of the Location header, filled from the body: `/api/crm/v1/contacts/{id}`. */
  location?: string
  /** Sends an ETag, and answers 304 if it matches If-None-Match. */
  etag?: boolean
  /** The answer is one member of the result as a text of this media type. Default: JSON. */
  textOf?: { member: string; type: string }
  /** Responses contain a secret, so they are sent with `Cache-Control: no-store`. */
  isSecret?: boolean
  /** Fields that the contract documents as never null, with the value that replaces null. */
  documented?: Documented
  /** The same for the items of a list in the body, by the name of the list. */
  documentedRows?: Readonly<Record<string, Documented>>
  /** A member whose keys are field names, which are converted to snake_case. */
  keyedByField?: string
  /** The same for the items of a list in the body, by the name of the list. */
  rowsKeyedByField?: Readonly<Record<string, string>>
  /** Sends Retry-After with these seconds while the item has one of these statuses. */
  openWhile?: { statuses: readonly string[]; retryAfterSeconds: number }
  /** Errors beside the common ones, with a description of when they occur. */
  errors?: Partial<Record<Code, string>>
  /** Example bodies for the API reference. */
  examples?: { body?: unknown; answer?: unknown }
}

/** The kinds of credentials of the developer API. Guests read the demo organization. */
export const developers = ['api_key', 'session', 'user_header', 'guest'] as const
/** Callers of the session API, in order of priority. */
export const apps = ['session', 'services_token', 'user_header', 'guest'] as const
/** Callers of operations for backends only. */
export const services = ['services_token'] as const

/** Options of an entry of the table, beside method, path and document. The name of the document's operation gives `operationId`. */
export interface Entry extends Omit<Route, 'method' | 'path' | 'document' | 'operationId' | 'status' | 'instead'> {
  /** Default: 200. */
  status?: Route['status']
}

type Nothing = z.ZodObject<Record<never, never>, z.core.$strict>
export type Ids<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? { [Id in Name]: string } & Ids<Rest> : unknown

interface TypedEntry<Path extends string, Query extends z.ZodObject, Body extends z.ZodObject, IfMatch, Raw, Upload> extends Entry {
  query?: Query
  body?: Body
  ifMatch?: IfMatch & boolean
  isRaw?: Raw & boolean
  isUpload?: Upload & boolean
  instead?: { given: keyof z.output<Query> & string; document: Document<Input<Path, Query, Body, IfMatch, Raw, Upload>> }
}
type Input<Path extends string, Query extends z.ZodObject, Body extends z.ZodObject, IfMatch, Raw, Upload> = Values<
  Path,
  Query,
  Body,
  IfMatch,
  Raw,
  Upload
> & { input: CamelCased<Values<Path, Query, Body, IfMatch, Raw, Upload>> & (Path extends `${string}{${string}` ? { id: string } : unknown) }
/** The values of a request: a document takes them one by one, or as its `$input`. */
type Values<Path extends string, Query extends z.ZodObject, Body extends z.ZodObject, IfMatch, Raw, Upload> = Ids<Path> &
  z.output<Query> &
  z.output<Body> &
  (IfMatch extends true ? { if_version?: number } : unknown) &
  (Upload extends true ? { upload_id: string } : unknown) &
  (Raw extends true ? { path: string; headers: Record<string, string>; body: string } : unknown)

/** Declares a route. Does not compile unless parameters, query and body together match the document's variables. */
export function route<
  const Path extends string,
  Query extends z.ZodObject = Nothing,
  Body extends z.ZodObject = Nothing,
  IfMatch = false,
  Raw = false,
  Upload = false,
>(
  method: Method,
  path: Path,
  document: Document<Input<Path, Query, Body, IfMatch, Raw, Upload>>,
  entry: TypedEntry<Path, Query, Body, IfMatch, Raw, Upload>,
): Route {
  return { status: 200, ...entry, method, path, document, operationId: operationIdOf(document) }
}

/** The name of the operation, with a small first letter. */
export function operationIdOf(document: DocumentNode): string {
  const name = getOperationAST(document)?.name?.value ?? ''
  return name.charAt(0).toLowerCase() + name.slice(1)
}

/** The names of the parameters in a path, in order. */
export const parametersOf = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')
