// Reads and parses a JSON body: checks media type, size and encoding, not the content.

import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { AppError } from '../../kernel/errors.ts'
import { maxBodyBytes, readBytes } from '../../kernel/input/body.ts'
import { hasTooManyValues, tooManyValues } from '../../kernel/input/json.ts'
import { type Detail, valueError } from './problems.ts'

/** A parsed body; `value` is undefined if there is none. `details` contains the reason if it could not be parsed. */
export type Body = { value: unknown; details?: undefined } | { value?: undefined; details: Detail[] }

/**
 * Reads the body. Throws UNSUPPORTED_MEDIA_TYPE for anything but unencoded JSON and PAYLOAD_TOO_LARGE beyond `maxBodyBytes`. The rest of
 * a refused body is read and discarded, so that the client receives the response.
 */
export async function readBody(request: IncomingMessage): Promise<Body> {
  const { headers } = request
  if (!hasBody(request)) return { value: undefined }

  if (!isJson(headers['content-type'])) throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'The body must be sent as application/json in UTF-8')
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity')
    // A few compressed bytes can expand to gigabytes, and JSON of at most 1 MB needs no compression.
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', `The body must be sent as it is, not encoded with ${encoding.slice(0, 40)}`)

  const bytes = await readBytes(request, maxBodyBytes)
  if (bytes.length === 0) return { value: undefined }
  if (hasTooManyValues(bytes)) return { details: [valueError(['body'], tooManyValues(), null)] }
  if (!isUtf8(bytes)) return { details: [malformed('the text is not UTF-8')] }
  try {
    return { value: JSON.parse(bytes.toString()) as unknown }
  } catch (error) {
    return { details: [malformed(error instanceof Error ? error.message : 'the text is not JSON')] }
  }
}

/** The body's text, unchanged. Throws INVALID if it is not UTF-8, PAYLOAD_TOO_LARGE beyond `maxBodyBytes`. */
export async function readText(request: IncomingMessage): Promise<string> {
  const bytes = await readBytes(request, maxBodyBytes)
  if (!isUtf8(bytes)) throw new AppError('INVALID', 'The body is not UTF-8')
  return bytes.toString()
}

/** Whether a request says that its body is JSON. */
export const hasJson = (request: IncomingMessage): boolean => hasBody(request) && isJson(request.headers['content-type'])

function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length']
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}

const malformed = (error: string): Detail => ({
  loc: ['body'],
  msg: 'JSON decode error',
  type: 'json_invalid',
  input: null,
  ctx: { error },
})

// `application/json`, `application/merge-patch+json`. JSON is always UTF-8 (RFC 8259).
const json = /^application\/(?:[\w.-]+\+)?json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i

function isJson(type: string | undefined): boolean {
  return type === 'application/json' || (type !== undefined && json.test(type))
}
