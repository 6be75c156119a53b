// Statements that find the gateway's organization. Workers ask at every start: through Prisma, an idle process would load its query compiler.

import { statement } from '../database/statement.ts'
import { rows, uuid } from '../database/table.ts'

const found = rows({ id: uuid })

export const selectNamed = statement('gateway_organization_named', 'select id from organizations where id = $1', found)
export const selectOfFirstStart = statement('gateway_organization_first', 'select id from organizations where is_first', found)
export const selectOldest = statement(
  'gateway_organization_oldest',
  'select id from organizations where not is_demo order by is_first desc, created_at, id limit 1',
  found,
)
