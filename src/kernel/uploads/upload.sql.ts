// Writing and reading uploads in chunks. Hot while a file arrives or is imported.

import { statement } from '../../database/statement.ts'
import { bytea, rows } from '../../database/table.ts'

export const insertChunk = statement('upload_chunk_insert', 'insert into upload_chunks (upload_id, position, bytes) values ($1, $2, $3)')

export const readChunk = statement(
  'upload_chunk',
  'select bytes from upload_chunks where upload_id = $1 and position = $2',
  rows({ bytes: bytea }),
)
