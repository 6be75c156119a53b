// Reads the body of a hook: checks its size before and after decompression, and that it is JSON or a form that PostgreSQL can store.

import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib'
import { AppError } from '../kernel/errors.ts'
import { readBytes } from '../kernel/input/body.ts'
import { examine, type JsonProblem } from '../kernel/input/json.ts'
import { type ParsedJson, readJsonBytes } from '../kernel/input/json-text.ts'
import { mediaTypeOf } from '../kernel/input/media-type.ts'
import { inUtf8 } from './charset.ts'
import { formPayload } from './forms.ts'

// No limit here: the size limit of the body applies.
const unlimited = Number.POSITIVE_INFINITY

// Four times as many as our own API takes: payloads of other services are long, and mappings read only some of it.
const maxValues = 100_000
/** The maximum depth of objects and lists in a payload. */
const maxDepth = 100

const [zlib, bare] = [promisify(inflate), promisify(inflateRaw)]
// `deflate` is meant to have the header of zlib, which some senders leave out (RFC 9110, 8.4.1.2).
const inflateAny: typeof zlib = (bytes, options) => (isZlib(bytes as Buffer) ? zlib : bare)(bytes, options)
const isZlib = (bytes: Buffer) => bytes.length > 1 && (bytes.readUInt8(0) & 15) === 8 && bytes.readUInt16BE(0) % 31 === 0
const unpackers = { gzip: promisify(gunzip), 'x-gzip': promisify(gunzip), deflate: inflateAny, br: promisify(brotliDecompress) }

/** The decompressed bytes of the body. Throws PAYLOAD_TOO_LARGE beyond `maxBytes`, and INVALID for an unknown Content-Encoding. */
export async function readUnpacked(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() || 'identity'
  if (encoding !== 'identity' && !Object.hasOwn(unpackers, encoding))
    throw new AppError('INVALID', `Content-Encoding must be one of identity, ${Object.keys(unpackers).join(', ')}`)
  const bytes = await readBytes(request, maxBytes)
  if (encoding === 'identity' || bytes.length === 0) return bytes
  try {
    return await unpackers[encoding as keyof typeof unpackers](bytes, { maxOutputLength: maxBytes })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new AppError('PAYLOAD_TOO_LARGE', `The body must not be larger than ${maxBytes.toLocaleString('en')} bytes when it is unpacked`)
    throw new AppError('INVALID', `The body is not ${encoding}, as its Content-Encoding says`)
  }
}

/** The payload: a JSON object, or `{}` for an empty body. Throws INVALID with the reason. */
export function parsePayload(body: Buffer): Record<string, unknown> {
  const bytes = inUtf8(body, null)
  if (isBlank(bytes)) return {}
  const { value, problem } = readJsonPayload(bytes)
  if (problem) throw new AppError('INVALID', `The body is not JSON: ${problem.context?.error}`)
  const payload = asObject(value)
  checkStorable(payload, '')
  return payload
}

// Up to 8 bytes: some senders of an empty body send a line break or a byte order mark.
const isBlank = (bytes: Buffer) => bytes.length <= 8 && bytes.toString().trim() === ''

// Throws INVALID for JSON that is too large, which is no reason to read it as a form.
function readJsonPayload(bytes: Buffer): ParsedJson {
  const parsed = readJsonBytes(bytes, { values: maxValues, levels: maxDepth })
  if (parsed.problem && parsed.problem.type !== 'json_invalid')
    throw new AppError('INVALID', `The JSON is too large: ${parsed.problem.context?.error}`)
  return parsed
}

/** Throws INVALID for any other value. */
export function asObject(value: unknown): Record<string, unknown> {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw new AppError('INVALID', 'The body must be a JSON object')
  return value as Record<string, unknown>
}

/** The payload of a mapped hook: a JSON object or list, or a form as an object. */
export type Payload = Readonly<Record<string, unknown>> | readonly unknown[]

/**
 * The payload of a mapped hook; `{}` for an empty body. The Content-Type decides only about bodies that are not JSON: curl calls every body a form.
 * Throws INVALID with the reason.
 */
export async function readPayload(body: Buffer, contentType: string | undefined): Promise<Payload> {
  const { type, charset } = mediaTypeOf(contentType)
  const isMultipart = type === 'multipart/form-data'
  const bytes = isMultipart ? body : inUtf8(body, charset)
  if (isBlank(bytes)) return {}
  const { value, problem } = readJsonPayload(bytes)
  const payload = problem ? await formPayload(bytes, contentType) : value
  if (problem && payload === null)
    throw new AppError('INVALID', `The body is not JSON: ${problem.context?.error}; a form needs its Content-Type`)
  if (payload === null || typeof payload !== 'object') throw new AppError('INVALID', 'The body must be a JSON object or list, or a form')
  checkStorable(payload, '')
  return payload as Payload
}

/** Throws INVALID for a value that PostgreSQL would not return unchanged. `where` names the value in the message. */
export function checkStorable(value: unknown, where: string): void {
  const { problems, isTooDeep } = examine(value, { levels: maxDepth, textLength: unlimited, nameLength: unlimited, length: unlimited })
  const [first] = problems
  if (first) throw new AppError('INVALID', sentence(first, where))
  if (isTooDeep) throw new AppError('INVALID', `The body is nested deeper than ${maxDepth} levels`)
}

function sentence({ path, reason, isName }: JsonProblem, where: string): string {
  const place = placeOf(path, where)
  if (!isName) return `${place}: ${reason}`
  if (path.at(-1) === '__proto__') return `${place}: no field may have this name`
  const parent = placeOf(path.slice(0, -1), where)
  return `the name of a field${parent && ` in ${parent}`}: ${reason}`
}

const placeOf = (path: JsonProblem['path'], where: string) =>
  path.reduce<string>((place, step) => (typeof step === 'number' ? `${place}[${step}]` : place ? `${place}.${step}` : step), where)
