// Notes and tasks of a file: found by their id there. Each hangs on one record, the nearest that its row names.

import type { Context } from '../../../kernel/context.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import { type FieldTable, namesOf, readFields } from '../../../kernel/fields/table.ts'
import { valueError } from '../../../kernel/input/problem.ts'
import { noteFields } from '../../notes/note.sql.ts'
import { createNote, loadNotes, updateNote } from '../../notes/note.ts'
import { idsOf, type RecordIds } from '../../records/hanging/ref.ts'
import { type TaskInput, taskFields } from '../../tasks/task.sql.ts'
import { createTask, loadTasks, updateTask } from '../../tasks/task.ts'
import type { LinkedRow } from './links.ts'
import { changedFrom, created, type RowsOf } from './write-row.ts'

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
  if (known === null) return created(await createNote(tx, { ...recordOf(row, 'note'), text: text ?? '' }))
  if (onConflict === 'skip') return { id: known, outcome: 'skipped' }
  const before = found(await loadNotes(tx, [known]), 'note', known)
  const after = await updateNote(tx, { id: known, ...(text !== undefined && { text }) })
  return changedFrom(before, after, () => changesOf(noteFields, before, after))
}

export const taskRows: RowsOf = async () => async (tx, row, onConflict) => {
  // `as`: each reader returns the type of its field.
  const input = row.input as TaskInput
  const { known } = row.linked
  if (known === null) return created(await createTask(tx, { ...recordOf(row, 'task'), ...input }))
  if (onConflict === 'skip') return { id: known, outcome: 'skipped' }
  const before = found(await loadTasks(tx, [known]), 'task', known)
  const after = await updateTask(tx, { id: known, ...input })
  return changedFrom(before, after, () => changesOf(taskFields, before, after))
}

function found<One>([one]: readonly (One | Error | null)[], noun: 'note' | 'task', id: string): One {
  if (one === null || one === undefined || one instanceof Error) throw notFound(noun, id)
  return one
}

const changesOf = <Fields extends object>(fields: Fields, before: Values<Fields>, after: Values<Fields>) =>
  Object.fromEntries(
    namesOf(fields)
      .filter(name => before[name] !== after[name])
      .map((name): [string, [unknown, unknown]] => [name, [before[name], after[name]]]),
  )
type Values<Fields> = Readonly<Record<keyof Fields & string, unknown>>

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
