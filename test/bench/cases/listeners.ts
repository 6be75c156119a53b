// Subscriptions to `changes`, and how many changes they were sent.

import { type ClientRequest, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Listeners {
  /** How many changes they have received, all together. */
  received(): number
  stop(): void
}

/** Resolves when each subscription receives what follows. `onChunk`: called with the text of what is sent. */
export async function listen(
  url: string,
  count: number,
  headers: Record<string, string>,
  onChunk?: (text: string) => void,
): Promise<Listeners> {
  const body = JSON.stringify({ query: 'subscription { changes { type entityId } }' })
  let received = 0
  const open: ClientRequest[] = []
  for (let index = 0; index < count; index++) {
    const stream = request(`${url}/graphql`, {
      method: 'POST',
      agent: false,
      headers: { ...headers, 'content-type': 'application/json', accept: 'text/event-stream' },
    })
    stream.on('error', () => {})
    const receive = (chunk: Buffer) => {
      received += occurrences(chunk)
      onChunk?.(chunk.toString())
    }
    stream.on('response', response => response.on('data', receive))
    stream.end(body)
    open.push(stream)
  }
  const stop = () => {
    for (const stream of open) stream.destroy()
  }
  // Each stream begins with the signal FOLLOWING.
  for (let waitedMs = 0; received < count; waitedMs += 50) {
    if (waitedMs > 30_000) {
      stop()
      throw new Error(`Only ${received} of ${count} subscriptions were opened`)
    }
    await sleep(50)
  }
  return { received: () => received - count, stop }
}

const event = Buffer.from('event: next')

// A chunk is one event or several; one that is cut in two counts where its first line is whole, which few chunks miss.
function occurrences(chunk: Buffer): number {
  let count = 0
  for (let at = chunk.indexOf(event); at >= 0; at = chunk.indexOf(event, at + event.length)) count++
  return count
}
