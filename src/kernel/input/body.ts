// Reads the body of a request, for all doors: all its bytes, or an error that still reaches the client.

import type { IncomingMessage } from 'node:http'
import { AppError } from '../errors.ts'

/** For REST and GraphQL. 1 MB: a hundred full contacts are 200 kB, and a body is held in memory while it arrives. */
export const maxBodyBytes = 1_000_000

/** For messages of telephony providers. 10 MiB: the report of two hours of talk has several, with each word's time. */
export const maxMessageBytes = 10_485_760

// 30 s: less would refuse bodies of 1 MB over a line of 300 kbit/s. The server's own limit is longer, because of uploads.
const maxMs = 30_000
// Time to send the answer before the connection is closed.
const answerMs = 1000

/**
 * Reads the body, with or without a Content-Length. Throws PAYLOAD_TOO_LARGE beyond `maxBytes`, and INVALID after 30 s. The rest of the
 * body is then read and dropped: otherwise the client would see a closed connection instead of the answer.
 */
export function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  if (Number(request.headers['content-length']) > maxBytes) {
    request.resume()
    return Promise.reject(tooLarge(maxBytes))
  }
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const chunks: Buffer[] = []
  let size = 0
  const onData = (chunk: Buffer) => {
    size += chunk.length
    if (size <= maxBytes) return void chunks.push(chunk)
    request.off('data', onData)
    request.resume()
    reject(tooLarge(maxBytes))
  }
  request.on('data', onData)
  const late = setTimeout(() => {
    reject(new AppError('INVALID', `The body did not arrive within ${maxMs / 1000} s`))
    setTimeout(() => request.destroy(), answerMs).unref()
  }, maxMs).unref()
  request.once('end', () => {
    clearTimeout(late)
    resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size))
  })
  // The client has disconnected and gets no answer, but the promise must settle.
  request.once('close', () => {
    clearTimeout(late)
    if (!request.complete) reject(new AppError('INVALID', 'The body did not arrive completely'))
  })
  return promise
}

const tooLarge = (maxBytes: number) =>
  new AppError('PAYLOAD_TOO_LARGE', `The body must not be larger than ${maxBytes.toLocaleString('en')} bytes`, { maxBytes })

/** The text without the byte order mark that editors and .NET put before UTF-8. Neither `JSON.parse` nor forms take it. */
export const withoutMark = (text: string): string => (text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)

// The maximum number of fields of a form. Providers send some fifty.
const maxFields = 1000

/** Whether a form has more than a thousand fields. They are counted before they are read: each takes a hundred times its text. */
export function hasTooManyFields(text: string): boolean {
  let fields = 1
  for (let at = text.indexOf('&'); at >= 0 && fields <= maxFields; at = text.indexOf('&', at + 1)) fields++
  return fields > maxFields
}

/** The fields of a form (application/x-www-form-urlencoded). Throws INVALID for too many. */
export function parseForm(text: string): URLSearchParams {
  if (hasTooManyFields(text)) throw new AppError('INVALID', `The form must have at most ${maxFields} fields`)
  return new URLSearchParams(withoutMark(text))
}
