// Reads what a sender sent: at most so many bytes, unpacked under the same cap, and then JSON that can be stored.

import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { readBytes } from '../body.ts'
import { AppError } from '../errors.ts'
import { examine, type Fault } from '../json-input.ts'

// What platforms send is theirs to say; the cap on the body bounds it.
const unlimited = Number.POSITIVE_INFINITY

/** Levels of objects and lists in a payload. */
export const deepest = 100

const unpackers = { gzip: promisify(gunzip), 'x-gzip': promisify(gunzip), deflate: promisify(inflate), br: promisify(brotliDecompress) }

/** The body's bytes, unpacked. Throws PAYLOAD_TOO_LARGE beyond `maxBytes`, and INVALID for packings it does not know. */
export async function readUnpacked(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
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

/** The payload: a JSON object, `{}` for an empty body. Throws INVALID with the reason. */
export function parsePayload(bytes: Buffer): Record<string, unknown> {
  if (bytes.length === 0) return {}
  if (!isUtf8(bytes)) throw new AppError('INVALID', 'The body is not UTF-8')
  let value: unknown
  try {
    value = JSON.parse(bytes.toString('utf8'))
  } catch (error) {
    throw new AppError('INVALID', `The body is not JSON: ${error instanceof Error ? error.message : 'it cannot be parsed'}`)
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw new AppError('INVALID', 'The body must be a JSON object')
  checkStorable(value, '')
  return value as Record<string, unknown>
}

/** Throws INVALID for what could not be stored and given back as it came, wherever it stands below `where`. */
export function checkStorable(value: unknown, where: string): void {
  const { faults, isTooDeep } = examine(value, { levels: deepest, textLength: unlimited, nameLength: unlimited, length: unlimited })
  const [fault] = faults
  if (fault) throw new AppError('INVALID', sentence(fault, where))
  if (isTooDeep) throw new AppError('INVALID', `The body is nested deeper than ${deepest} levels`)
}

function sentence({ path, reason, isName }: Fault, where: string): string {
  const place = placeOf(path, where)
  if (!isName) return `${place}: ${reason}`
  if (path.at(-1) === '__proto__') return `${place}: no field may have this name`
  const parent = placeOf(path.slice(0, -1), where)
  return `the name of a field${parent && ` in ${parent}`}: ${reason}`
}

const placeOf = (path: Fault['path'], where: string) =>
  path.reduce<string>((place, step) => (typeof step === 'number' ? `${place}[${step}]` : place ? `${place}.${step}` : step), where)
