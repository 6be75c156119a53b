// The statements that find companies for rows of files.

import { statement } from '../../../database/statement.ts'
import { rows, text, uuid } from '../../../database/table.ts'

/** $1 organization, $2 names. The oldest live company of each, without regard to case. */
export const companiesNamed = statement(
  'import_companies_named',
  `select distinct on (lower(c.name) collate "C") c.id, lower(c.name) as name from companies c
   where c.org_id = $1 and c.deleted_at is null
     and lower(c.name) collate "C" = any(array(select lower(given) collate "C" from unnest($2::text[]) as given))
   order by lower(c.name) collate "C", c.id`,
  rows({ id: uuid, name: text }),
)
