// Locks the API keys that a transaction changes. Reads and writes after the lock use Prisma.

import { statement } from '../../database/statement.ts'
import { rows, uuid } from '../../database/table.ts'

/** $1 the key's id, which must belong to one of the organizations $2. */
export const lockKey = statement(
  'api_key_lock',
  `select id from api_keys k where id = $1 and exists (
     select from api_key_organizations o where o.api_key_id = k.id and o.organization_id = any($2::uuid[])) for update`,
  rows({ id: uuid }),
)

/** Keys with this id, these first characters, or this hash. */
export const lockNamed = statement(
  'operator_key_lock',
  'select id from api_keys where id = $1::uuid or start = $2::text or hash = $3::bytea order by created_at, id limit 20 for update',
  rows({ id: uuid }),
)
