// HTTP requests of steps: limited per host, repeated when the host is busy, with failures as StepError.

import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import pLimit, { type LimitFunction } from 'p-limit'
import { type OutgoingAnswer, OutgoingError } from '../../kernel/outgoing/answer.ts'
import type { Outgoing, OutgoingRequest } from '../../kernel/outgoing/http.ts'
import { emptyAccount, isPassing, retryAfterSeconds } from '../../kernel/outgoing/refusal.ts'

// 4 concurrent requests per host: acceptable for any public site.
const maxPerHost = 4
// Far more hosts than one process requests at the same time, so the limit of a busy host is not evicted.
const limitByHost = new LRUCache<string, LimitFunction>({ max: 10_000, memoMethod: () => pLimit(maxPerHost) })

/** A failure whose message is shown with the step. */
export class StepError extends Error {}

// Three requests in all, within the time of the step: a provider that is busy for longer fails the step.
const maxAttempts = 3
const maxWaitSeconds = 10

/** 202: the service has begun to look, and is to be asked again. */
export const stillLooking = 202

/**
 * Sends a request, and again after 202, 429 and errors of the server: after the time that Retry-After asks for, up to 10 s, else after a quarter
 * and half of a second. Every HTTP status is a result; a request without an answer throws StepError.
 */
export async function ask(outgoing: Outgoing, url: string, request: OutgoingRequest & { signal: AbortSignal }): Promise<OutgoingAnswer> {
  for (let attempt = 1; ; attempt++) {
    const answer = await askOnce(outgoing, url, request)
    const waitSeconds = waitOf(answer) ?? (attempt / 4) * (1 + Math.random() / 4)
    const isPreliminary = isPassing(answer.status) || answer.status === stillLooking
    if (attempt === maxAttempts || !isPreliminary || waitSeconds > maxWaitSeconds) return answer
    await sleep(waitSeconds * 1000, undefined, { signal: request.signal }).catch(cause => {
      throw new StepError(refusalOf(new URL(url).host, answer).message, { cause })
    })
  }
}

const waitOf = ({ headers }: OutgoingAnswer) => retryAfterSeconds(headers.get('retry-after'))

async function askOnce(outgoing: Outgoing, url: string, request: OutgoingRequest): Promise<OutgoingAnswer> {
  const limit = limitByHost.memo(URL.canParse(url) ? new URL(url).host : '')
  try {
    // A request that is aborted while it waits fails when its turn comes, without connecting.
    return await limit(() => outgoing.send(url, request))
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error
    throw new StepError(error.message, { cause: error })
  }
}

/** Why a step fails with this answer. `name`: the provider, as people know it. */
export function refusalOf(name: string, answer: OutgoingAnswer): StepError {
  if (answer.status === 402) return new StepError(`${name} answered 402: ${emptyAccount(name)}`)
  if (answer.status === stillLooking) return new StepError(`${name} is still looking; try again later`)
  const waitSeconds = answer.status === 429 ? waitOf(answer) : undefined
  const wanted = waitSeconds === undefined ? '' : `; it wants to be asked again after ${Math.ceil(waitSeconds)} s`
  return new StepError(`${name} answered ${answer.status}${wanted}`)
}
