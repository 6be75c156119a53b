// A model server for tests, which speaks OpenAI's protocol over HTTP and replies as the test defines.

import { createServer } from 'node:http'
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
    res.setHeader('content-type', 'application/json')
    res.end(
      JSON.stringify({
        id: `chatcmpl-${requests.length}`,
        object: 'chat.completion',
        created: 1,
        model: request.model,
        choices: [
          {
            index: 0,
            finish_reason: answer.calls ? 'tool_calls' : 'stop',
            message: {
              role: 'assistant',
              content: answer.text ?? null,
              ...(answer.calls && {
                tool_calls: answer.calls.map(({ name, input }) => ({
                  id: `call-${++calls}`,
                  type: 'function',
                  function: { name, arguments: typeof input === 'string' ? input : JSON.stringify(input) },
                })),
              }),
            },
          },
        ],
        usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
      }),
    )
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
