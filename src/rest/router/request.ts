// Parses and validates a request: path, headers, query and body. Reports all problems at once.

import type { Request } from 'express'
import { z } from 'zod'
import { problemsOf } from '../../graphql/execute/problems.ts'
import { isTriable } from '../../graphql/execute/run.ts'
import type { Context, Services } from '../../kernel/context.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { idempotencyKeyPattern } from '../../kernel/idempotency/idempotency.ts'
import { isId } from '../../kernel/ids.ts'
import { maxBodyBytes, maxMessageBytes } from '../../kernel/input/body.ts'
import { examine, maxLevels } from '../../kernel/input/json.ts'
import { type Network, networkOf } from '../../kernel/limits/network.ts'
import { perObject } from '../../kernel/per-object.ts'
import { detailOf, type Locate } from './answer.ts'
import { readBody, readText } from './body.ts'
import { type Inputs, variablesOf } from './document.ts'
import { nearest } from './nearest.ts'
import { addIssues, type Detail, type Details, missing, unknownName, valueError } from './problems.ts'
import { parametersOf, type Route } from './route.ts'
import { storeFile } from './upload.ts'
import { validVariables } from './valid-fields.ts'

/** The values that a request gives, by name. */
type Values = Record<string, unknown>

/** The parts of the route's document that the reader needs. */
interface Document {
  inputs: Inputs
  locate: Locate
}

/** The error of an invalid request; `details` become the 422 body. */
const refusal = ({ list, omitted }: Details) =>
  new AppError('INVALID', 'The request is not valid', { details: list, ...(omitted > 0 && { omitted }) })

/**
 * Prepares a route's reader. The reader throws NOT_FOUND for a malformed id, UNSUPPORTED_MEDIA_TYPE or PAYLOAD_TOO_LARGE for a body that
 * is not read, otherwise INVALID with all problems, including the given `details`.
 */
export function readerOf(route: Route, document: Document): (req: Request, context: Context, details: Details) => Values | Promise<Values> {
  if (route.isRaw) return (req, context) => readRaw(req, route, context)
  const ids = parametersOf(route.path)
  const isWrite = route.method !== 'GET'
  const known = Object.keys(route.query?.shape ?? {})
  const several = new Set(known.filter(name => takesSeveral(route.query?.shape[name])))
  const unqueried = route.query?.safeParse({})

  const readHead = (req: Request, context: Context, details: Details): Values => {
    const values: Values = {}
    for (const name of ids) {
      const id = req.params[name]
      if (typeof id !== 'string' || !isId(id)) throw notFound(name.replace(/_id$/, '').replace('_', ' '), String(id))
      values[name] = id
    }
    if (isWrite) checkIdempotencyKey(req.headers['idempotency-key'], details)
    if (route.ifMatch) readIfMatch(req.headers['if-match'], values, details)
    const start = req.url.indexOf('?')
    const query = start < 0 ? '' : isWrite ? withoutDryRun(req.url.slice(start + 1), route, context, details) : req.url.slice(start + 1)
    if (query !== '') readQuery(query, route, { known, several }, values, details)
    else if (unqueried?.error) addIssues(details, unqueried.error.issues, {}, 'query')
    return values
  }

  if (route.isUpload)
    return async (req, context, details) => {
      const values = readHead(req, context, details)
      if (details.isEmpty) return { ...values, upload_id: await storeFile(req, context, values, inputAsSent(req, values)) }
      // The file is discarded, so that the client receives the answer.
      req.resume()
      return throwRefusal(details, route, values, context, document)
    }
  const { body } = route
  if (!body)
    return (req, context, details) => {
      const values = readHead(req, context, details)
      if (context.idempotency) context.idempotency.sent = inputAsSent(req, values)
      return !details.isEmpty ? throwRefusal(details, route, values, context, document) : values
    }
  return async (req, context, details) => {
    const values = readHead(req, context, details)
    const read = await readBody(req)
    if (read.problem) details.add(detailOf(read.problem, path => path.map(String)))
    else if (read.value === undefined && !route.bodyMayBeAbsent) details.add(missing(['body']))
    else {
      const value = read.value === undefined ? {} : read.value
      if (context.idempotency) context.idempotency.sent = { ...inputAsSent(req, values), body: value }
      if (checkStorable(value, 'body', details)) {
        const parsed = body.safeParse(value)
        if (parsed.success) Object.assign(values, parsed.data)
        else addIssues(details, parsed.error.issues, value, 'body', body)
        if (!details.isEmpty) {
          const known = { ...values, ...validVariables(body, value, details) }
          return throwRefusal(details, route, known, context, document)
        }
      }
    }
    if (!details.isEmpty) throw refusal(details)
    return values
  }
}

// The caller's input, for a retry after the next release: before defaults, and without the names that the routes give to parameters.
function inputAsSent(req: Request, { if_version }: Values): object {
  const query = [...new URLSearchParams(req.url.split('?').slice(1).join('?'))].filter(([name]) => name !== 'dry_run')
  return {
    path: Object.values(req.params),
    query: query.toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0)),
    if_version,
  }
}

// Reports values that PostgreSQL cannot store unchanged. Returns false if further checks are pointless.
function checkStorable(value: unknown, part: 'query' | 'body', details: Details): boolean {
  const { problems, isTooDeep, isPartial } = examine(value, { levels: maxLevels })
  if (isTooDeep) details.add(valueError([part], `JSON must not be nested deeper than ${maxLevels} levels`, null))
  else for (const problem of problems) details.add(detailOf(problem, path => [part, ...path.map(String)]))
  return !isPartial && !details.isFull
}

// The sender signed the exact bytes of the request, and the rule verifies the signature, so nothing is parsed or normalized here.
async function readRaw(req: Request, { proofOf }: Route, { services }: Context): Promise<Values> {
  const headers = Object.fromEntries(Object.entries(req.headers).filter(([, value]) => typeof value === 'string'))
  const proof = proofOf?.(req.params, req.headers, services) ?? 'none'
  const body =
    proof === 'signature' ? await readSigned(req, services) : await readText(req, proof === 'sender' ? maxMessageBytes : maxBodyBytes)
  return { ...req.params, path: req.originalUrl, headers, body }
}

// 6: a signature covers the whole body, so bodies of strangers are read before it is checked. These hold at most 60 MiB. A network may
// send two at once, so that a slow one does not keep all others out.
const maxLargeBodies = 6
const maxLargeBodiesOfNetwork = 2
const largeBodies = perObject<Services, Map<Network, number>>(() => new Map())

/** A large body only if it says so, and few at once. Throws RATE_LIMITED, after which providers repeat the message. */
async function readSigned(req: Request, services: Services): Promise<string> {
  const length = Number(req.headers['content-length'])
  if (!(length > maxBodyBytes) || length > maxMessageBytes) return readText(req, maxBodyBytes)
  const reading = largeBodies(services)
  const network = networkOf(req.ip)
  const own = reading.get(network) ?? 0
  if (own >= maxLargeBodiesOfNetwork || [...reading.values()].reduce((sum, count) => sum + count, 0) >= maxLargeBodies) {
    req.resume()
    throw new AppError('RATE_LIMITED', 'Other large messages are being read; send this one again', { retryAfter: 5 })
  }
  reading.set(network, own + 1)
  try {
    return await readText(req, maxMessageBytes)
  } finally {
    const left = (reading.get(network) ?? 1) - 1
    if (left > 0) reading.set(network, left)
    else reading.delete(network)
  }
}

// Problems of a request with an invalid shape. The rules do not run, so the problems that they would report for the valid fields are added
// here.
async function throwRefusal(
  details: Details,
  route: Route,
  values: Values,
  context: Context,
  { inputs, locate }: Document,
): Promise<never> {
  // When the list is full, further invalid fields are unknown, so the valid fields cannot be determined.
  const problems = details.isFull ? [] : await problemsOf(route.document, variablesOf(inputs, values), context)
  for (const problem of problems) details.add(detailOf(problem, locate))
  throw refusal(details)
}

function checkIdempotencyKey(key: string | string[] | undefined, details: Details): void {
  if (key === undefined || (typeof key === 'string' && idempotencyKeyPattern.test(key))) return
  details.add({
    loc: ['header', 'Idempotency-Key'],
    msg: 'String should have 1 to 255 visible ASCII characters',
    type: 'string_pattern_mismatch',
    input: key,
    ctx: { pattern: idempotencyKeyPattern.source },
  })
}

// `"7"`: the version as an entity tag, which a cache may have made weak (`W/"7"`). `*` requires only that the item exists.
const versionTag = /^(?:W\/)?"(\d{1,9})"$/

function readIfMatch(tag: string | undefined, values: Values, details: Details): void {
  if (tag === undefined || tag === '*') return
  const [, version] = versionTag.exec(tag) ?? []
  if (version === undefined) details.add(valueError(['header', 'If-Match'], 'a version in quotes such as "3" is expected', tag))
  else values.if_version = Number(version)
}

// Reads `dry_run`, a parameter of every write that supports dry runs, and removes it from the query.
function withoutDryRun(query: string, route: Route, context: Context, details: Details): string {
  const parameters = new URLSearchParams(query)
  const [value, ...others] = parameters.getAll('dry_run')
  if (value === undefined) return query
  if (others.length > 0) details.add(valueError(['query', 'dry_run'], 'the parameter is given more than once', others[0]))
  else if (value !== 'true' && value !== 'false') details.add(valueError(['query', 'dry_run'], 'it is true or false', value))
  else if (value === 'true') {
    // Refused here, before an uploaded file is stored.
    if (!isTriable(route.document)) details.add(valueError(['query', 'dry_run'], 'this write cannot be tried: it can only happen', value))
    context.dryRun = {}
  }
  parameters.delete('dry_run')
  return parameters.toString()
}

/** The names of a route's query parameters, and the names that may be repeated. */
interface Parameters {
  known: readonly string[]
  several: ReadonlySet<string>
}

const takesSeveral = (shape: z.core.$ZodType | undefined): boolean =>
  shape instanceof z.ZodArray || (shape instanceof z.ZodOptional && takesSeveral(shape.unwrap()))

function readQuery(text: string, route: Route, { known, several }: Parameters, values: Values, details: Details): void {
  const given: Record<string, string | string[]> = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const before = Object.hasOwn(given, name) ? given[name] : undefined
    if (details.isFull) details.omitted++
    else if (!known.includes(name)) details.add(unknownParameter(name, value, known))
    else if (before === undefined) given[name] = value
    else if (!several.has(name)) details.add(valueError(['query', name], 'the parameter is given more than once', value))
    else if (Array.isArray(before)) before.push(value)
    else given[name] = [before, value]
  }
  if (!checkStorable(given, 'query', details) || !route.query) return
  const listed = Object.entries(given).map(([name, value]) => [name, several.has(name) ? [value].flat() : value])
  const parsed = route.query.safeParse(Object.fromEntries(listed))
  if (parsed.success) Object.assign(values, parsed.data)
  else
    addIssues(
      details,
      parsed.error.issues.map(issue => placeIssue(issue, given)),
      given,
      'query',
    )
}

// A parameter given once has no index in its `loc`; a repeated one has.
function placeIssue(issue: z.core.$ZodIssue, given: Readonly<Record<string, unknown>>): z.core.$ZodIssue {
  const [name] = issue.path
  return issue.path.length === 2 && typeof name === 'string' && typeof given[name] === 'string' ? { ...issue, path: [name] } : issue
}

function unknownParameter(name: string, value: string, known: readonly string[]): Detail {
  const detail = unknownName(['query', name], value, nearest(name, known))
  return detail.ctx.closest || known.length === 0 ? detail : { ...detail, msg: `${detail.msg}; this endpoint takes ${known.join(', ')}` }
}
