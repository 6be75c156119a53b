// Uploads: files in requests, stored in PostgreSQL in chunks, so that every process can read them and no process holds one in memory.

import { createHash } from 'node:crypto'
import { v7 as newId } from 'uuid'
import { type Context, organizationOf } from '../context.ts'
import { AppError } from '../errors.ts'
import { holdUpload, insertChunk, lockUploads, readChunk } from './upload.sql.ts'

/** A complete upload. */
export interface Upload {
  id: string
  byteCount: number
  /** SHA-256 of its bytes, in hexadecimal. */
  hash: string
  isUtf8: boolean
}

/** 100 MB: a million contacts. */
export const maxUploadBytes = 100_000_000
// 256 kB: takes a hundredth of a second to write, and little memory.
const chunkBytes = 262_144
/** The maximum number of files of an organization that are not imported yet. It bounds how much the organization can store. */
const maxOpen = 10

/**
 * Stores the bytes as they arrive. Throws PAYLOAD_TOO_LARGE beyond `maxUploadBytes`, and CONFLICT when ten other files of the organization
 * wait to be imported. After any error nothing is stored.
 */
export async function storeUpload(context: Context, source: AsyncIterable<Buffer>): Promise<Upload> {
  const orgId = organizationOf(context)
  const { database } = context.services
  const id = newId()
  await database.transaction(async tx => {
    // The second of two concurrent requests waits here, and then counts the first one's upload.
    await tx.query(lockUploads, [orgId])
    const open = await tx.prisma.upload.count({ where: { orgId } })
    if (open >= maxOpen)
      throw new AppError('CONFLICT', `${open} uploaded files wait to be imported; start or cancel their imports first`, { retryAfter: 60 })
    await tx.prisma.upload.create({ data: { id, orgId, createdAt: context.now() } })
  })
  try {
    const hash = createHash('sha256')
    const isUtf8 = utf8Checker()
    let byteCount = 0
    let position = 0
    let waiting: Buffer[] = []
    let waitingBytes = 0
    const flush = async () => {
      if (waitingBytes === 0) return
      const bytes = Buffer.concat(waiting, waitingBytes)
      waiting = []
      waitingBytes = 0
      await database.query(insertChunk, [id, position++, bytes])
    }
    for await (const part of source) {
      byteCount += part.length
      if (byteCount > maxUploadBytes) throw uploadTooLarge()
      hash.update(part)
      isUtf8.add(part)
      waiting.push(part)
      waitingBytes += part.length
      if (waitingBytes >= chunkBytes) await flush()
    }
    await flush()
    const digest = hash.digest()
    const stored = { byteCount, isUtf8: isUtf8.end() }
    await database.prisma.upload.update({ where: { id }, data: { ...stored, hash: new Uint8Array(digest), completedAt: context.now() } })
    return { id, ...stored, hash: digest.toString('hex') }
  } catch (error) {
    await deleteUpload(context, id)
    throw error
  }
}

export const uploadTooLarge = () =>
  new AppError('PAYLOAD_TOO_LARGE', `A file must not be larger than ${maxUploadBytes.toLocaleString('en')} bytes; divide it`, {
    maxBytes: maxUploadBytes,
  })

/** A complete upload of the context's organization; null when there is none. */
export async function findUpload(context: Context, id: string): Promise<Upload | null> {
  const orgId = organizationOf(context)
  const found = await context.db.prisma.upload.findFirst({ where: { id, orgId, completedAt: { not: null } } })
  return found && { id, byteCount: found.byteCount, hash: Buffer.from(found.hash ?? []).toString('hex'), isUtf8: found.isUtf8 }
}

/** Keeps a complete upload from being deleted until the transaction ends. False when there is none. */
export const keepUpload = async (context: Context, id: string): Promise<boolean> =>
  (await context.db.query(holdUpload, [organizationOf(context), id])).length > 0

/** Deletes the file, with its bytes. */
export async function deleteUpload({ db }: Context, id: string): Promise<void> {
  await db.prisma.upload.deleteMany({ where: { id } })
}

/** The bytes in their order, one chunk at a time. */
export async function* chunksOf({ db }: Context, id: string): AsyncGenerator<Buffer> {
  for (let position = 0; ; position++) {
    const [chunk] = await db.query(readChunk, [id, position])
    if (!chunk) return
    yield chunk.bytes
  }
}

// Decodes chunks one after the other, to tell whether all of them together are UTF-8.
function utf8Checker() {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let isValid = true
  const decode = (part?: Buffer) => {
    if (!isValid) return
    try {
      decoder.decode(part, { stream: part !== undefined })
    } catch {
      isValid = false
    }
  }
  return {
    add: (part: Buffer) => decode(part),
    end() {
      decode()
      return isValid
    },
  }
}
