// Statements of widget keys: finding one for a read, and storing its last use.

import { statement } from '../../database/statement.ts'
import { rows, text, uuid } from '../../database/table.ts'
import type { Role } from '../../kernel/principal.ts'

/** The key and its maker's role. The foreign keys end a key with its widget, and that with its owner's membership. */
export const selectWidgetKey = statement(
  'widget_key',
  `select k.id, k.user_id, k.org_id, m.role from widget_keys k
   join memberships m on m.user_id = k.user_id and m.organization_id = k.org_id
   where k.hash = $1 and k.widget_id = $2 and k.revoked_at is null`,
  rows({ id: uuid, userId: text, orgId: uuid, role: text.as<Role>() }),
)

export const touchWidgetKey = statement(
  'widget_key_touch',
  'update widget_keys set last_used_at = $2 where id = $1 and (last_used_at is null or last_used_at <= $3)',
)
