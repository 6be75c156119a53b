// The fields and the table of notes, and the statements that read, lock and move them.

import { batchedRead } from '../../database/batched-read.ts'
import { shortRead, statement } from '../../database/statement.ts'
import { bigint, boolean, integer, jsonb, object, type RowOf, rows, table, timestamptz, uuid } from '../../database/table.ts'
import { asGiven, columnsOf, field, fieldTable, neededWords } from '../../kernel/fields/table.ts'
import { forPages } from '../../kernel/lists/pages.sql.ts'
import { actorColumns } from '../../kernel/principal.ts'
import { followAllMerges } from '../merge/move.sql.ts'
import { forNouns } from '../records/hanging/ref.ts'
import { columnOf, recordColumns } from '../records/hanging/row.sql.ts'
import type { RecordNoun } from '../records/nouns.ts'
import type { Mention } from './mentions.ts'

/** The fields that callers may set. */
export const noteFields = fieldTable({
  text: neededWords(10_000, 'Text of the note.', { takes: 'Text of the note, at most 10,000 characters.' }),
  pinned: field(boolean, { type: 'Boolean', read: asGiven, is: 'Whether it stands before the others.', default: false }),
})

const notes = table('contact_notes', {
  id: uuid,
  orgId: uuid,
  ...recordColumns,
  ...columnsOf(noteFields),
  mentions: jsonb.as<readonly Mention[]>(),
  createdBy: object(actorColumns),
  createdAt: timestamptz,
  updatedAt: timestamptz,
  version: integer,
})
export interface Note extends RowOf<typeof notes> {}

const { all } = notes
export const noteAt = batchedRead<Note>('contact_notes', all)
export const notesById = shortRead('notes_by_id', `select ${all.sql} from contact_notes where org_id = $1 and id = any($2::uuid[])`, all)
export const lockNote = statement('note_lock', `select ${all.sql} from contact_notes where org_id = $1 and id = $2 for update`, all)

/** The beginning of the names of the statements for records of a noun. */
const named = (noun: RecordNoun) => (noun === 'contact' ? 'notes' : `notes_of_${noun}`)

/** Pinned notes first, then the newest. $1 organization, $2 records, $3 the number of notes per record; then the cursor's position. */
export const pageStatements = forNouns(noun =>
  forPages((direction, isAfter) => {
    const after = isAfter ? ` and (pinned, created_at, id) ${direction === 'asc' ? '>' : '<'} ($4::boolean, $5::timestamptz, $6::uuid)` : ''
    return shortRead(
      `${named(noun)}_${direction}${isAfter ? '_after' : ''}`,
      `select ${all.of('n')} from unnest($2::uuid[]) as record (id) cross join lateral (
       select * from contact_notes where ${columnOf(noun)} = record.id and org_id = $1${after}
       order by pinned ${direction}, created_at ${direction}, id ${direction} limit $3
     ) n`,
      all,
    )
  }),
)

export const countStatements = forNouns(noun =>
  statement(
    `${named(noun)}_total`,
    `select ${columnOf(noun)}, count(*) as total from contact_notes where org_id = $1 and ${columnOf(noun)} = any($2::uuid[]) group by 1`,
    rows({ recordId: uuid.named(columnOf(noun)), total: bigint }),
  ),
)

followAllMerges('contact_notes', { name: 'notes', description: 'Notes' })
