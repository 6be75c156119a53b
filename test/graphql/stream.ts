// Reads server-sent events with a plain HTTP client.

import type { Json } from '../support/app.ts'

interface Received {
  event: string
  data: Json
}

export interface Stream {
  status: number
  headers: Headers
  /** The next event that is not a heartbeat. Rejects after `withinMs`. */
  next(withinMs?: number): Promise<Received>
  /** Rejects if an event arrives within the time. */
  silence(forMs: number): Promise<void>
  /** The number of heartbeats so far. */
  beats(): number
  leave(): void
}

/** Opens the stream; resolves when the response headers have arrived. */
export async function openStream(url: string, init: RequestInit): Promise<Stream> {
  const leaving = new AbortController()
  const response = await fetch(url, { ...init, signal: leaving.signal })
  const events: Received[] = []
  const waiting: ((event: Received) => void)[] = []
  let beats = 0

  const read = async () => {
    let text = ''
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const block = text.slice(0, end)
        text = text.slice(end + 2)
        if (block.startsWith(':')) {
          beats++
          continue
        }
        const fields = Object.fromEntries(
          block.split('\n').map(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
        )
        const event = { event: fields.event ?? '', data: fields.data ? JSON.parse(fields.data) : null }
        const reader = waiting.shift()
        if (reader) reader(event)
        else events.push(event)
      }
    }
  }
  read().catch(() => {})

  return {
    status: response.status,
    headers: response.headers,
    next(withinMs = 20_000) {
      const event = events.shift()
      if (event) return Promise.resolve(event)
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`no event within ${withinMs} ms`)), withinMs)
        waiting.push(received => {
          clearTimeout(timer)
          resolve(received)
        })
      })
    },
    async silence(forMs) {
      await new Promise(resolve => setTimeout(resolve, forMs))
      if (events.length > 0) throw new Error(`an event came: ${JSON.stringify(events)}`)
    },
    beats: () => beats,
    leave: () => leaving.abort(),
  }
}
