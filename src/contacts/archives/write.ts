// The queue item that writes an archive. An attempt that breaks off leaves nothing: the next one starts from the beginning.

import type { Archive as Row } from '../../generated/prisma/client.ts'
import { isStillOwner } from '../../identity/authentication/still-allowed.ts'
import { type Context, createContext, inTransaction, type Services } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { newId } from '../../kernel/ids.ts'
import type { EventType } from '../../kernel/nouns/events.ts'
import { type Actor, principalOf } from '../../kernel/principal.ts'
import { handlerOf } from '../../kernel/queue/handler.ts'
import type { RunningItem } from '../../kernel/queue/item.ts'
import { dayMs, prune } from '../../kernel/retention.sql.ts'
import { deleteUpload, storeMade } from '../../kernel/uploads/upload.ts'
import { archiveDays, archiveEvents, archiveItem, type NamedArchive } from './archive.ts'
import { archiveZip } from './zip.ts'

// 20 GB: some hundred million rows.
const maxBytes = 20_000_000_000
// Subscribers receive the progress at most this often.
const announceMs = 1000

async function runArchive(services: Services, { payload, signal, isLast }: RunningItem<NamedArchive>): Promise<void> {
  const begun = await begin(services, payload)
  if (!begun) return
  const { context, maker, uploadId } = begun
  try {
    if (!(await isStillOwner(context, maker, payload.orgId)))
      throw new AppError('FORBIDDEN', 'The member who asked for it is no owner any more')
    let rowCount = 0
    let announcedAt = performance.now()
    const zip = archiveZip(context, payload.orgId, async rows => {
      signal.throwIfAborted()
      rowCount += rows
      if (performance.now() - announcedAt < announceMs) return
      announcedAt = performance.now()
      await change(context, payload, uploadId, { rowCount }, archiveEvents.progressed)
    })
    const { byteCount } = await storeMade(context, uploadId, maxBytes, zip)
    const ready = { status: 'ready', rowCount, byteCount: BigInt(byteCount), finishedAt: context.now() }
    await change(context, payload, uploadId, ready, archiveEvents.ready)
  } catch (error) {
    const isFinal = error instanceof AppError && (error.code === 'FORBIDDEN' || error.code === 'PAYLOAD_TOO_LARGE')
    if (!isFinal && !isLast) throw error
    if (!isFinal) services.log.error({ err: error, archiveId: payload.archiveId }, 'an archive failed')
    await fail(context, payload, isFinal ? error.message : 'Unexpected error; ask for another archive')
  }
}

// Of the attempt whose upload this is. An earlier one that still runs finds another one, and changes nothing.
const change = (context: Context, { archiveId: id }: NamedArchive, uploadId: string, data: object, type: EventType): Promise<void> =>
  context.db.transaction(async tx => {
    const { count } = await tx.prisma.archive.updateMany({ where: { id, uploadId, status: 'running' }, data })
    if (count === 0) throw new Error('another attempt writes the archive')
    await recordEvent(inTransaction(context, tx), { type, entityId: id })
  })

// Deletes the part of an earlier attempt.
async function begin(services: Services, { orgId, archiveId: id }: NamedArchive) {
  const found = await services.database.prisma.archive.findFirst({ where: { id, orgId, status: { in: ['queued', 'running'] } } })
  if (!found) return null
  const context = contextOf(services, found)
  if (found.uploadId) await deleteUpload(context, found.uploadId)
  const uploadId = newId()
  const data = { status: 'running', rowCount: 0, uploadId, startedAt: context.now() }
  await services.database.prisma.archive.update({ where: { id }, data })
  return { context, maker: makerOf(found), uploadId }
}

const contextOf = (services: Services, row: Row): Context =>
  createContext(services, {
    principal: principalOf(makerOf(row), row.orgId),
    requestId: newId(),
    door: 'tasks',
    operation: 'writeArchive',
    requestedOrgId: row.orgId,
  })

// `as`: `createArchive` has stored an actor.
const makerOf = ({ createdByType, createdById: id, createdByName: name }: Row): Actor => ({
  type: createdByType as Actor['type'],
  id,
  name,
})

async function fail(context: Context, { archiveId: id }: NamedArchive, statusReason: string): Promise<void> {
  await context.db.transaction(async tx => {
    const where = { id, status: { in: ['queued', 'running'] } }
    const { count } = await tx.prisma.archive.updateMany({ where, data: { status: 'failed', statusReason, finishedAt: context.now() } })
    if (count > 0) await recordEvent(inTransaction(context, tx), { type: archiveEvents.failed, entityId: id })
  })
}

const giveUp = async (services: Services, named: NamedArchive, reason: string): Promise<void> => {
  const found = await services.database.prisma.archive.findFirst({ where: { id: named.archiveId, orgId: named.orgId } })
  if (!found) return
  const context = contextOf(services, found)
  if (found.uploadId) await deleteUpload(context, found.uploadId)
  await fail(context, named, `It was given up: ${reason}`)
}

export const archiveHandler = handlerOf(archiveItem, runArchive, giveUp)

// Their files are uploads, which have the same retention.
export const archiveRetention = { archives: prune('archives', 'archives', 'created_at < $1::timestamptz', () => archiveDays * dayMs) }
