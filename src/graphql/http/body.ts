// Reads the body of a POST: JSON, whole, of bounded size, once.

import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { maxBodyBytes, readBytes } from '../body.ts'
import { AppError, invalid } from '../errors.ts'
import { hasTooManyValues, tooManyValues } from '../json-input.ts'

/**
 * The parsed body. Throws UNSUPPORTED_MEDIA_TYPE for anything but plain application/json, so that a form or a script-free page of
 * another site can never send an operation; PAYLOAD_TOO_LARGE beyond `maxBodyBytes`, whether the length was declared or not; INVALID
 * for what is not JSON.
 */
export async function readBody(request: IncomingMessage): Promise<unknown> {
  const { headers } = request
  if (!json.test(headers['content-type'] ?? ''))
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Operations are sent as application/json in UTF-8')
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity')
    // A few bytes of an archive may expand to gigabytes; a document needs none.
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'The body must be sent as it is, without a Content-Encoding')

  const bytes = await readBytes(request, maxBodyBytes)
  if (hasTooManyValues(bytes))
    throw invalid({ path: ['body'], type: 'value_error', message: `Value error, ${tooManyValues}`, context: { error: tooManyValues } })
  if (!isUtf8(bytes)) throw malformed('the text is not UTF-8')
  try {
    return JSON.parse(bytes.toString()) as unknown
  } catch (error) {
    throw malformed(error instanceof Error ? error.message : 'the text is not JSON')
  }
}

// UTF-8 is the only charset that JSON has.
const json = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i

const malformed = (error: string) => invalid({ path: ['body'], type: 'json_invalid', message: 'JSON decode error', context: { error } })
