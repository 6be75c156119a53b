// HTTP requests of steps: limited per host, with failures as StepError.

import { LRUCache } from 'lru-cache'
import pLimit, { type LimitFunction } from 'p-limit'
import { type OutgoingAnswer, OutgoingError } from '../../kernel/outgoing/answer.ts'
import type { Outgoing, OutgoingRequest } from '../../kernel/outgoing/http.ts'

// 4 concurrent requests per host: acceptable for any public site.
const maxPerHost = 4
// Far more hosts than one process requests at the same time, so the limit of a busy host is not evicted.
const limitByHost = new LRUCache<string, LimitFunction>({ max: 10_000, memoMethod: () => pLimit(maxPerHost) })

/** A failure whose message is shown with the step. */
export class StepError extends Error {}

/** Sends a request. Every HTTP status is a result; a failed request throws StepError. */
export async function ask(outgoing: Outgoing, url: string, request: OutgoingRequest & { signal: AbortSignal }): Promise<OutgoingAnswer> {
  const limit = limitByHost.memo(URL.canParse(url) ? new URL(url).host : '')
  try {
    // A request that is aborted while it waits fails when its turn comes, without connecting.
    return await limit(() => outgoing.send(url, request))
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error
    throw new StepError(error.message, { cause: error })
  }
}
