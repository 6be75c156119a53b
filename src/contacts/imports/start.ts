// Starts an import: its settings are checked, its files queued, and each file queues the next.

import { type Context, inTransaction } from '../../kernel/context.ts'
import { AppError, invalid } from '../../kernel/errors.ts'
import { tooLong } from '../../kernel/input/fields.ts'
import { at, valueError } from '../../kernel/input/problem.ts'
import { actorOf } from '../../kernel/principal.ts'
import { findUpload, useUpload } from '../../kernel/uploads/upload.ts'
import { addOptions } from '../custom-fields/field.ts'
import type { ContactImport } from './import.sql.ts'
import { changing, getImport, importEvents, importItem } from './import.ts'
import { fieldsOf } from './nouns/fields.ts'
import { filesOf, maxFiles } from './parts/parts.ts'
import { addedOptions, checkSettings, type GivenSettings, type Settings } from './settings.ts'

export interface StartImport extends GivenSettings {
  id: string
  /** The settings of the other files of the import. Default: as their headers suggest. */
  files?: readonly (GivenSettings & { id: string })[] | null
}

/**
 * Queues the import with all of its files, and adds the options of their choices. Throws INVALID, and CONFLICT for an import that was already
 * started.
 */
export async function startImport(context: Context, { id, files: given, ...ofFirst }: StartImport): Promise<ContactImport> {
  const first = await getImport(context, id)
  if (first.partOf !== null) throw new AppError('CONFLICT', `The file is a part of the import ${first.partOf}; start that one`)
  if ((given?.length ?? 0) > maxFiles) throw invalid(at('files', tooLong(given ?? [], maxFiles)))
  const files = await filesOf(context, first)
  const settingsOf = new Map((given ?? []).map(({ id, ...settings }) => [id.toLowerCase(), settings]))
  const stranger = (given ?? []).findIndex(one => !files.some(file => file.id === one.id.toLowerCase()))
  if (stranger >= 0) throw invalid(valueError(['files', stranger, 'id'], 'the import has no file with this id', given?.[stranger]?.id))
  const settings = new Map<string, Settings>()
  for (const file of files) {
    const own = file.id === first.id ? ofFirst : { onConflict: ofFirst.onConflict, country: ofFirst.country, ...settingsOf.get(file.id) }
    settings.set(file.id, await checkSettings(context, file, own, file.id === first.id ? [] : ['files', file.fileName ?? file.id]))
  }
  return context.db.transaction(async db => {
    const tx = inTransaction(context, db)
    let started: ContactImport | undefined
    for (const file of files.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
      const own = settings.get(file.id)
      // A file that somebody has taken out of the import stays out.
      if (!own || (file.id !== first.id && file.status !== 'waiting')) continue
      const after = await startFile(tx, file.id, own)
      if (file.id === first.id) started = after
    }
    await continueImport(tx, first)
    return started ?? first
  })
}

const startFile = (context: Context, id: string, settings: Settings): Promise<ContactImport> =>
  changing(context, id, async (tx, row) => {
    if (row.status !== 'waiting') throw new AppError('CONFLICT', `The import is ${row.status}; upload the file again to import it again`)
    if (row.uploadId === null || !(await findUpload(tx, row.uploadId)))
      throw new AppError('CONFLICT', 'The file was deleted after 7 days; upload it again')
    await useUpload(tx, row.uploadId)
    const { custom } = fieldsOf[row.noun]
    if (custom !== null) await addOptions(tx, custom, addedOptions(settings))
    const started: ContactImport = {
      ...row,
      status: 'queued',
      ...settings,
      startedBy: actorOf(context.principal),
      startedAt: context.now().toISOString(),
    }
    return { row: started, event: importEvents.started }
  })

/** Queues the next file of the import. */
export async function continueImport(tx: Context, row: ContactImport): Promise<void> {
  const next = (await filesOf(tx, row)).find(({ status }) => status === 'queued' || status === 'running')
  if (next?.status === 'queued') await tx.services.queue.enqueue(importItem, { orgId: next.orgId, importId: next.id }, { db: tx.db })
}
