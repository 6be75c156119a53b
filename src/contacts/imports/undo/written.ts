// Keeps which contacts a batch of an import has written, and their former values.

import type { Context } from '../../../kernel/context.ts'
import { storedJson } from '../../../kernel/input/storable.ts'
import type { RowResult } from '../../contact/batch/existing.ts'
import { type FieldChanges, insertImportReversals, insertWritten } from './undo.sql.ts'

/** Stores the results of a batch, in its transaction. */
export async function storeWritten(tx: Context, importId: string, results: readonly RowResult[]): Promise<void> {
  const written = new Map<string, { contact_id: string; is_created: boolean; version: number }>()
  const reversals = new Map<string, { contact_id: string; changes: FieldChanges }>()
  for (const { id, outcome, version, changed } of results) {
    if (id === null || version === undefined || (outcome !== 'created' && outcome !== 'updated')) continue
    const before = written.get(id)
    written.set(id, { contact_id: id, is_created: before?.is_created ?? outcome === 'created', version })
    if (changed && Object.keys(changed).length > 0) {
      const former = reversals.get(id)?.changes ?? {}
      const both = Object.entries(changed).map(([field, [from, to]]) => [field, [former[field] ? former[field][0] : from, to]] as const)
      reversals.set(id, { contact_id: id, changes: { ...former, ...Object.fromEntries(both) } })
    }
  }
  if (written.size > 0) await tx.db.query(insertWritten, [importId, storedJson([...written.values()])])
  if (reversals.size > 0) await tx.db.query(insertImportReversals, [importId, storedJson([...reversals.values()]), tx.now().toISOString()])
}
