// Requests of steps: guarded like all requests to addresses from outside, a few at once per host, and failing with a sentence.

import { type Outgoing, type OutgoingAnswer, OutgoingError, type OutgoingRequest } from '../outgoing.ts'

// 4 at once: enough to keep a step from waiting on another, few enough for any public site.
const mostPerHost = 4
const waiting = new Map<string, { running: number; queue: (() => void)[] }>()

/** What went wrong with a step, as shown with it. */
export class StepError extends Error {}

/** Asks one address by the client. Any status is an answer; no answer is a StepError. */
export async function ask(outgoing: Outgoing, url: string, request: OutgoingRequest & { signal: AbortSignal }): Promise<OutgoingAnswer> {
  const host = URL.canParse(url) ? new URL(url).host : ''
  const leave = await enter(host, request.signal)
  try {
    return await outgoing.send(url, request)
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error
    throw new StepError(error.message, { cause: error })
  } finally {
    leave()
  }
}

async function enter(host: string, signal: AbortSignal): Promise<() => void> {
  const lane = waiting.get(host) ?? { running: 0, queue: [] }
  waiting.set(host, lane)
  if (lane.running >= mostPerHost) {
    const turn = Promise.withResolvers<void>()
    lane.queue.push(turn.resolve)
    const abort = () => {
      lane.queue = lane.queue.filter(resolve => resolve !== turn.resolve)
      turn.reject(new StepError(`Too many requests to ${host} are waiting`))
    }
    signal.addEventListener('abort', abort, { once: true })
    // Whoever leaves hands the place over, so it stays counted.
    await turn.promise.finally(() => signal.removeEventListener('abort', abort))
  } else lane.running++
  return () => {
    const next = lane.queue.shift()
    if (next) return next()
    lane.running--
    if (lane.running === 0) waiting.delete(host)
  }
}
