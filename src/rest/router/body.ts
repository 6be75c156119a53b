// Reads the body of a request of REST: JSON, or the text that its sender has signed.

import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { AppError } from '../../kernel/errors.ts'
import { readBytes } from '../../kernel/input/body.ts'
import { type ParsedJson, readJson } from '../../kernel/input/json-text.ts'
import { isJsonType } from '../../kernel/input/media-type.ts'

/** The parsed body; `value` is undefined if there is none. Throws what `readJson` throws. */
export const readBody = async (request: IncomingMessage): Promise<ParsedJson> =>
  hasBody(request) ? readJson(request) : { value: undefined }

/** The body's text, unchanged. Throws INVALID if it is not UTF-8, PAYLOAD_TOO_LARGE beyond `maxBytes`. */
export async function readText(request: IncomingMessage, maxBytes: number): Promise<string> {
  const bytes = await readBytes(request, maxBytes)
  if (!isUtf8(bytes)) throw new AppError('INVALID', 'The body is not UTF-8')
  return bytes.toString()
}

/** Whether a request says that its body is JSON. */
export const hasJson = (request: IncomingMessage): boolean => hasBody(request) && isJsonType(request.headers['content-type'])

function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length']
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}
