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

const insertAnswers = `insert into idempotency_keys as k (id, fingerprint, answer, scopes, open_until, operation_id, key, created_at)
   select decode(id, 'hex'), decode(fingerprint, 'hex'), answer, scopes, open_until, operation_id, key, $2
   from json_to_recordset($1::json)
     as answered (id text, fingerprint text, answer text, scopes text, open_until timestamptz, operation_id uuid, key text)`

/** Inserts an answer, or replaces an expired one. Returns no row when another transaction has stored an answer since `claimKey`. */
export const storeAnswer = statement(
  'idempotency_store',
  `${insertAnswers}
   on conflict (id) do update set fingerprint = excluded.fingerprint, answer = excluded.answer, scopes = excluded.scopes, created_at = excluded.created_at,
     open_until = excluded.open_until, operation_id = excluded.operation_id, key = excluded.key, replays = 0
   where k.created_at <= $3::timestamptz returning id`,
  id,
)

/** Fails when an answer is already stored, even an expired one. */
export const storeNewAnswers = statement('idempotency_store_new', insertAnswers)

/**
 * $2 the answer as JSON, of which an object is stored as its text. Returns no row, and replaces nothing, when `open_until` has passed: a
 * caller may have received the stored answer by now.
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
