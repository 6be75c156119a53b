// The statement that keeps the tasks of the demo organization current.

import { statement } from '../../database/statement.ts'

/**
 * Moves the open tasks of the demo organization by whole days, so that the earliest is due on the day of $1 in UTC. Guests see the demo months
 * after it was filled. Without events, because nobody did it.
 */
export const moveDemoTasks = statement(
  'contact_tasks_move_demo',
  `update contact_tasks t set due_at = t.due_at + moved.days * interval '1 day', updated_at = $1, version = t.version + 1
   from (
     select o.id, ($1::timestamptz at time zone 'UTC')::date - min(e.due_at at time zone 'UTC')::date as days
     from organizations o join contact_tasks e on e.org_id = o.id and e.status = 'open' and e.due_at is not null
     where o.is_demo group by o.id
   ) moved
   where t.org_id = moved.id and moved.days > 0 and t.status = 'open' and t.due_at is not null`,
)
