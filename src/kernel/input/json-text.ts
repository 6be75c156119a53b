// Parses JSON that others have sent: UTF-8, with or without a byte order mark, of bounded size once it is parsed.

import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { AppError } from '../errors.ts'
import { maxBodyBytes, readBytes, withoutMark } from './body.ts'
import { maxLevels } from './json.ts'
import { isJsonType } from './media-type.ts'
import { type Problem, valueError } from './problem.ts'

/**
 * The maximum number of values in one body. A hundred contacts with every field have a fifth of it; a megabyte of `1,1,1` has twenty times
 * as many, and each value is read several times.
 */
const maxValues = 25_000

/** The parsed value, or the problem of the text. */
export type ParsedJson = { value: unknown; problem?: undefined } | { value?: undefined; problem: Problem }

/**
 * Parses the JSON body of a request. `value` is undefined for a request without a body. Throws UNSUPPORTED_MEDIA_TYPE for anything but
 * unencoded JSON, so that an HTML form of another site cannot send one, and PAYLOAD_TOO_LARGE beyond `maxBodyBytes`. `limits`: see `parseJson`.
 */
export async function readJson(request: IncomingMessage, limits?: JsonLimits): Promise<ParsedJson> {
  const { headers } = request
  if (!isJsonType(headers['content-type']))
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'The body must be sent as application/json in UTF-8')
  const encoding = headers['content-encoding']?.trim() || 'identity'
  if (encoding.toLowerCase() !== 'identity')
    // A few compressed bytes can expand to gigabytes, and JSON of at most 1 MB needs no compression.
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', `The body must be sent as it is, not encoded with ${encoding.slice(0, 40)}`)
  const bytes = await readBytes(request, maxBodyBytes)
  if (bytes.length === 0) return { value: undefined }
  return readJsonBytes(bytes, limits)
}

/** Parses bytes as JSON, within the limits of `parseJson`. */
export function readJsonBytes(bytes: Buffer, limits?: JsonLimits): ParsedJson {
  if (!isUtf8(bytes)) return { problem: malformedProblem('the text is not UTF-8') }
  try {
    return { value: parseJson(bytes.toString(), limits) }
  } catch (error) {
    if (error instanceof OversizedJson) return { problem: valueError('body', `the body ${error.message}`) }
    return { problem: malformedProblem(error instanceof Error ? error.message : 'the text is not JSON') }
  }
}

/** JSON with more values or levels than may be read. `message` is a sentence without its subject. */
export class OversizedJson extends Error {}

interface JsonLimits {
  /** Default 25,000. */
  values?: number
  /** Default 200. */
  levels?: number
}

/**
 * Parses JSON from outside. Throws OversizedJson before anything is allocated, because a parsed value takes up to fifty times its text, and
 * SyntaxError for text that is not JSON. Use it in place of `JSON.parse` for everything that others send or answer.
 */
export function parseJson(text: string, { values = maxValues, levels = maxLevels }: JsonLimits = {}): unknown {
  // A level takes at least one character, and a value too.
  if (text.length > Math.min(levels, values)) countJson(text, values, levels)
  return JSON.parse(withoutMark(text))
}

// Only characters outside of texts: brackets, braces, commas. In text that is not JSON it counts at least the part that the parser reads.
function countJson(text: string, maxValues: number, maxLevels: number): void {
  let values = 1
  let level = 0
  for (let index = 0; index < text.length; index++) {
    switch (text.charCodeAt(index)) {
      case 0x22: // "
        for (index++; index < text.length; index++) {
          const code = text.charCodeAt(index)
          if (code === 0x22) break
          if (code === 0x5c) index++ // \
        }
        break
      case 0x5b: // [
      case 0x7b: // {
        values++
        if (++level > maxLevels) throw new OversizedJson(`must not be nested deeper than ${maxLevels} levels`)
        break
      case 0x5d: // ]
      case 0x7d: // }
        level--
        break
      case 0x2c: // ,
        values++
    }
    if (values > maxValues) throw new OversizedJson(`must not hold more than ${maxValues.toLocaleString('en')} values; send it in parts`)
  }
}

const malformedProblem = (error: string): Problem => ({
  path: ['body'],
  type: 'json_invalid',
  message: 'JSON decode error',
  context: { error },
})
