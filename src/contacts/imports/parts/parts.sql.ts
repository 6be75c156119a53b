// The statements of imports of several files.

import { shortRead } from '../../../database/statement.ts'
import { allOfImports } from '../import.sql.ts'

/** $1 organization, $2 first files. All files of their imports. */
export const filesOfImports = shortRead(
  'imports_files',
  `select ${allOfImports.sql} from contact_imports where org_id = $1 and (id = any($2::uuid[]) or part_of = any($2::uuid[]))
   order by created_at, id`,
  allOfImports,
)
