// Statements that find the gateway's organization. Workers ask at every start: through Prisma, an idle process would load its query compiler.

import { statement } from '../database/statement.ts'
import { boolean, integer, rows, text, uuid } from '../database/table.ts'

const found = rows({ id: uuid })

export const selectNamed = statement('gateway_organization_named', 'select id from organizations where id = $1', found)
export const selectOfFirstStart = statement('gateway_organization_first', 'select id from organizations where is_first', found)
export const selectOldest = statement(
  'gateway_organization_oldest',
  'select id from organizations where not is_demo order by is_first desc, created_at, id limit 1',
  found,
)

/** The organizations of a database without a first organization; the ones with events of the gateway first. */
export const selectCandidates = statement(
  'gateway_first_candidates',
  `select o.id, o.name, exists (select from gateway_sessions s where s.org_id = o.id) as has_events
   from organizations o
   where not o.is_demo and not exists (select from organizations where is_first)
   order by 3 desc, o.created_at, o.id
   limit 6`,
  rows({ id: uuid, name: text, hasEvents: boolean }),
)

export const countMembers = statement(
  'gateway_members',
  'select count(*)::int as members from memberships where organization_id = $1',
  rows({ members: integer }),
)
