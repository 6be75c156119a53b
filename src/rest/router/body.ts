// Reads a JSON body: its type, its size, its text, and nothing of what it means.

import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { maxBodyBytes, readBytes } from '../body.ts'
import { AppError } from '../errors.ts'
import { hasTooManyValues, tooManyValues } from '../json-input.ts'
import { type Detail, valueError } from './problems.ts'

/** A body as it came: undefined where there is none. `details` says why it could not be parsed. */
export type Body = { value: unknown; details?: undefined } | { value?: undefined; details: Detail[] }

/**
 * Reads the body. Throws UNSUPPORTED_MEDIA_TYPE for anything that is not plain JSON and PAYLOAD_TOO_LARGE beyond `maxBodyBytes`;
 * what then still arrives is read and dropped, so that the caller gets to see the answer.
 */
export async function readBody(request: IncomingMessage): Promise<Body> {
  const { headers } = request
  const length = headers['content-length']
  if (headers['transfer-encoding'] === undefined && (length === undefined || length === '0')) return { value: undefined }

  if (!isJson(headers['content-type'])) throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'The body must be sent as application/json in UTF-8')
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity')
    // An archive of a few bytes may expand to gigabytes; JSON of 1 MB needs none.
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', `The body must be sent as it is, not encoded with ${encoding.slice(0, 40)}`)

  const bytes = await readBytes(request, maxBodyBytes)
  if (bytes.length === 0) return { value: undefined }
  if (hasTooManyValues(bytes)) return { details: [valueError(['body'], tooManyValues, null)] }
  if (!isUtf8(bytes)) return { details: [malformed('the text is not UTF-8')] }
  try {
    return { value: JSON.parse(bytes.toString()) as unknown }
  } catch (error) {
    return { details: [malformed(error instanceof Error ? error.message : 'the text is not JSON')] }
  }
}

/** The body byte for byte, whatever it is; a text that is not UTF-8 is INVALID. Throws PAYLOAD_TOO_LARGE beyond `maxBodyBytes`. */
export async function readText(request: IncomingMessage): Promise<string> {
  const bytes = await readBytes(request, maxBodyBytes)
  if (!isUtf8(bytes)) throw new AppError('INVALID', 'The body is not UTF-8')
  return bytes.toString()
}

const malformed = (error: string): Detail => ({
  loc: ['body'],
  msg: 'JSON decode error',
  type: 'json_invalid',
  input: null,
  ctx: { error },
})

// `application/json`, `application/merge-patch+json`; UTF-8 is the only charset JSON has.
const json = /^application\/(?:[\w.-]+\+)?json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i

function isJson(type: string | undefined): boolean {
  return type === 'application/json' || (type !== undefined && json.test(type))
}
