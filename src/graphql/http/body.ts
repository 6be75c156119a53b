// Reads the JSON body of a POST request, with a size limit.

import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { AppError, invalid } from '../../kernel/errors.ts'
import { maxBodyBytes, readBytes } from '../../kernel/input/body.ts'
import { hasTooManyValues, tooManyValues } from '../../kernel/input/json.ts'
import { valueError } from '../../kernel/input/problem.ts'

/**
 * The parsed body. Throws UNSUPPORTED_MEDIA_TYPE for anything but application/json, so that an HTML form of another site cannot send an
 * operation; PAYLOAD_TOO_LARGE beyond `maxBodyBytes`, with or without a Content-Length; INVALID if the body is not JSON.
 */
export async function readBody(request: IncomingMessage): Promise<unknown> {
  const { headers } = request
  if (!json.test(headers['content-type'] ?? ''))
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Operations are sent as application/json in UTF-8')
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity')
    // A few compressed bytes can expand to gigabytes, and documents are small.
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'The body must be sent as it is, without a Content-Encoding')

  const bytes = await readBytes(request, maxBodyBytes)
  if (hasTooManyValues(bytes)) throw invalid(valueError('body', tooManyValues()))
  if (!isUtf8(bytes)) throw malformed('the text is not UTF-8')
  try {
    return JSON.parse(bytes.toString()) as unknown
  } catch (error) {
    throw malformed(error instanceof Error ? error.message : 'the text is not JSON')
  }
}

// JSON is always UTF-8 (RFC 8259).
const json = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i

const malformed = (error: string) => invalid({ path: ['body'], type: 'json_invalid', message: 'JSON decode error', context: { error } })
