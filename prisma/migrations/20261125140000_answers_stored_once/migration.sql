-- Stores answers under keys that have none, all or none of them: raises unique_violation when one has, and lock_not_available while another
-- transaction may be storing one. Needs no unique index of the keys, which a partitioned table cannot have. `expired`: answers up to this time
-- are replaced; null: they count as stored.
create function store_answers(ids text[], answers json, stored timestamptz, expired timestamptz) returns void language plpgsql as $$
declare
  is_locked boolean;
  added integer;
begin
  -- Held until the transaction ends. The lock is the first 64 bits of the id.
  select bool_and(pg_try_advisory_xact_lock(('x' || left(id, 16))::bit(64)::bigint)) into is_locked from unnest(ids) id;
  if not is_locked then
    raise lock_not_available using message = 'A request with the same Idempotency-Key is running';
  end if;
  -- Each statement here has a snapshot of its own, so these see what was committed before the locks were free.
  if expired is not null then
    delete from idempotency_keys where id in (select decode(unnest(ids), 'hex')) and created_at <= expired;
  end if;
  insert into idempotency_keys (id, fingerprint, answer, scopes, open_until, operation_id, key, created_at)
    select decode(id, 'hex'), decode(fingerprint, 'hex'), answer, scopes, open_until, operation_id, key, stored
    from json_to_recordset(answers)
      as given (id text, fingerprint text, answer text, scopes text, open_until timestamptz, operation_id uuid, key text)
    -- A subquery for each: its plan finds a row by the index, however large the table has become since.
    where (select true from idempotency_keys k where k.id = decode(given.id, 'hex') limit 1) is null
    on conflict do nothing;
  get diagnostics added = row_count;
  if added < cardinality(ids) then
    raise unique_violation using message = 'An answer is stored under the Idempotency-Key already';
  end if;
end $$;
