// The statement that moves credits: it changes accounts and writes their entries, holds and events, all or nothing.

import { statement } from '../../database/statement.ts'
import { bigint, jsonb, rows, text } from '../../database/table.ts'
import { eventsOf } from '../../kernel/nouns/events.ts'

export const creditEvents = eventsOf('credits', {
  adjusted: 'A balance was corrected: by an operator, or because more became known of work that had ended.',
  debited: 'Credits were taken.',
  expired: 'The rest of a grant expired.',
  granted: 'Credits were granted.',
  held: 'Credits were reserved.',
  low: 'The available credits fell below the configured limit.',
  released: 'Reserved credits were given back.',
  settled: 'Reserved credits were spent.',
  voided: 'The rest of a grant was taken back.',
})

/** A part of an amount, and the grant from which it was taken or to which it was added. */
export type Line = {
  grantId: string
  category: 'paid' | 'promotional'
  micro: number
}

/** A movement in the JSON that the statement takes. Bigints are text. */
export interface Move {
  user: string
  /** The organization whose work it is for; null for the account's own movements. */
  org: string | null
  amount: string
  reserved: string
  /** The parts by which the caller has changed grants itself. Null: the statement debits the grants. */
  given: readonly Line[] | null
  now: string
  /** When the account has its next due change after the movement; for a hold, when it expires. */
  due: string | null
  low: string
  entry: string
  type: string
  hold: string | null
  reference: string | null
  actor_type: string
  actor_id: string | null
  actor_name: string | null
  door: string
  operation: string
  request: string
  event: string
  event_type: string
  low_event: string
}

const moved = rows({
  outcome: text.as<'moved' | 'insufficient' | 'due' | 'absent'>(),
  balanceAfter: bigint,
  reservedAfter: bigint,
  breakdown: jsonb.as<readonly Line[]>(),
})

/** The outcome of a movement, with the account after it. Unless the outcome is `moved`, nothing was written. */
export type Moved = ReturnType<typeof moved.row>

/**
 * $1: a list of `Move`; the results have its order. Accounts are locked in the order of users, so that two lists cannot deadlock. Events of
 * work belong to its organization, and those about the account itself to the first organization that the user owned.
 */
export const moveCredits = statement(
  'credits_move',
  `with asked as materialized (
     select * from rows from (json_to_recordset($1) as (
       "user" text, org uuid, amount bigint, reserved bigint, given jsonb, now timestamptz, due timestamptz, low bigint, entry uuid, type text, hold uuid,
       reference text, actor_type text, actor_id text, actor_name text, door text, operation text, request text, event uuid, event_type text,
       low_event uuid)) with ordinality as asked_for
     order by "user", ordinality),
   moved as materialized (
     select asked.*, m.* from asked
     cross join lateral credits_move(asked."user", asked.amount, asked.reserved, asked.given, asked.now, asked.due, asked.low) m),
   entry as (
     insert into credit_entries (user_id, seq, id, type, amount_micro, reserved_micro, balance_after_micro, reserved_after_micro, breakdown,
       hold_id, reference, actor_type, actor_id, actor_name, door, operation, request_id, created_at, org_id)
     select "user", seq, entry, type, amount, reserved, balance_after, reserved_after, breakdown, hold, reference,
       actor_type, actor_id, actor_name, door, operation, request, now, org
     from moved where seq is not null),
   hold as (
     insert into credit_holds (id, user_id, amount_micro, breakdown, reference, org_id, expires_at, created_at)
     select hold, "user", reserved, breakdown, reference, org, due, now from moved where seq is not null and type = 'hold'),
   announced as (
     insert into events (id, org_id, type, entity, entity_id, actor_type, actor_id, actor_name, door, operation, request_id, changes, created_at)
     select of_it.id, of_it.org_id, of_it.type, 'credits', "user", actor_type, actor_id, actor_name, door, operation, request,
       jsonb_build_object('transactionId', entry, 'micro', amount, 'reservedMicro', reserved, 'balanceMicro', balance_after,
         'availableMicro', balance_after - reserved_after, 'reference', reference, 'forOrganization', org is not null and not is_low), now
     from moved cross join lateral (values (event, event_type, coalesce(org, org_id), false), (low_event, '${creditEvents.low}', org_id, true))
       of_it (id, type, org_id, is_low)
     where of_it.org_id is not null and (is_crossing or not is_low))
   select outcome, balance_after, reserved_after, breakdown from moved order by ordinality`,
  moved,
)
