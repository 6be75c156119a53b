// The door for hooks. A request is checked in this order: path, method, authentication (with a limit of failures), declared length, body.
// Then the hook maps the payload to the variables of one of two stored documents.

import type { Request, RequestHandler, Response } from 'express'
import pLimit from 'p-limit'
import { hookTokens } from '../config/environment.ts'
import { GetRunDocument, RunAgentDocument, WakeDocument } from '../generated/operations.ts'
import { run } from '../graphql/execute/run.ts'
import { type Context, createContext, type Services } from '../kernel/context.ts'
import { writeInTime } from '../kernel/deadlines/deadline.ts'
import { AppError } from '../kernel/errors.ts'
import { operationIdOf } from '../kernel/idempotency/idempotency.ts'
import type { Principal } from '../kernel/principal.ts'
import { addressOf, isUnder } from './address.ts'
import { asFailure, outcomeOf, sendFailure, sendOk } from './answer.ts'
import { createHookAuthentication, type Presented } from './authentication/authenticate.ts'
import { idempotencyOf, senderKey, signedIdempotencyOf, type WriteIdempotency } from './authentication/deduplication.ts'
import { parsePayload, readPayload, readUnpacked } from './body.ts'
import { handshakeOf } from './handshakes.ts'
import type { Action, CompiledMapping, MappedRequest } from './mappings/mapping.ts'
import { readyMappings, requestForMapping } from './mappings/mappings.ts'
import { createTransforms } from './mappings/transforms.ts'
import { type AgentPayload, agentPayload, spellMode, type WakePayload, wakePayload } from './payloads.ts'

export interface Hooks {
  services: Services
  /** The organization that the gateway belongs to. Throws UNAVAILABLE while there is none. */
  organization(): Promise<string>
  /** Stores the request of a mapped hook, so that users of the gateway can inspect it. Never rejects. */
  keep(received: Received): Promise<void>
}

interface Received extends Pick<MappedRequest, 'headers'> {
  /** The payload, or the text of a body that could not be parsed. */
  payload: object | string
  hook: string
  mapping: string | null
  status: number
  error: string | null
}

type Sender = Extract<Principal, { kind: 'hook' }>

// The date since which tokens in queries are deprecated, in the form of the Deprecation header.
const deprecatedSince = '@1767225600'
// The maximum number of requests that wait for a mapping's concurrency. Each holds its payload in memory.
const maxQueued = 200

export function createHooks({ services, organization, keep }: Hooks): RequestHandler {
  const { config, log, now } = services
  const { hooks } = config.gateway
  const authentication = createHookAuthentication({
    tokens: hookTokens(config),
    allowQueryToken: hooks.allowQueryToken,
    limits: services.networkLimits,
    now,
  })
  for (const warning of config.gateway.warnings) log.warn(warning)
  const mappings = readyMappings(hooks, sentence => log.warn(sentence))
  const transforms = hooks.transformsDir === null ? null : createTransforms(hooks.transformsDir)
  const limits = new Map(mappings.map(one => [one, pLimit(one.mapping.concurrency)]))
  // The scopes of all runs that the hook token can start.
  const scopesOfToken = [
    ...new Set([hooks, ...mappings.flatMap(({ mapping }) => (mapping.auth ? [] : [mapping]))].flatMap(({ scopes = [] }) => scopes)),
  ]
  let hasWarned = false

  const answer = async (req: Request, res: Response): Promise<void> => {
    const address = addressOf(hooks.path, req.path, req.url, req.method)
    const { name, query, runId } = address
    const isDirect = name === 'wake' || name === 'agent' || runId !== null
    const candidates = isDirect || name === null ? [] : mappings.filter(one => one.mayOwn(name))
    const presented: Presented = { headers: req.headers, query, ip: () => req.ip }

    const pass = authentication.checkTokens(presented, candidates)
    if (pass.fromQuery) {
      res.setHeader('Deprecation', deprecatedSince)
      if (!hasWarned) log.warn('a hook token came in a query, where proxies and logs can see it; send Authorization: Bearer instead')
      hasWarned = true
    }
    if (name === null) throw new AppError('NOT_FOUND', 'There is no such hook')
    if (runId !== null) return sendRun(res, runId, contextOf(req, res, { ...(await senderOf()), scopes: scopesOfToken }))
    if (!isDirect && candidates.length === 0) throw new AppError('NOT_FOUND', `There is no hook named ${name}`)

    const maxBytes = isDirect ? hooks.maxBodyBytes : Math.max(...candidates.map(maxBytesOf))
    const body = await readUnpacked(req, maxBytes)
    const isTried = isDryRun(query, isDirect)
    if (isDirect) {
      const payload = parsePayload(body)
      const context = contextOf(req, res, await senderOf(), { ...senderKey(req), sent: payload })
      if (isTried) context.dryRun = {}
      return name === 'wake' ? wake(res, payload, context) : runAgent(res, payload, context)
    }
    const shown = authentication.checkSignatures(presented, pass, candidates, body)
    const isKnown = shown.hasHookToken || shown.mappings.size > 0
    const payload = await readPayload(body, req.headers['content-type']).catch((thrown: unknown) => {
      const error = asFailure(thrown)
      const request = requestForMapping({ req, base: hooks.path, name, query, payload: {}, now: now() })
      if (isKnown && !isTried) void keep({ ...request, payload: body.toString(), hook: name, mapping: null, ...outcomeOf(error) })
      log.warn({ requestId: req.id, hook: name, status: outcomeOf(error).status, error: error.message }, 'the body of a hook was refused')
      throw error
    })
    const opened = shown.hasHookToken ? candidates.filter(({ mapping }) => !mapping.auth) : []
    const handshake = handshakeOf(
      [...opened, ...shown.mappings.keys()].map(({ mapping }) => mapping),
      req.headers,
      payload,
    )
    if (handshake) return sendOk(res, 200, handshake)
    const owner = candidates.find(one => one.owns({ headers: req.headers, payload }))
    if (isTried) query?.delete('dry_run')
    const request = requestForMapping({ req, base: hooks.path, name, query, payload, now: now() })
    if (!owner) {
      const error = new AppError('NOT_FOUND', `No mapping takes this payload with these headers for ${name}`)
      // Only requests with a valid credential are stored.
      if (!isTried && isKnown) void keep({ ...request, hook: name, mapping: null, ...outcomeOf(error) })
      throw error
    }
    authentication.checkOwner(presented, shown, owner)
    if (body.length > maxBytesOf(owner))
      throw new AppError('PAYLOAD_TOO_LARGE', `The body must not be larger than ${maxBytesOf(owner).toLocaleString('en')} bytes`)
    const limit = limits.get(owner)
    if (limit && limit.pendingCount >= maxQueued)
      throw new AppError('RATE_LIMITED', 'Too many requests for this hook at once', { retryAfter: 1 })
    if (isTried) return void (await limit?.(() => tryActions(req, res, owner, request)))
    await limit?.(async () => {
      const outcome = await runActions(req, res, owner, request, shown.mappings.get(owner) ?? null).then(
        () => ({ status: res.statusCode, error: null, thrown: null }),
        (thrown: unknown) => ({ ...outcomeOf(asFailure(thrown)), thrown }),
      )
      void keep({ ...request, hook: name, mapping: owner.mapping.id, status: outcome.status, error: outcome.error })
      if (outcome.thrown !== null) throw outcome.thrown
    })
  }

  const maxBytesOf = ({ mapping }: CompiledMapping) => mapping.maxBodyBytes ?? hooks.maxBodyBytes

  const senders = new Map<CompiledMapping | null, Sender>()
  const senderOf = (one: CompiledMapping | null = null): Sender | Promise<Sender> => senders.get(one) ?? newSender(one)
  const newSender = async (one: CompiledMapping | null): Promise<Sender> => {
    const { scopes = hooks.scopes, creditCeiling = hooks.creditCeiling, id = 'webhook' } = one?.mapping ?? {}
    const sender: Sender = { kind: 'hook', name: id, orgId: await organization(), runId: null, scopes, creditCeiling }
    senders.set(one, sender)
    return sender
  }

  const contextOf = (req: Request, res: Response, principal: Sender, idempotency: WriteIdempotency = senderKey(req)): Context => {
    res.locals.principal = principal
    return createContext(services, { principal, requestId: req.id, door: 'hooks', ...idempotency })
  }

  const runActions = async (req: Request, res: Response, owner: CompiledMapping, request: MappedRequest, signedId: string | null) => {
    const actions = await owner.actions(request, transforms)
    if (actions.length === 0) return void res.status(204).set('Cache-Control', 'no-store').end()
    const sender = await senderOf(owner)
    const keys =
      signedId === null ? idempotencyOf(actions, senderKey(req).idempotencyKey, owner.mapping) : signedIdempotencyOf(actions, signedId)
    const contexts = keys.map(idempotency => contextOf(req, res, sender, idempotency))
    const results = await allOrNone(actions, contexts).finally(() => identify(res, contexts))
    finish(res, contexts)
    const [first] = results
    const events = results.filter(result => 'eventId' in result)
    const runs = results.filter(result => 'runId' in result)
    sendOk(res, runs.length > 0 ? 202 : 200, {
      ...first,
      ...(results.length > 1 && events.length > 0 && { events }),
      ...(results.length > 1 && runs.length > 0 && { runs }),
    })
  }

  // Each action by itself. Nothing is stored of the request, and its signature's id is not used.
  const tryActions = async (req: Request, res: Response, owner: CompiledMapping, request: MappedRequest) => {
    const sender = await senderOf(owner)
    const results: Record<string, unknown>[] = []
    for (const action of await owner.actions(request, transforms)) {
      const context = contextOf(req, res, sender)
      context.dryRun = {}
      results.push({ kind: action.kind, ...(await perform(action, context)) })
    }
    sendOk(res, 200, { dryRun: true, mapping: owner.mapping.id, actions: results })
  }

  const perform = (action: Action, context: Context) =>
    action.kind === 'wake' ? performWake(action.payload, context) : performRun(action.payload, context)

  // When one action fails, all fail, because the sender repeats the whole batch.
  const allOrNone = (actions: readonly Action[], contexts: readonly Context[]): Promise<Record<string, unknown>[]> => {
    const inOrder = async (within: (context: Context) => Context) => {
      const results: Record<string, unknown>[] = []
      for (const [index, action] of actions.entries()) results.push(await perform(action, within(contexts[index] as Context)))
      return results
    }
    return actions.length === 1
      ? inOrder(context => context)
      : writeInTime(() => services.database.transaction(db => inOrder(context => ({ ...context, db }))), {
          hasKey: contexts.every(({ idempotency }) => idempotency !== null),
        })
  }

  return (req, res, next) => {
    if (!isUnder(hooks.path, req.path)) return next()
    answer(req, res).catch((thrown: unknown) => {
      const error = asFailure(thrown)
      if (error.cause !== undefined) {
        const level = error.code === 'INTERNAL' ? 'error' : 'warn'
        log[level]({ err: error.cause, requestId: req.id }, error.message)
      }
      if (!res.headersSent && !res.destroyed) sendFailure(res, error)
    })
  }
}

async function performWake(payload: WakePayload, context: Context) {
  const { result } = await run(WakeDocument, payload, context)
  return { mode: spellMode(result.mode), eventId: result.eventId, outcome: result.outcome }
}

async function performRun(payload: AgentPayload, context: Context) {
  const { result } = await run(RunAgentDocument, payload, context)
  return { runId: result.runId, sessionKey: result.sessionKey, status: result.status }
}

async function wake(res: Response, payload: Record<string, unknown>, context: Context): Promise<void> {
  const result = await performWake(wakePayload(payload), context).finally(() => identify(res, [context]))
  finish(res, [context])
  sendOk(res, 200, answerOf(result, context))
}

async function runAgent(res: Response, payload: Record<string, unknown>, context: Context): Promise<void> {
  const result = await performRun(agentPayload(payload), context).finally(() => identify(res, [context]))
  finish(res, [context])
  sendOk(res, context.dryRun ? 200 : 202, answerOf(result, context))
}

// The query of a mapped hook belongs to its sender. So another value of `dry_run` is not refused there: the sender may mean something else.
function isDryRun(query: URLSearchParams | null, isDirect: boolean): boolean {
  const given = query?.get('dry_run') ?? 'false'
  if (isDirect && given !== 'true' && given !== 'false') throw new AppError('INVALID', 'dry_run: must be true or false')
  return given === 'true'
}

const answerOf = (result: Record<string, unknown>, { dryRun }: Context) => (dryRun ? { dryRun: true, ...result } : result)

async function sendRun(res: Response, runId: string, context: Context): Promise<void> {
  const { result } = await run(GetRunDocument, { runId }, context)
  finish(res, [context])
  sendOk(res, 200, { ...result })
}

function finish(res: Response, contexts: readonly Context[]): void {
  res.locals.operation = contexts[0]?.operation ?? ''
  if (contexts.some(({ idempotency }) => idempotency?.replayed)) res.setHeader('Idempotent-Replayed', 'true')
}

/** Reports the first action's request as the operation of all actions. */
function identify(res: Response, [first]: readonly Context[]): void {
  if (first && !first.dryRun) res.setHeader('X-Operation-Id', operationIdOf(first))
}
