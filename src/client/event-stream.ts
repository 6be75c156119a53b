// Server-sent events from the body of an answer.

export interface ServerEvent {
  /** `message` where the server names none. */
  event: string
  data: string
}

// Bounds what a stream without an end of line may take.
const maxChars = 10_000_000

/**
 * The events of a stream, as they arrive. `onBytes` is called for whatever comes, comments included. An event without data is left out, as
 * the standard has it, and so is one that the stream ends in. Throws Error for an event of more than 10 million characters.
 */
export async function* serverEvents(body: ReadableStream<Uint8Array>, onBytes: () => void): AsyncGenerator<ServerEvent, void, undefined> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let event = ''
  let data: string[] = []
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      onBytes()
      text += decoder.decode(value, { stream: true })
      // A CR at the end may be the first half of a CRLF.
      const isHalf = text.endsWith('\r')
      const lines = (isHalf ? text.slice(0, -1) : text).split(/\r\n|\n|\r/)
      text = (lines.pop() ?? '') + (isHalf ? '\r' : '')
      if (text.length > maxChars) throw new Error(`An event of the stream has more than ${maxChars} characters`)
      for (const line of lines) {
        const [, field, content = ''] = /^([^:]*)(?:: ?([\s\S]*))?$/.exec(line) ?? []
        if (line === '') {
          if (data.length > 0) yield { event: event || 'message', data: data.join('\n') }
          event = ''
          data = []
        } else if (field === 'event') event = content
        else if (field === 'data') data.push(content)
      }
    }
  } finally {
    // Closes the connection where the reader of the events stops early.
    await reader.cancel().catch(() => {})
  }
}
