// Subscriptions: every event answered with fresh loaders, as long as whoever asked is there and may still ask.

import { createSourceEventStream, type ExecutionResult, execute as interpret } from 'graphql'
import { type Context, organizationOf } from '../context.ts'
import { AppError } from '../errors.ts'
import { actorOf, type Principal } from '../identity/principal.ts'
import type { Metrics } from '../metrics.ts'
import type { Ready } from './documents.ts'
import { located } from './locations.ts'
import { present, presentAll } from './present.ts'

/** Whoever asked. */
export interface Visitor {
  /** As the credential stands now. Throws once it is no longer valid. */
  whoAsks(): Principal | Promise<Principal>
  address: string | undefined
  /** Aborted when the connection is gone. */
  gone: AbortSignal
}

/** Subscribes. Resolves with the results to come, once no event can be missed any more, or with why there will be none. */
export type Follow = (
  ready: Ready,
  context: Context,
  variables: Record<string, unknown>,
  visitor: Visitor,
) => Promise<ExecutionResult | AsyncIterable<ExecutionResult>>

// 5 s: how long a stream on which nothing happens may outlive its credential. Events check for themselves.
const checkEveryMs = 5000
// In one process: a stream holds a connection, and each event is loaded for each of them. More keys are no more streams without end:
// STREAMS_PER_ORGANIZATION counts all of an organization.
const maxStreamsOfCaller = 100

export function createFollow(): Follow {
  const streams = new Map<string, number>()
  return (ready, context, variables, visitor) => follow(streams, ready, context, variables, visitor)
}

async function follow(
  streams: Map<string, number>,
  { schema, document, operation, name }: Ready,
  opened: Context,
  variableValues: Record<string, unknown>,
  visitor: Visitor,
): ReturnType<Follow> {
  const { kind } = opened.principal
  const isStranger = kind === 'guest' || kind === 'anonymous'
  // Guests name themselves, so their address counts; and all of them are one group, beside the members of the demo organization.
  const caller = isStranger ? `address:${visitor.address}` : `${kind}:${actorOf(opened.principal).id}`
  const orgId = organizationIn(opened)
  const max = opened.services.config.STREAMS_PER_ORGANIZATION
  const { metrics } = opened.services
  const leave = enter(streams, metrics, [
    { name: caller, max: maxStreamsOfCaller, whose: '' },
    isStranger
      ? { name: 'guests', max, whose: ' of guests' }
      : { name: `organization:${orgId ?? caller}`, max, whose: ' of the organization' },
  ])
  // Nobody may ever ask for the first of the results.
  visitor.gone.addEventListener('abort', leave, { once: true })

  opened.operation = name
  const ending = new AbortController()
  const context = { ...opened, signal: AbortSignal.any([visitor.gone, ending.signal]) }
  const question = { schema, document, operationName: operation.name?.value, variableValues }
  const source = await createSourceEventStream({ ...question, contextValue: context })
  if (!(Symbol.asyncIterator in source)) {
    leave()
    ending.abort()
    return { errors: source.errors && presentAll(source.errors, context) }
  }

  const recheck = async () => {
    const principal = await visitor.whoAsks()
    if (organizationIn({ ...context, principal }) !== orgId)
      throw new AppError('FORBIDDEN', 'The credential lost its access to the organization')
    return principal
  }
  const answer = async (rootValue: unknown): Promise<ExecutionResult> => {
    // A context of its own, so that nothing an earlier event loaded is answered again.
    const contextValue: Context = { ...context, principal: await recheck() }
    const { errors, ...result } = await interpret({ ...question, rootValue, contextValue })
    return errors ? { ...result, errors: presentAll(errors, contextValue).map(error => located(error, document, operation)) } : result
  }

  async function* results(): AsyncGenerator<ExecutionResult> {
    let refusal: unknown
    const timer = setInterval(() => {
      recheck().catch(error => {
        // While the database is away nobody can be asked, and nothing happens that could be told.
        if (error instanceof AppError && error.code === 'UNAVAILABLE') return
        refusal = error
        ending.abort()
      })
    }, checkEveryMs)
    try {
      for await (const event of source as AsyncIterable<unknown>) yield await answer(event)
      if (refusal !== undefined) throw refusal
    } catch (error) {
      yield { errors: [present(error, context)] }
    } finally {
      clearInterval(timer)
      ending.abort()
      leave()
    }
  }
  return results()
}

/** Whose streams are counted together. */
interface Count {
  name: string
  max: number
  whose: string
}

/** Counts one more stream, until it leaves. Throws RATE_LIMITED where there are enough, and then has counted nothing. */
function enter(streams: Map<string, number>, metrics: Metrics, counts: readonly Count[]): () => void {
  const full = counts.find(({ name, max }) => (streams.get(name) ?? 0) >= max)
  if (full) {
    metrics.refused('listeners')
    const sentence = `There are ${full.max} open subscriptions${full.whose} already; close some first`
    throw new AppError('RATE_LIMITED', sentence, { retryAfter: 60 })
  }
  for (const { name } of counts) streams.set(name, (streams.get(name) ?? 0) + 1)
  metrics.listener(1)
  let isIn = true
  return () => {
    if (!isIn) return
    isIn = false
    metrics.listener(-1)
    for (const { name } of counts) {
      const left = (streams.get(name) ?? 1) - 1
      if (left > 0) streams.set(name, left)
      else streams.delete(name)
    }
  }
}

function organizationIn(context: Context): string | null {
  try {
    return organizationOf(context)
  } catch {
    return null
  }
}
