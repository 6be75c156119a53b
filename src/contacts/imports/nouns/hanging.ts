// Notes and tasks of a file: found by their id there. Each hangs on one record, the nearest that its row names.

import type { Context } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import { type FieldTable, readFields } from '../../../kernel/fields/table.ts'
import { valueError } from '../../../kernel/input/problem.ts'
import { noteFields } from '../../notes/note.sql.ts'
import { createNote, loadNotes, updateNote } from '../../notes/note.ts'
import { idsOf, type RecordIds } from '../../records/hanging/ref.ts'
import { type TaskInput, taskFields } from '../../tasks/task.sql.ts'
import { createTask, loadTasks, updateTask } from '../../tasks/task.ts'
import type { LinkedRow } from './links.ts'
import type { RowsOf } from './write-row.ts'

/** Throws INVALID for a row that names none. */
function recordOf({ linked: { links } }: LinkedRow, word: string): RecordIds {
  for (const noun of ['deal', 'contact', 'company'] as const) {
    const [id] = links[noun]
    if (id !== undefined) return idsOf({ noun, id })
  }
  throw invalid(valueError([], `the ${word} names no contact, company or deal that was imported`))
}

export const noteRows: RowsOf = async () => async (tx, row, onConflict) => {
  // `as`: the reader returns a text.
  const { text } = row.input as { text?: string }
  const { known } = row.linked
  if (known === null) return { id: (await createNote(tx, { ...recordOf(row, 'note'), text: text ?? '' })).id, outcome: 'created' }
  if (onConflict === 'skip') return { id: known, outcome: 'skipped' }
  const [before] = await loadNotes(tx, [known])
  const after = await updateNote(tx, { id: known, ...(text !== undefined && { text }) })
  return { id: known, outcome: before && !(before instanceof Error) && after.version === before.version ? 'skipped' : 'updated' }
}

export const taskRows: RowsOf = async () => async (tx, row, onConflict) => {
  // `as`: each reader returns the type of its field.
  const input = row.input as TaskInput
  const { known } = row.linked
  if (known === null) return { id: (await createTask(tx, { ...recordOf(row, 'task'), ...input })).id, outcome: 'created' }
  if (onConflict === 'skip') return { id: known, outcome: 'skipped' }
  const [before] = await loadTasks(tx, [known])
  const after = await updateTask(tx, { id: known, ...input })
  return { id: known, outcome: before && !(before instanceof Error) && after.version === before.version ? 'skipped' : 'updated' }
}

/** Returns a function that tells whether a row would change its note or its task. */
export async function changesHanging(context: Context, noun: 'note' | 'task', rows: readonly LinkedRow[]) {
  const ids = rows.flatMap(({ linked }) => linked.known ?? [])
  const load = noun === 'note' ? loadNotes : loadTasks
  const found = ids.length > 0 ? await load(context, ids) : []
  const byId = new Map(found.flatMap(one => (one === null || one instanceof Error ? [] : [[one.id, one] as const])))
  return ({ input, linked }: LinkedRow): boolean => {
    const before = byId.get(linked.known ?? '')
    if (!before) return true
    // `as`: each reader returns the type of its field.
    const { fields } = readFields<FieldTable>(noun === 'note' ? noteFields : taskFields, input as never)
    return Object.entries(fields).some(([name, value]) => value !== before[name as keyof typeof before])
  }
}
