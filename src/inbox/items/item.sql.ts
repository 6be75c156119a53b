// The table of inbox items, and the statements that read, lock and insert them.

import { recordColumns } from '../../contacts/records/hanging/row.sql.ts'
import { shortRead, statement } from '../../database/statement.ts'
import { bigint, integer, object, type RowOf, rows, table, text, timestamptz, uuid } from '../../database/table.ts'
import { enumeration, type ValueOf } from '../../kernel/fields/enumeration.ts'
import { behind, forPages, orderBy } from '../../kernel/lists/pages.sql.ts'
import { eventsOf, update } from '../../kernel/nouns/events.ts'
import { actorColumns } from '../../kernel/principal.ts'

export const itemEvents = eventsOf('inbox_item', {
  created: 'Something came into the inbox of a member.',
  returned: 'A snoozed item has come back.',
  updated: update('An inbox item was done, reopened or snoozed.'),
})

export const inboxKinds = enumeration('InboxKind', 'Why something is in an inbox.', {
  assigned: 'A contact, a company, a deal or a task was assigned to the member.',
  mentioned: 'A note mentions the member.',
  reminder_due: 'A task of the member has its reminder.',
  call_ended: 'A call that the member placed is over.',
  job_ended: 'An enrichment job that the member queued is over.',
  import_ended: 'An import that the member started is over.',
  bulk_change_ended: 'A long or failed change of many contacts, companies or deals that the member began is over.',
  credits_low: 'The available credits have become low. For the payer, and for owners and admins.',
  webhook_failing:
    'A webhook endpoint has taken nothing for an hour, or was disabled, because it cannot go on. For its maker, and for owners and admins.',
})
export type InboxKind = ValueOf<typeof inboxKinds>

export const inboxResults = enumeration('InboxResult', 'How the work of an inbox item has ended.', {
  succeeded: 'As it should.',
  failed: 'With an error.',
  not_reached: 'A call that nobody has answered.',
  canceled: 'Somebody has canceled it.',
})
export type InboxResult = ValueOf<typeof inboxResults>

export const inboxStates = enumeration('InboxState', 'State of an inbox item.', {
  open: 'It waits for the member.',
  snoozed: 'It comes back later.',
  done: 'The member is done with it.',
})
export type InboxState = ValueOf<typeof inboxStates>

const items = table('inbox_items', {
  id: uuid,
  orgId: uuid,
  userId: text,
  kind: text.as<InboxKind>(),
  subjectType: text,
  subjectId: text,
  ...recordColumns,
  title: text.orNull(),
  result: text.as<InboxResult>().orNull(),
  count: integer,
  eventId: uuid,
  actor: object(actorColumns),
  createdAt: timestamptz,
  updatedAt: timestamptz,
  shownAt: timestamptz,
  doneAt: timestamptz.orNull(),
  snoozedUntil: timestamptz.orNull(),
  mailAt: timestamptz.orNull(),
  version: integer,
})
export interface InboxItem extends RowOf<typeof items> {}

const { all } = items
export { all as allItems }
/** $2 the member. */
export const itemsById = shortRead(
  'inbox_items_by_id',
  `select ${all.sql} from inbox_items where org_id = $1 and user_id = $2 and id = any($3::uuid[])`,
  all,
)
export const lockItem = statement('inbox_item_lock', `select ${all.sql} from inbox_items where org_id = $1 and id = $2 for update`, all)

const conditionOf: Readonly<Record<InboxState, string>> = {
  open: 'done_at is null and snoozed_until is null',
  snoozed: 'done_at is null and snoozed_until is not null',
  done: 'done_at is not null',
}
const ofPerson = 'org_id = $1 and user_id = $2 and ($3::text is null or kind = $3)'
const pagesOf = (state: InboxState) =>
  forPages((direction, isAfter) => {
    const after = isAfter ? behind('shown_at', 'timestamptz', direction, 5) : ''
    return shortRead(
      `inbox_items_${state}_${direction}${isAfter ? '_after' : ''}`,
      `select ${all.sql} from inbox_items where ${ofPerson} and ${conditionOf[state]}${after} ${orderBy('shown_at', direction, '$4')}`,
      all,
    )
  })
const countOf = (state: InboxState) =>
  statement(
    `inbox_items_${state}_total`,
    `select count(*) as total from inbox_items where ${ofPerson} and ${conditionOf[state]}`,
    rows({ total: bigint }),
  )
/** Newest first. $1 organization, $2 member, $3 kind or null, $4 the number of rows; then the cursor's position. */
export const selectItems = { open: pagesOf('open'), snoozed: pagesOf('snoozed'), done: pagesOf('done') }
export const countItems = { open: countOf('open'), snoozed: countOf('snoozed'), done: countOf('done') }

/** The most that the bell counts. */
export const maxBell = 100
export const countOpen = shortRead(
  'inbox_items_bell',
  `select count(*) as total from (
     select from inbox_items where org_id = $1 and user_id = $2 and ${conditionOf.open} limit ${maxBell}) counted`,
  rows({ total: bigint }),
)

/** Locks the oldest open items of a member. $3 kind or null, $4 how many, at most. */
export const lockOpen = statement(
  'inbox_items_lock_open',
  `select ${all.sql} from inbox_items where ${ofPerson} and ${conditionOf.open} order by shown_at, id limit $4 for update`,
  all,
)
export const finishItems = statement(
  'inbox_items_finish',
  'update inbox_items set done_at = $2, updated_at = greatest(updated_at, $2), version = version + 1 where id = any($1::uuid[])',
)

const added = items.values()
export const itemRecord = added.record
/** Inserts the items whose users are members, each once for its event. Returns the inserted ones. */
export const insertItems = statement(
  'inbox_items_insert',
  `insert into inbox_items (${added.columns})
   select ${added.columns} from json_to_recordset($1) as given (${added.definitions})
   where exists (select from memberships where user_id = given.user_id and organization_id = given.org_id)
   on conflict (event_id, user_id) do nothing returning id`,
  rows({ id: uuid }),
)
