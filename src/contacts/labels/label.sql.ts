// The fields and the table of labels, and the statements that read and lock them.

import { batchedRead } from '../../database/batched-read.ts'
import { shortRead, statement } from '../../database/statement.ts'
import { bigint, integer, object, type RowOf, rows, table, text, timestamptz, uuid } from '../../database/table.ts'
import { enumeration, type ValueOf } from '../../kernel/fields/enumeration.ts'
import { asGiven, columnsOf, field, fieldTable, type InputOf, neededWords } from '../../kernel/fields/table.ts'
import { pagesByAge } from '../../kernel/lists/pages.sql.ts'
import { actorColumns } from '../../kernel/principal.ts'

export const labelColors = enumeration('LabelColor', 'Color of a label.', {
  gray: 'Gray.',
  red: 'Red.',
  orange: 'Orange.',
  green: 'Green.',
  blue: 'Blue.',
  violet: 'Violet.',
})

/** The fields that callers may set. */
export const labelFields = fieldTable({
  name: neededWords(50, 'Name. Unique in the organization, without regard to case.', {
    takes: 'Name, at most 50 characters. Unique in the organization, without regard to case.',
  }),
  color: field(text.as<ValueOf<typeof labelColors>>(), {
    type: labelColors,
    read: asGiven,
    is: 'Color.',
    takes: 'Color. Default: GRAY.',
    default: 'gray',
  }),
})
export type LabelInput = InputOf<typeof labelFields>

const labels = table('labels', {
  id: uuid,
  orgId: uuid,
  ...columnsOf(labelFields),
  createdBy: object(actorColumns),
  createdAt: timestamptz,
  updatedAt: timestamptz,
  version: integer,
})
export interface Label extends RowOf<typeof labels> {}

const { all } = labels
export const labelAt = batchedRead<Label>('labels', all)
export const labelsById = shortRead('labels_by_id', `select ${all.sql} from labels where org_id = $1 and id = any($2::uuid[])`, all)
export const lockLabel = statement('label_lock', `select ${all.sql} from labels where org_id = $1 and id = $2 for update`, all)
export const selectLabels = pagesByAge('labels', 'labels', all)
export const countLabels = statement('labels_total', 'select count(*) as total from labels where org_id = $1', rows({ total: bigint }))
