// The table of webhook endpoints, and the statements that read and lock them.

import { shortRead, statement } from '../../database/statement.ts'
import { bigint, integer, jsonb, object, type RowOf, rows, table, text, textArray, timestamptz, uuid } from '../../database/table.ts'
import { pagesByAge } from '../../kernel/lists/pages.sql.ts'
import { type EventType, eventsOf, update } from '../../kernel/nouns/events.ts'
import { actorColumns } from '../../kernel/principal.ts'

export const endpointEvents = eventsOf('webhook_endpoint', {
  created: 'An address to send changes to was added.',
  deleted: 'A webhook endpoint was removed.',
  failing: 'A webhook endpoint has taken no delivery for an hour.',
  disabled: update('Sending to a webhook endpoint was stopped, because it cannot go on.'),
  replayed: 'Deliveries to a webhook endpoint are repeated.',
  secret_rotated: 'A webhook endpoint has a new signing secret.',
  tested: 'A test is sent to a webhook endpoint.',
  updated: update('A webhook endpoint was changed.'),
})

export type DisabledReason = 'by_user' | 'gone' | 'failing' | 'maker_left' | 'account_recovered'

/** A condition on an event: the field changed, to one of the values where there are any. */
export interface Condition {
  /** As the payload spells it: `lifecycle_stage`, `custom.plan`. */
  field: string
  values: readonly unknown[] | null
}

const endpoints = table('webhook_endpoints', {
  id: uuid,
  orgId: uuid,
  url: text,
  description: text.orNull(),
  eventTypes: textArray.as<EventType[]>(),
  filter: jsonb.as<readonly Condition[]>(),
  payload: text.as<'full' | 'thin'>(),
  state: text.as<'enabled' | 'disabled'>(),
  disabledReason: text.as<DisabledReason>().orNull(),
  disabledAt: timestamptz.orNull(),
  failingSince: timestamptz.orNull(),
  failingToldAt: timestamptz.orNull(),
  secretVersion: integer,
  previousSecretUntil: timestamptz.orNull(),
  makerUserId: text,
  makerKeyId: uuid.orNull(),
  since: text,
  createdBy: object(actorColumns),
  createdAt: timestamptz,
  updatedAt: timestamptz,
  version: integer,
})
export interface Endpoint extends RowOf<typeof endpoints> {}

const { all } = endpoints

export const endpointsById = shortRead(
  'webhook_endpoints_by_id',
  `select ${all.sql} from webhook_endpoints where org_id = $1 and id = any($2::uuid[])`,
  all,
)
export const lockEndpoint = statement(
  'webhook_endpoint_lock',
  `select ${all.sql} from webhook_endpoints where org_id = $1 and id = $2 for update`,
  all,
)
export const countEndpoints = statement(
  'webhook_endpoints_total',
  'select count(*) as total from webhook_endpoints where org_id = $1',
  rows({ total: bigint }),
)

/** Newest first. */
export const selectEndpoints = pagesByAge('webhook_endpoints', 'webhook_endpoints', all)

/** The enabled endpoints. */
export const enabledEndpoints = statement(
  'webhook_endpoints_enabled',
  `select ${all.sql} from webhook_endpoints where state = 'enabled' order by id`,
  all,
)
/** In a restored database, everything that was not read yet is for them. */
export const restartEndpoints = statement('webhook_endpoints_restart', `update webhook_endpoints set since = '1:1:'`)
/** The endpoints of deliveries, of all organizations. */
export const endpointsToSend = statement(
  'webhook_endpoints_to_send',
  `select ${all.sql} from webhook_endpoints where id = any($1::uuid[])`,
  all,
)

/** The first failure since the last success counts. */
export const markFailing = statement(
  'webhook_endpoints_failing',
  'update webhook_endpoints set failing_since = $2 where id = any($1::uuid[]) and failing_since is null',
)
export const markWorking = statement(
  'webhook_endpoints_working',
  'update webhook_endpoints set failing_since = null, failing_told_at = null where id = any($1::uuid[]) and failing_since is not null',
)
/** $1 id, $2 now, $3 the time since which it fails at least. Returns nothing if it does not, or if it was told already. */
export const markTold = statement(
  'webhook_endpoint_failing_told',
  `update webhook_endpoints set failing_told_at = $2
   where id = $1 and state = 'enabled' and failing_since <= $3 and failing_told_at is null returning id`,
  rows({ id: uuid }),
)
