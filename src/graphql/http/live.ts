// Subscriptions: executes the document for each event with new dataloaders and the rights that the caller has by then, until the client
// disconnects or may no longer subscribe. While the database is away, they wait.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { createSourceEventStream, type ExecutionResult, execute as interpret } from 'graphql'
import { type Context, organizationKeyOf, organizationOf } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { Unsent } from '../../kernel/events/follow.ts'
import { isUnavailable, throughOutages } from '../../kernel/events/outage.ts'
import { networkOf } from '../../kernel/limits/network.ts'
import type { Metrics } from '../../kernel/metrics.ts'
import { actorOf, isVerified, type Principal } from '../../kernel/principal.ts'
import { startPolling } from '../../kernel/queue/poll-loop.ts'
import { rootFieldsOf } from '../execute/compile.ts'
import type { Ready } from '../execute/documents.ts'
import { present, presentAll } from '../execute/errors.ts'
import { addLocations } from '../execute/locations.ts'
import { authorize } from '../execute/run.ts'

/** The client of a stream. */
interface Client {
  /** Authenticates the credential again. Throws when it is no longer valid. */
  authenticate(): Principal | Promise<Principal>
  address: string | undefined
  /** Aborted when the connection closes. */
  gone: AbortSignal
}

/** Subscribes. Resolves with the stream of results once the subscription receives every event, or with errors if it is refused. */
export type Follow = (
  ready: Ready,
  context: Context,
  variables: Record<string, unknown>,
  client: Client,
) => Promise<ExecutionResult | AsyncIterable<ExecutionResult>>

// 5 s: how long a stream without events may outlive its credential. The credential is also checked at each event.
const checkEveryMs = 5000
// Per process: a stream holds a connection, and each event is loaded once per stream. STREAMS_PER_ORGANIZATION additionally limits an
// organization, which could otherwise create more keys to get more streams.
const maxStreamsOfCaller = 100

export function createFollow(): Follow {
  const streams = new Map<string, number>()
  return (ready, context, variables, client) => follow(streams, ready, context, variables, client)
}

async function follow(
  streams: Map<string, number>,
  { schema, document, operation, name }: Ready,
  opened: Context,
  variableValues: Record<string, unknown>,
  client: Client,
): ReturnType<Follow> {
  const { principal } = opened
  // Guests choose their id, so their network is counted. All guests form one group, separate from members of the demo organization.
  const caller = isVerified(principal) ? `${principal.kind}:${actorOf(principal).id}` : `network:${networkOf(client.address)}`
  const orgId = organizationIn(opened)
  const max = opened.services.config.STREAMS_PER_ORGANIZATION
  const { metrics } = opened.services
  const leave = enter(streams, metrics, [
    { name: caller, max: maxStreamsOfCaller, suffix: '' },
    isVerified(principal)
      ? { name: `organization:${orgId ?? caller}`, max, suffix: ' of the organization' }
      : { name: 'guests', max, suffix: ' of guests' },
  ])
  // The generator's `finally` does not run if the client disconnects before it reads the first result.
  client.gone.addEventListener('abort', leave, { once: true })

  opened.operation = name
  const ending = new AbortController()
  const context = { ...opened, signal: AbortSignal.any([client.gone, ending.signal]) }
  const executionArgs = { schema, document, operationName: operation.name?.value, variableValues }
  const source = await createSourceEventStream({ ...executionArgs, contextValue: context })
  if (!(Symbol.asyncIterator in source)) {
    leave()
    ending.abort()
    return { errors: source.errors && presentAll(source.errors, context) }
  }

  const roots = rootFieldsOf(document, operation)
  /** The context as a new subscription would have it. Throws where that would be refused. */
  const renewContext = async (): Promise<Context> => {
    const now = { ...context, principal: await client.authenticate() }
    if (organizationIn(now) !== orgId) throw new AppError('FORBIDDEN', 'The credential lost its access to the organization')
    authorize({ roots }, now, schema.getSubscriptionType())
    return now
  }
  const executeFor = async (rootValue: unknown, now: Context, isLast: boolean): Promise<ExecutionResult> => {
    // A new context per row: dataloaders must not return rows cached for an earlier one.
    const contextValue = { ...now }
    const { errors, ...result } = await interpret({ ...executionArgs, rootValue, contextValue })
    // A client that got the change without its object, and with an error, could ask for it again, and would get it twice.
    const outage = errors?.find(({ originalError }) => isUnavailable(originalError))
    if (outage && !isLast) throw outage.originalError
    return errors ? { ...result, errors: presentAll(errors, contextValue).map(error => addLocations(error, document, operation)) } : result
  }
  const answers = async (item: unknown, isLast: boolean): Promise<ExecutionResult[]> => {
    // Most answers wait for nothing: without a turn of the event loop each, the answers of one event to many streams would block everything else.
    await nextTurn()
    const now = await renewContext()
    const rows = item instanceof Unsent ? await item.rows({ ...now }) : [item]
    const results: ExecutionResult[] = []
    for (const row of rows) results.push(await executeFor(row, now, isLast))
    return results
  }
  // Waits outside of the queue, whose places others need.
  const inTurn = (item: unknown) =>
    throughOutages(context, isLast => opened.services.fairQueue(organizationKeyOf(opened), () => answers(item, isLast), 'stream'))

  async function* results(): AsyncGenerator<ExecutionResult> {
    let refusal: unknown
    const checking = startPolling({
      intervalMs: checkEveryMs,
      poll: async () => void (await renewContext()),
      onError(error) {
        // While the database is away the credential cannot be checked, and events wait.
        if (isUnavailable(error)) return
        refusal = error
        ending.abort()
      },
    })
    try {
      for await (const item of source as AsyncIterable<unknown>) yield* await inTurn(item)
      if (refusal !== undefined) throw refusal
    } catch (error) {
      yield { errors: [present(refusal ?? error, context)] }
    } finally {
      void checking.stop()
      ending.abort()
      leave()
    }
  }
  return results()
}

/** A group of streams with a common limit. */
interface Count {
  name: string
  max: number
  suffix: string
}

/**
 * Adds a stream to each counter and returns the function that removes it. Throws RATE_LIMITED, without counting, if a counter is at its
 * limit.
 */
function enter(streams: Map<string, number>, metrics: Metrics, counts: readonly Count[]): () => void {
  const full = counts.find(({ name, max }) => (streams.get(name) ?? 0) >= max)
  if (full) {
    metrics.countRefusal('listeners')
    const sentence = `There are ${full.max} open subscriptions${full.suffix} already; close some first`
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
