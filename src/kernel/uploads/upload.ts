// Uploads: files in requests, stored in PostgreSQL in chunks, so that every process can read them and no process holds one in memory.

import { createHash } from 'node:crypto'
import { type Context, inTransaction, organizationOf } from '../context.ts'
import { AppError, notFound } from '../errors.ts'
import { newId } from '../ids.ts'
import { actorOf } from '../principal.ts'
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
/** The maximum number of files of one person or key. It bounds how much they can store. */
const maxOwn = 10
/** The maximum number of files of an organization. */
const maxAll = 30
// The files of others make room after an hour: until then somebody may be looking at their columns.
const othersMs = 3_600_000

/**
 * Stores the bytes as they arrive. Throws PAYLOAD_TOO_LARGE beyond `maxUploadBytes`. The caller's oldest file that nothing uses makes room for
 * an eleventh; where all are used, CONFLICT is thrown. After any error nothing is stored.
 */
export async function storeUpload(context: Context, source: AsyncIterable<Buffer>): Promise<Upload> {
  const orgId = organizationOf(context)
  const { database } = context.services
  const id = newId()
  const uploadedBy = uploaderOf(context)
  await database.transaction(async tx => {
    // The second of two concurrent requests waits here, and then counts the first one's upload.
    await tx.query(lockUploads, [orgId])
    await makeRoom(inTransaction(context, tx), orgId, uploadedBy)
    await tx.prisma.upload.create({ data: { id, orgId, uploadedBy, createdAt: context.now() } })
  })
  return storeBytes(context, id, source)
}

/**
 * Stores a file that was made from another upload. It belongs to the other one: it takes no room of its own, and is deleted with it. Throws PAYLOAD_TOO_LARGE
 * beyond `maxUploadBytes`, and NOT_FOUND where the other one is deleted meanwhile.
 */
export async function deriveUpload(context: Context, fromId: string, source: AsyncIterable<Buffer>): Promise<Upload> {
  const orgId = organizationOf(context)
  const id = newId()
  await context.services.database.transaction(async tx => {
    if (!(await keepUpload(inTransaction(context, tx), fromId))) throw notFound('upload', fromId)
    await tx.prisma.upload.create({ data: { id, orgId, uploadedBy: uploaderOf(context), derivedFromId: fromId, createdAt: context.now() } })
  })
  return storeBytes(context, id, source)
}

// The uploader of files that the server makes.
const theServer = 'server'

/**
 * Stores a file that the server makes for `orgId`, under an id that the caller has noted. It takes no room of uploads, and is deleted after
 * 7 days. Throws PAYLOAD_TOO_LARGE beyond `maxBytes`. After any error nothing is stored.
 */
export async function storeMade(context: Context, id: string, maxBytes: number, source: AsyncIterable<Buffer>): Promise<Upload> {
  const orgId = organizationOf(context)
  // In use from the beginning: writing it may take longer than an upload that broke off is kept.
  await context.db.prisma.upload.create({ data: { id, orgId, uploadedBy: theServer, isUsed: true, createdAt: context.now() } })
  return storeBytes(context, id, source, maxBytes)
}

function uploaderOf({ principal }: Context): string {
  const { type, id } = actorOf(principal)
  return `${type} ${id ?? ''}`
}

async function storeBytes(context: Context, id: string, source: AsyncIterable<Buffer>, maxBytes = maxUploadBytes): Promise<Upload> {
  const { database } = context.services
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
      if (byteCount > maxBytes) throw uploadTooLarge(maxBytes)
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

// `uploads_lock` is held.
async function makeRoom(context: Context, orgId: string, uploadedBy: string): Promise<void> {
  const all = await context.db.prisma.upload.findMany({
    where: { orgId, derivedFromId: null, uploadedBy: { not: theServer } },
    orderBy: { createdAt: 'asc' },
  })
  const own = all.filter(upload => upload.uploadedBy === uploadedBy)
  const before = context.now().getTime() - othersMs
  const isFree = (upload: (typeof all)[number]) => !upload.isUsed && upload.completedAt !== null
  const freeOwn = own.find(isFree)
  const free = freeOwn ?? (own.length < maxOwn ? all.find(one => isFree(one) && one.createdAt.getTime() < before) : undefined)
  if (own.length < maxOwn && all.length < maxAll) return
  if (!free)
    throw new AppError('CONFLICT', `${own.length} files of yours are being imported; wait until one has ended, or cancel its import`, {
      retryAfter: 60,
    })
  await deleteUpload(context, free.id)
}

export const uploadTooLarge = (maxBytes = maxUploadBytes) =>
  new AppError('PAYLOAD_TOO_LARGE', `A file must not be larger than ${maxBytes.toLocaleString('en')} bytes; divide it`, { maxBytes })

/** A complete upload of the context's organization; null when there is none. */
export async function findUpload(context: Context, id: string): Promise<Upload | null> {
  const orgId = organizationOf(context)
  const found = await context.db.prisma.upload.findFirst({ where: { id, orgId, completedAt: { not: null } } })
  return found && { id, byteCount: found.byteCount, hash: Buffer.from(found.hash ?? []).toString('hex'), isUtf8: found.isUtf8 }
}

/** Keeps a complete upload from being deleted until the transaction ends. False when there is none. */
export const keepUpload = async (context: Context, id: string): Promise<boolean> =>
  (await context.db.query(holdUpload, [organizationOf(context), id])).length > 0

/** Keeps the file until it is deleted: it makes no room for others. */
export async function useUpload({ db }: Context, id: string): Promise<void> {
  await db.prisma.upload.updateMany({ where: { id }, data: { isUsed: true } })
}

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
