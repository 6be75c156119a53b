// Downloads: files that are generated while they are sent, or were made before. A link opens its file once and is valid for 60 seconds.

import { createHash, randomBytes } from 'node:crypto'
import type { Prisma } from '../generated/prisma/client.ts'
import { type Context, createContext, inTransaction, organizationOf, type Services } from './context.ts'
import { AppError } from './errors.ts'
import { recordEvent } from './events/events.ts'
import { newId } from './ids.ts'
import type { EventType } from './nouns/events.ts'
import { type Actor, actorOf, createdByColumns, principalOf } from './principal.ts'

/** A kind of file. The domain whose file it is declares it. */
export interface FileKind {
  /** Stored with each link. */
  name: string
  created: EventType
  downloaded: EventType
  /** Default: CSV in UTF-8. */
  contentType?: string
  /** Yields the file in parts, from the parameters of the link. */
  write(context: Context, parameters: unknown): AsyncIterable<Part>
  /** Whether the maker of a link may still read what it leads to: a membership, its role or an API key may have ended since. */
  mayStillRead(context: Context, maker: Actor, orgId: string): Promise<boolean>
}

/** Of a file: text in UTF-8, or bytes. */
export type Part = string | Buffer

const kinds = new Map<string, FileKind>()

/** Declares a kind of file. */
export function fileKind(kind: FileKind): FileKind {
  if (kinds.has(kind.name)) throw new Error(`There are two kinds of files named ${kind.name}`)
  kinds.set(kind.name, kind)
  return kind
}

export interface NewDownload {
  kind: FileKind
  /** Letters, digits, dots and hyphens. */
  fileName: string
  /** JSON, which the kind parses. */
  parameters: unknown
  /** Details for the event. */
  changes?: Record<string, unknown>
}

/** A link to a file. */
export interface Download {
  id: string
  /** Contains the token. The token is shown only here; the database has its SHA-256. */
  url: string
  fileName: string
  expiresAt: Date
}

export interface OpenDownload {
  fileName: string
  contentType: string
  content: AsyncIterable<Part>
}

/** 60 s: enough for a browser to follow the link, too short for passing the link on. */
const validMs = 60_000
/** The path of download links, below the public address of the server. */
export const downloadPath = '/api/crm/v1/exports'
// 32 random bytes in base64url.
const form = /^[A-Za-z0-9_-]{43}$/

/** The organization of the request, for a caller who may create links. Throws GUEST_READ_ONLY for guests. */
export function organizationToDownloadFrom(context: Context): string {
  if (context.principal.kind === 'guest') throw new AppError('GUEST_READ_ONLY', 'Guests may only read')
  return organizationOf(context)
}

/** Creates a link. */
export async function createDownload(context: Context, { kind, fileName, parameters, changes = {} }: NewDownload): Promise<Download> {
  const orgId = organizationToDownloadFrom(context)
  const token = randomBytes(32).toString('base64url')
  const id = newId()
  const expiresAt = new Date(context.now().getTime() + validMs)
  await context.db.transaction(async tx => {
    await tx.prisma.download.create({
      data: {
        id,
        orgId,
        tokenHash: hashOf(token),
        kind: kind.name,
        fileName,
        parameters: parameters as Prisma.InputJsonObject,
        ...createdByColumns(actorOf(context.principal)),
        createdAt: context.now(),
        expiresAt,
      },
    })
    await recordEvent(inTransaction(context, tx), { type: kind.created, entityId: id, changes: { kind: kind.name, ...changes } })
  })
  const { PUBLIC_URL = '' } = context.services.config
  return { id, url: `${PUBLIC_URL}${downloadPath}/${token}`, fileName, expiresAt }
}

/** Opens the link's file once. Throws NOT_FOUND for an unknown, used or expired token. */
export async function openDownload(services: Services, token: string, requestId: string): Promise<OpenDownload> {
  const now = services.now()
  const opened = form.test(token)
    ? await services.database.transaction(async tx => {
        const [row] = await tx.prisma.download.updateManyAndReturn({
          where: { tokenHash: hashOf(token), usedAt: null, expiresAt: { gt: now } },
          data: { usedAt: now },
        })
        const kind = row && kinds.get(row.kind)
        if (!row || !kind) return null
        const { orgId, createdByType, createdById, createdByName } = row
        const maker: Actor = { type: createdByType as Actor['type'], id: createdById, name: createdByName }
        const principal = principalOf(maker, orgId)
        const context = createContext(services, { principal, requestId, door: 'rest', operation: 'download' })
        const mayStillRead = (asking: Context) => kind.mayStillRead(asking, maker, orgId)
        if (!(await mayStillRead(inTransaction(context, tx)))) throw endedLinkError()
        await recordEvent(inTransaction(context, tx), { type: kind.downloaded, entityId: row.id, changes: { kind: row.kind } })
        return { row, kind, context, mayStillRead }
      })
    : null
  if (!opened) throw new AppError('NOT_FOUND', 'The link was used, has expired, or never was one: ask for another')
  const { row, kind, context, mayStillRead } = opened
  const content = kind.write(context, row.parameters)
  const { contentType = 'text/csv; charset=utf-8' } = kind
  return { fileName: row.fileName, contentType, content: whileAllowed(content, () => mayStillRead(context)) }
}

// A client that reads slowly takes hours. Each part has rows as they are by then, so it is for who may read them by then.
async function* whileAllowed(content: AsyncIterable<Part>, isAllowed: () => Promise<boolean>): AsyncGenerator<Part> {
  for await (const part of content) {
    if (!(await isAllowed())) throw endedLinkError()
    yield part
  }
}

const endedLinkError = () => new AppError('NOT_FOUND', 'The link ended with the permission of its maker, who may no longer read this')

const hashOf = (token: string) => new Uint8Array(createHash('sha256').update(token).digest())
