// Statements that write and read uploads in chunks. Hot while a file arrives or is imported.

import { statement } from '../../database/statement.ts'
import { bytea, rows, uuid } from '../../database/table.ts'

export const insertChunk = statement('upload_chunk_insert', 'insert into upload_chunks (upload_id, position, bytes) values ($1, $2, $3)')

export const readChunk = statement(
  'upload_chunk',
  'select bytes from upload_chunks where upload_id = $1 and position = $2',
  rows({ bytes: bytea }),
)

/** Makes transactions that count or add an organization's uploads follow each other. */
export const lockUploads = statement('uploads_lock', `select from pg_advisory_xact_lock(hashtextextended('uploads of ' || $1, 0))`)

/** $1 organization, $2 a complete upload, which is then not deleted until the transaction ends. */
export const holdUpload = statement(
  'upload_hold',
  'select id from uploads where org_id = $1 and id = $2 and completed_at is not null for share',
  rows({ id: uuid }),
)
