// The bytes of a request's body, whichever door it came to: all of them, or a refusal that its sender gets to see.

import type { IncomingMessage } from 'node:http'
import { AppError } from './errors.ts'

/** Of REST and GraphQL. 1 MB: a hundred full contacts are 200 kB; what is larger would be held in memory while it arrives. */
export const maxBodyBytes = 1_000_000

/**
 * Reads the body, whether its length was declared or not. Throws PAYLOAD_TOO_LARGE beyond `maxBytes`; what then still arrives is read and
 * dropped, or the sender would meet a closed connection instead of the answer.
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
  request.once('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size)))
  // A sender who hung up gets no answer; the handler still has to end.
  request.once('close', () => {
    if (!request.complete) reject(new AppError('INVALID', 'The body did not arrive completely'))
  })
  return promise
}

const tooLarge = (maxBytes: number) =>
  new AppError('PAYLOAD_TOO_LARGE', `The body must not be larger than ${maxBytes.toLocaleString('en')} bytes`, { maxBytes })

/** Why a text could not be stored and given back as it came, in a sentence without its subject; null where it can. */
export function faultOf(text: string): string | null {
  if (text.includes('\0')) return 'NUL characters are not allowed'
  if (!text.isWellFormed()) return 'the text holds half of a surrogate pair, which is not Unicode'
  return null
}
