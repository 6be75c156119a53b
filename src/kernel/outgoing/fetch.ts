// Requests to the services of the operator's configuration: models, channels, another server's credits. Named, traced, and read within bounds.

import { userAgent } from '../../config/user-agent.ts'
import { inRequestSpan } from './span.ts'

// 10 MiB: fifty times the longest answer of a model.
const maxBytes = 10 * 1024 * 1024
// Values of JSON, counted by the characters that begin one, inside of texts too. Each takes some fifty bytes once it is parsed.
const maxValues = 1_000_000

/** `fetch`, whose answer's body fails beyond 10 MiB or a million values, while it arrives. */
export const boundedFetch: typeof fetch = async (url, init) => {
  const at = url instanceof Request ? url.url : String(url)
  const answer = await inRequestSpan(at, init?.method ?? 'GET', trace => {
    const headers = new Headers(init?.headers)
    if (!headers.has('user-agent')) headers.set('user-agent', userAgent)
    for (const [name, value] of Object.entries(trace)) headers.set(name, value)
    return fetch(url, { ...init, headers })
  })
  const { status, statusText, headers } = answer
  return answer.body ? new Response(answer.body.pipeThrough(countingStream(new URL(at).host)), { status, statusText, headers }) : answer
}

function countingStream(host: string): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0
  let values = 0
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength
      for (const byte of chunk) if (byte === 0x2c || byte === 0x5b || byte === 0x7b) values++
      if (bytes > maxBytes) throw new Error(`${host} answered with more than ${maxBytes} bytes`)
      if (values > maxValues) throw new Error(`${host} answered with more than ${maxValues} values of JSON`)
      controller.enqueue(chunk)
    },
  })
}
