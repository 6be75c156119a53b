// The tables of imports and their refused rows. Batches of rows are hot.

import { shortRead, statement } from '../../database/statement.ts'
import {
  bigint,
  boolean,
  integer,
  jsonb,
  object,
  type RowOf,
  rows,
  table,
  text,
  textArray,
  timestamptz,
  uuid,
} from '../../database/table.ts'
import { pagesByAge } from '../../kernel/lists/pages.sql.ts'
import { type Actor, actorColumns } from '../../kernel/principal.ts'
import { dayMs, prune } from '../../kernel/retention.sql.ts'
import type { OnConflict } from '../contact/write.ts'
import type { CellEdit, ValueChoice } from './cells/choices.ts'
import type { ImportColumn } from './columns/columns.ts'
import type { Mapping } from './columns/mapping.ts'
import type { Encoding } from './encodings.ts'
import type { FileKind } from './files/kind.ts'
import type { Delimiter } from './format.ts'
import type { ImportNoun } from './nouns/fields.ts'
import { type ImportUndo, undoRetention } from './undo/undo.sql.ts'

type ImportStatus = 'waiting' | 'queued' | 'running' | 'completed' | 'canceled' | 'failed'

// The properties that change before and during an import.
const progress = {
  /** The sheet that is read, and all that are not hidden; none for files without sheets. */
  sheet: text.orNull(),
  sheets: textArray,
  /** The upload with the table of a workbook or of vCards. Null for CSV. */
  tableId: uuid.orNull(),
  byteCount: integer,
  encoding: text.as<Encoding>(),
  delimiter: text.as<Delimiter>(),
  hasHeader: boolean,
  /** The number of the record with the headers, from 1. Null for none, and in imports from before the column. */
  headerRow: integer.orNull(),
  columns: jsonb.as<readonly ImportColumn[]>(),
  noun: text.as<ImportNoun>(),
  /** The system that has written the file; null if it is not known. */
  source: text.orNull(),
  uploadId: uuid.orNull(),
  status: text.as<ImportStatus>(),
  mapping: jsonb.as<Mapping>().orNull(),
  onConflict: text.as<OnConflict>().orNull(),
  values: jsonb.as<readonly ValueChoice[]>(),
  edits: jsonb.as<readonly CellEdit[]>(),
  country: text.orNull(),
  position: integer,
  bytesRead: integer,
  rowCount: integer,
  createdCount: integer,
  updatedCount: integer,
  skippedCount: integer,
  refusedCount: integer,
  warningCount: integer,
  statusReason: text.orNull(),
  undo: jsonb.as<ImportUndo>().orNull(),
  startedBy: jsonb.as<Actor>().orNull(),
  startedAt: timestamptz.orNull(),
  finishedAt: timestamptz.orNull(),
}
const imports = table('contact_imports', {
  id: uuid,
  orgId: uuid,
  fileName: text.orNull(),
  kind: text.as<FileKind>(),
  ...progress,
  /** The first file of the import that this one is a part of; null for the first one. */
  partOf: uuid.orNull(),
  createdBy: object(actorColumns),
  createdAt: timestamptz,
})
export interface ContactImport extends RowOf<typeof imports> {}

const { all } = imports
export { all as allOfImports }
export const inserted = imports.values([
  ...(['id', 'orgId', 'fileName', 'kind', 'partOf', 'createdBy', 'createdAt'] as const),
  // Object.keys does not keep the key type; the keys are exactly these.
  ...(Object.keys(progress) as (keyof typeof progress)[]),
])
export const changed = imports.values(Object.keys(progress) as (keyof typeof progress)[])

/** Returns no row if the file has an import. */
export const insertImport = statement(
  'import_insert',
  `insert into contact_imports (${inserted.columns}) values (${inserted.parameters()}) on conflict (upload_id) do nothing returning id`,
  rows({ id: uuid }),
)
/** $1 id, then the columns of `changed`. The transaction has locked the row. */
export const updateImport = statement('import_update', `update contact_imports set ${changed.assignments(2)} where id = $1`)
export const lockImport = statement('import_lock', `select ${all.sql} from contact_imports where org_id = $1 and id = $2 for update`, all)
export const importsById = shortRead(
  'imports_by_id',
  `select ${all.sql} from contact_imports where org_id = $1 and id = any($2::uuid[])`,
  all,
)

/** Ends the imports that wait, and whose file has made room for newer ones. $1 organization, $2 now. */
export const cancelWithoutFile = statement(
  'imports_cancel_without_file',
  `update contact_imports set status = 'canceled', upload_id = null, finished_at = $2, status_reason = 'The file made room for newer ones'
   where org_id = $1 and status = 'waiting' and not exists (select from uploads where id = upload_id) returning id`,
  rows({ id: uuid }),
)

export const selectImports = pagesByAge('imports', 'contact_imports', all)

export const countImports = statement(
  'imports_total',
  'select count(*) as total from contact_imports where org_id = $1',
  rows({ total: bigint }),
)

/** $1 import, $2 the rows as JSON, $3 now. */
export const insertRefusals = statement(
  'import_refusals_insert',
  `insert into contact_import_refusals (import_id, row, cells, reason, created_at)
   select $1, row, cells, reason, $3 from json_to_recordset($2) as given (row integer, cells text[], reason text)`,
)
/** $1 import, $2 the number of the row before the first, $3 the number of refusals. */
export const selectRefusals = shortRead(
  'import_refusals',
  'select row, cells, reason from contact_import_refusals where import_id = $1 and row > $2 order by row limit $3',
  rows({ row: integer, cells: textArray, reason: text }),
)

export const countRefusals = statement(
  'import_refusals_count',
  'select count(*)::int as total from contact_import_refusals where import_id = $1',
  rows({ total: integer }),
)

/** $1 import, $2 the cells as JSON, $3 now. */
export const insertWarnings = statement(
  'import_warnings_insert',
  `insert into contact_import_warnings (import_id, row, cell, value, reason, created_at)
   select $1, row, cell, value, reason, $3 from json_to_recordset($2) as given (row integer, cell integer, value text, reason text)`,
)
/** $1 import, $2 and $3 the row and the cell before the first, $4 the number of cells. */
export const selectWarnings = shortRead(
  'import_warnings',
  `select row, cell, value, reason from contact_import_warnings
   where import_id = $1 and (row, cell) > ($2, $3) order by row, cell limit $4`,
  rows({ row: integer, cell: integer, value: text, reason: text }),
)
export const countWarnings = statement(
  'import_warnings_count',
  'select count(*)::int as total from contact_import_warnings where import_id = $1',
  rows({ total: integer }),
)

export const importRetention = {
  ...undoRetention,
  // Uploaded files that are not imported are deleted after the same time.
  unusedImports: prune('unused_imports', 'contact_imports', "status = 'waiting' and created_at < $1::timestamptz", () => 7 * dayMs),
  imports: prune('imports', 'contact_imports', 'finished_at < $1::timestamptz', config => config.EVENT_RETENTION_DAYS * dayMs),
  refusals: prune('import_refusals', 'contact_import_refusals', 'created_at < $1::timestamptz', () => 7 * dayMs, 'ctid'),
  warnings: prune('import_warnings', 'contact_import_warnings', 'created_at < $1::timestamptz', () => 7 * dayMs, 'ctid'),
}
