// Requests of the load: each names the status that it expects, and reads its answer to the end.

import { setTimeout as sleep } from 'node:timers/promises'

// biome-ignore lint/suspicious/noExplicitAny: the type of the body depends on the request.
export type Json = any

export interface Target {
  url: string
  key: string
  hookToken: string
  /** A server outside that takes webhooks and messages, and counts them. */
  receiver: { url: string; counts: { webhooks: number; messages: number } }
}

interface Request {
  body?: unknown
  headers?: Record<string, string>
  /** Default: that of the organization's API key; null for none. */
  credential?: string | null
  status?: number
}

// Longer than any answer takes on a busy machine: a request that hangs is a failure, one that waits is none.
const patienceMs = 60_000
// 503 asks for another attempt. On a machine that stands still for seconds the database is away for as long, which is no failure here.
const attempts = 20

export function soakClient({ url, key }: Pick<Target, 'url' | 'key'>) {
  /** `refusals`: the first answers that ask for another attempt. */
  const counts = { answers: 0, unavailable: 0, refusals: [] as string[] }
  const ask = async (method: string, path: string, { body, headers = {}, credential = key, status = 200 }: Request = {}): Promise<Json> => {
    const isText = typeof body === 'string'
    const init = {
      method,
      headers: {
        ...(credential !== null && { authorization: `Bearer ${credential}` }),
        ...(body !== undefined && { 'content-type': isText ? 'text/csv' : 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
    }
    let response: Response
    let text: string
    for (let attempt = 1; ; attempt++) {
      response = await fetch(path.startsWith('http') ? path : url + path, { ...init, signal: AbortSignal.timeout(patienceMs) })
      text = await response.text()
      counts.answers++
      // GraphQL and tools say it with 200, to a POST. openapi.json only describes it.
      const isUnavailable = response.status === 503 || (method === 'POST' && /"UNAVAILABLE/.test(text.replaceAll('\\', '')))
      if (attempt === attempts || !isUnavailable) break
      counts.unavailable++
      if (counts.refusals.length < 10) counts.refusals.push(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`)
      await sleep(500)
    }
    if (response.status !== status) throw new Error(`${method} ${path}: ${response.status} instead of ${status}: ${text.slice(0, 300)}`)
    return /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : text
  }
  const graphql = async (query: string, variables: object = {}, request: Request = {}): Promise<Json> => {
    const { data, errors } = await ask('POST', '/graphql', { ...request, body: { query, variables } })
    if (errors) throw new Error(`${query.slice(0, 100)}: ${JSON.stringify(errors).slice(0, 300)}`)
    return data
  }
  return { ask, graphql, counts }
}

export type SoakClient = ReturnType<typeof soakClient>
