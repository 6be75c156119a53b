// Parses JSON that others have sent: UTF-8, with or without a byte order mark.

import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { AppError } from '../errors.ts'
import { maxBodyBytes, readBytes } from './body.ts'
import { hasTooManyValues, tooManyValues } from './json.ts'
import { isJsonType } from './media-type.ts'
import { type Problem, valueError } from './problem.ts'

/** The parsed value, or what is wrong with the text. */
export type ParsedJson = { value: unknown; problem?: undefined } | { value?: undefined; problem: Problem }

/**
 * Parses the JSON body of a request. `value` is undefined for a request without a body. Throws UNSUPPORTED_MEDIA_TYPE for anything but
 * unencoded JSON, so that an HTML form of another site cannot send one, and PAYLOAD_TOO_LARGE beyond `maxBodyBytes`.
 */
export async function readJson(request: IncomingMessage): Promise<ParsedJson> {
  const { headers } = request
  if (!isJsonType(headers['content-type']))
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'The body must be sent as application/json in UTF-8')
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity')
    // A few compressed bytes can expand to gigabytes, and JSON of at most 1 MB needs no compression.
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', `The body must be sent as it is, not encoded with ${encoding.slice(0, 40)}`)
  const bytes = await readBytes(request, maxBodyBytes)
  if (bytes.length === 0) return { value: undefined }
  if (hasTooManyValues(bytes)) return { problem: valueError('body', tooManyValues()) }
  return parsedJson(bytes)
}

/** Parses bytes as JSON. */
export function parsedJson(bytes: Buffer): ParsedJson {
  if (!isUtf8(bytes)) return { problem: malformed('the text is not UTF-8') }
  try {
    return { value: JSON.parse(withoutMark(bytes.toString())) as unknown }
  } catch (error) {
    return { problem: malformed(error instanceof Error ? error.message : 'the text is not JSON') }
  }
}

/** The text without the byte order mark that editors and .NET put before UTF-8. `JSON.parse` refuses it. */
export const withoutMark = (text: string): string => (text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)

const malformed = (error: string): Problem => ({ path: ['body'], type: 'json_invalid', message: 'JSON decode error', context: { error } })
