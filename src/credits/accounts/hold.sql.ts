// The statements of holds.

import { statement } from '../../database/statement.ts'
import { bigint, jsonb, type RowOf, rows, table, text, timestamptz, uuid } from '../../database/table.ts'
import type { Line } from '../ledger/ledger.sql.ts'

const holds = table('credit_holds', {
  id: uuid,
  userId: text,
  amountMicro: bigint,
  settledMicro: bigint,
  status: text.as<'open' | 'settled' | 'released' | 'expired'>(),
  breakdown: jsonb.as<Line[]>(),
  settledLines: jsonb.as<Line[]>().orNull(),
  reference: text,
  orgId: uuid.orNull(),
  expiresAt: timestamptz,
  createdAt: timestamptz,
})

/** A hold: credits reserved for work in progress. */
export type Hold = RowOf<typeof holds>

// `open` is a literal, because every plan must be able to use the partial index on open holds.
export const selectOpenHolds = statement(
  'credits_open_holds',
  `select ${holds.all.sql} from credit_holds where user_id = $1 and status = 'open' and ($2::uuid is null or org_id = $2) order by expires_at, id limit 200`,
  holds.all,
)

/** Credits in open holds of user $1 for organization $2. */
export const sumOpenHolds = statement(
  'credits_open_holds_sum',
  `select coalesce(sum(amount_micro), 0)::bigint as reserved_micro from credit_holds where user_id = $1 and status = 'open' and org_id = $2`,
  rows({ reservedMicro: bigint }),
)

export const selectHold = statement('credits_read_hold', `select ${holds.all.sql} from credit_holds where id = $1`, holds.all)

export const closeHold = statement(
  'credits_close_hold',
  `update credit_holds set status = $2, settled_micro = $3, closed_at = $4, settled_lines = $5 where id = $1`,
)
