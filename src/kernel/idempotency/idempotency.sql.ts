// The stored answers of writes with an Idempotency-Key. Statements take ids and fingerprints in hexadecimal.

import { statement } from '../../database/statement.ts'
import { boolean, bytea, integer, rows, text, uuid } from '../../database/table.ts'

/**
 * $1 the key's id, $2 the time before which answers have expired, $3 now. Tries to lock the key for this transaction without waiting, and
 * reads the answer stored under it. The lock is the first 64 bits of the id.
 */
export const claimKey = statement(
  'idempotency_claim',
  `select pg_try_advisory_xact_lock(('x' || left($1, 16))::bit(64)::bigint) as held, encode(k.fingerprint, 'hex') as fingerprint, k.answer,
     k.scopes, k.operation_id, coalesce(k.open_until > $3, false) as is_open
   from (select decode($1, 'hex') as id) asked left join idempotency_keys k on k.id = asked.id and k.created_at > $2::timestamptz`,
  rows({
    held: boolean,
    fingerprint: text.orNull(),
    answer: text.orNull(),
    scopes: text.orNull(),
    operationId: uuid.orNull(),
    isOpen: boolean,
  }),
)

const id = rows({ id: bytea })

export const storedAnswer = statement(
  'idempotency_stored',
  `select id from idempotency_keys where id = decode($1, 'hex') and created_at > $2::timestamptz`,
  id,
)

/**
 * $1 the keys' ids, $2 the rows as JSON, $3 now, $4 the time up to which answers have expired; null: they count as stored. Stores all or fails:
 * when an answer is stored already, or another transaction may be storing one.
 */
export const storeAnswers = statement('idempotency_store', 'select from store_answers($1, $2, $3, $4)')

/**
 * $2 the answer as JSON; an object is stored as its text. Returns no row, and replaces nothing, when `open_until` has passed: a
 * caller may already have received the stored answer.
 */
export const replaceAnswer = statement(
  'idempotency_replace',
  `update idempotency_keys set answer = $2::json #>> '{}', open_until = null
   where id = decode($1, 'hex') and open_until > $3::timestamptz returning id`,
  id,
)

export const countReplay = statement(
  'idempotency_replayed',
  `update idempotency_keys set replays = replays + 1 where id = decode($1, 'hex')`,
)

/** The key of an operation; of an operation that made several writes with keys (the actions of a hook), the first key. */
export const keyOfOperation = statement(
  'idempotency_of_operation',
  'select key, replays from idempotency_keys where operation_id = $1 order by created_at, id limit 1',
  rows({ key: text.orNull(), replays: integer }),
)
