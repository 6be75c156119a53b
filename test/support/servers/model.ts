// A model server for tests, which speaks OpenAI's protocol over HTTP and replies as the test defines.

import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface ModelRequest {
  model: string
  messages: {
    role: string
    content: string | null
    tool_calls?: { id: string; function: { name: string; arguments: string } }[]
    tool_call_id?: string
  }[]
  tools?: { function: { name: string; description: string; parameters: Record<string, unknown> } }[]
  reasoning_effort?: string
  stream?: boolean
}

interface ModelAnswer {
  text?: string
  calls?: { name: string; input: unknown }[]
  /** An HTTP error instead of an answer. */
  status?: number
  /** The message of the error. */
  message?: string
  headers?: Record<string, string>
  afterMs?: number
  /** Milliseconds between the words of a streamed answer. Default: none. */
  wordMs?: number
  /** Called when the first word of a streamed answer is sent. */
  onFirstWord?: () => void
  /** Ends a streamed answer after so many words, by closing the connection. */
  diesAfter?: number
}

export type Behaviour = (request: ModelRequest, count: number) => ModelAnswer | Promise<ModelAnswer>

/** Starts the server. `behave` sets what it answers from then on; `requests` is what it was asked. */
export async function startModel(first: Behaviour = () => ({ text: 'Done.' })) {
  let behave = first
  const requests: ModelRequest[] = []
  const keys: (string | undefined)[] = []
  const userAgents: (string | undefined)[] = []
  let calls = 0
  const server = createServer(async (req, res) => {
    let text = ''
    for await (const chunk of req) text += chunk
    const request = JSON.parse(text) as ModelRequest
    requests.push(request)
    keys.push(req.headers.authorization)
    userAgents.push(req.headers['user-agent'])
    const answer = await behave(request, requests.length)
    if (answer.afterMs) await sleep(answer.afterMs)
    if (res.destroyed) return
    if (answer.status) {
      res.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
      return res.end(JSON.stringify({ error: { message: answer.message ?? `the model says ${answer.status}`, type: 'test' } }))
    }
    const toolCalls = answer.calls?.map(({ name, input }) => ({
      id: `call-${++calls}`,
      type: 'function',
      function: { name, arguments: typeof input === 'string' ? input : JSON.stringify(input) },
    }))
    const finish_reason = toolCalls ? 'tool_calls' : 'stop'
    const head = { id: `chatcmpl-${requests.length}`, created: 1, model: request.model }
    if (request.stream) return stream(res, { ...head, object: 'chat.completion.chunk' }, answer, toolCalls, finish_reason)
    res.setHeader('content-type', 'application/json')
    const message = { role: 'assistant', content: answer.text ?? null, ...(toolCalls && { tool_calls: toolCalls }) }
    res.end(JSON.stringify({ ...head, object: 'chat.completion', choices: [{ index: 0, finish_reason, message }], usage }))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    /** The provider as the configuration names it. */
    provider: { baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: 'model-key-0123456789' },
    requests,
    /** The Authorization headers that came. */
    keys,
    userAgents,
    behave(next: Behaviour) {
      behave = next
    },
    /** The last input of the model, as one text. */
    lastPrompt: () =>
      requests
        .at(-1)
        ?.messages.map(({ content }) => content ?? '')
        .join('\n') ?? '',
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }

/** Sends the answer word by word, as server-sent events. */
async function stream(
  res: ServerResponse,
  head: object,
  { text = '', wordMs = 0, diesAfter, onFirstWord }: ModelAnswer,
  toolCalls: readonly object[] | undefined,
  finish_reason: string,
): Promise<void> {
  res.setHeader('content-type', 'text/event-stream')
  const send = (more: object) => res.write(`data: ${JSON.stringify({ ...head, ...more })}\n\n`)
  const part = (delta: object, finish: string | null = null) => send({ choices: [{ index: 0, delta, finish_reason: finish }] })
  for (const [index, word] of (text.match(/\S+\s*/g) ?? []).entries()) {
    if (index === diesAfter) return void res.destroy()
    part({ role: 'assistant', content: word })
    if (index === 0) onFirstWord?.()
    if (wordMs > 0) await sleep(wordMs)
    if (res.destroyed) return
  }
  if (toolCalls) part({ tool_calls: toolCalls.map((call, index) => ({ index, ...call })) })
  part({}, finish_reason)
  send({ choices: [], usage })
  res.end('data: [DONE]\n\n')
}
