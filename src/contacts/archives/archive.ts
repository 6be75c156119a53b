// Archives: everything of an organization as one file, for its owners. The queue item that writes one is in write.ts.

import type { Archive as Row } from '../../generated/prisma/client.ts'
import { isStillOwner } from '../../identity/authentication/still-allowed.ts'
import { managing } from '../../identity/organizations/membership.ts'
import { type Context, organizationOf } from '../../kernel/context.ts'
import { createDownload, type Download, fileKind } from '../../kernel/downloads.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { newId } from '../../kernel/ids.ts'
import { eventsOf } from '../../kernel/nouns/events.ts'
import { actorOf, createdByColumns } from '../../kernel/principal.ts'
import { queueItem } from '../../kernel/queue/item.ts'
import { chunksOf, findUpload } from '../../kernel/uploads/upload.ts'

type ArchiveStatus = 'queued' | 'running' | 'ready' | 'failed'
export type Archive = Omit<Row, 'status'> & { status: ArchiveStatus }

export const archiveEvents = eventsOf('archive', {
  created: 'An owner asked for an archive of the organization.',
  downloaded: 'A link to an archive was used.',
  failed: 'An archive could not be made.',
  linked: 'A link to an archive was made.',
  progressed: 'An archive has got further rows. At most once a second, for all rows since.',
  ready: 'An archive can be downloaded.',
})

/** The payload of the queue item. */
export interface NamedArchive {
  orgId: string
  archiveId: string
}

// 6 hours: 10,000 rows a second are 200 million. Another attempt starts from the beginning.
export const archiveItem = queueItem<NamedArchive>('archive', {
  retryLimit: 3,
  retryDelaySeconds: 10,
  timeoutSeconds: 21_600,
  concurrency: 1,
  perOrganization: 1,
})

/** An archive is deleted after these. */
export const archiveDays = 7

/** Queues an archive. Returns the one that is being made, if there is one. Throws FORBIDDEN for others than owners. */
export function createArchive(context: Context): Promise<Archive> {
  return managing(context, organizationOf(context), 'owner', async ({ context: inside, organizationId: orgId }) => {
    const { prisma } = inside.db
    const open = await prisma.archive.findFirst({ where: { orgId, status: { in: ['queued', 'running'] } } })
    if (open) return asArchive(open)
    const id = newId()
    const maker = createdByColumns(actorOf(context.principal))
    const created = await prisma.archive.create({ data: { id, orgId, ...maker, createdAt: context.now() } })
    await recordEvent(inside, { type: archiveEvents.created, entityId: id })
    await context.services.queue.enqueue(archiveItem, { orgId, archiveId: id }, { db: inside.db })
    return asArchive(created)
  })
}

/** The latest archive of the organization; null for none. */
export async function latestArchive(context: Context): Promise<Archive | null> {
  const orgId = organizationOf(context)
  const since = new Date(context.now().getTime() - archiveDays * 86_400_000)
  const found = await context.db.prisma.archive.findFirst({
    where: { orgId, createdAt: { gt: since } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  })
  return found && asArchive(found)
}

/** Makes a link to the latest archive. Throws NOT_FOUND without one, CONFLICT until it is ready, and FORBIDDEN for others than owners. */
export function createArchiveDownload(context: Context): Promise<Download> {
  return managing(context, organizationOf(context), 'owner', async ({ context: inside }) => {
    const archive = await latestArchive(inside)
    if (!archive) throw new AppError('NOT_FOUND', `There is no archive: make one with createArchive; it is kept for ${archiveDays} days`)
    if (archive.status !== 'ready')
      throw new AppError('CONFLICT', `The archive is ${archive.status}: wait until it is ready, or make another`)
    const fileName = `archive-${archive.createdAt.toISOString().slice(0, 10)}.zip`
    return createDownload(inside, { kind: archiveDownload, fileName, parameters: { archiveId: archive.id } })
  })
}

const archiveDownload = fileKind({
  name: 'archive',
  contentType: 'application/zip',
  created: archiveEvents.linked,
  downloaded: archiveEvents.downloaded,
  mayStillRead: isStillOwner,
  async *write(context, parameters) {
    // `as`: `createArchiveDownload` has stored these parameters.
    const { archiveId } = parameters as { archiveId: string }
    const archive = await context.db.prisma.archive.findFirst({ where: { id: archiveId, orgId: organizationOf(context) } })
    const upload = archive?.uploadId ? await findUpload(context, archive.uploadId) : null
    if (!upload) throw notFound('archive', archiveId)
    yield* chunksOf(context, upload.id)
  },
})

/** The archives with the ids, in the organization of the request. */
export async function loadArchives(context: Context, ids: readonly string[]): Promise<(Archive | null)[]> {
  const found = await context.db.prisma.archive.findMany({ where: { orgId: organizationOf(context), id: { in: [...ids] } } })
  const byId = new Map(found.map(row => [row.id, asArchive(row)]))
  return ids.map(id => byId.get(id) ?? null)
}

// `as`: only this folder writes the column.
const asArchive = (row: Row): Archive => ({ ...row, status: row.status as ArchiveStatus })
