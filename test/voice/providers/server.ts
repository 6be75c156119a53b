// A telephony provider's HTTP API on a local port: records every request and returns the answers that the test sets.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Json } from '../../support/app.ts'

export interface Asked {
  method: string
  path: string
  query: URLSearchParams
  headers: Record<string, string | string[] | undefined>
  body: string
  form: URLSearchParams
  json: Json
}
interface Answered {
  status: number
  body?: unknown
  headers?: Record<string, string>
}
/** Null: the connection is cut without an answer. */
export type Answer = (asked: Asked) => Answered | null | Promise<Answered | null>

export async function providerServer() {
  const asked: Asked[] = []
  const state = { answer: (() => ({ status: 404, body: {} })) as Answer }
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    const { pathname, searchParams } = new URL(req.url ?? '', 'http://local')
    const isJson = req.headers['content-type'] === 'application/json'
    const request: Asked = {
      method: req.method ?? '',
      path: pathname,
      query: searchParams,
      headers: req.headers,
      body,
      form: new URLSearchParams(body),
      json: isJson && body ? JSON.parse(body) : null,
    }
    asked.push(request)
    const answer = await state.answer(request)
    if (answer === null) req.socket.destroy()
    else res.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers }).end(JSON.stringify(answer.body ?? {}))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    /** Requests to a path, such as `POST /Calls.json` by its end. */
    to: (method: string, end: string) => asked.filter(one => one.method === method && one.path.endsWith(end)),
    answers(answer: Answer) {
      state.answer = answer
    },
    close() {
      server.closeAllConnections()
      return new Promise(resolve => server.close(resolve))
    },
  }
}
