// Malformed HTTP, which does not reach Express: requests that cannot be parsed, oversized headers, requests that are never completed.

import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'

const statusOf: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

// Time for the client to read the answer: while it is still sending, closing at once would reset the connection.
const answerMs = 1000

/** Answers with a status and a request id, which is logged, and closes the connection. */
export function answerClientError({ code = 'unknown' }: NodeJS.ErrnoException, socket: Duplex, log: Logger): void {
  // It is answered already; this is the rest of the client's body.
  if (socket.writableEnded) return
  // If an answer has begun, a second one must not be written into it. Node stores the current answer in the socket.
  const answer: unknown = Reflect.get(socket, '_httpMessage')
  const hasBegun = typeof answer === 'object' && answer !== null && Reflect.get(answer, 'headersSent') === true
  if (!socket.writable || code === 'ECONNRESET' || hasBegun) return void socket.destroy()
  const status = statusOf[code] ?? 400
  const requestId = randomUUID()
  log.info({ requestId, status, code }, 'no request')
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nX-Request-Id: ${requestId}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
  setTimeout(() => socket.destroy(), answerMs).unref()
}
