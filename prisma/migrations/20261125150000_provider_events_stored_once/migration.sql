-- Stores events of providers, each once by its key, without needing a unique index of the keys, which a partitioned table cannot have. A
-- repeated event that could not be applied before gets the new state. Returns the keys of the events that were stored or got one.
create function store_provider_events(events json) returns table (stored_provider text, stored_key text) language plpgsql as $$
declare
  asked integer;
begin
  -- In one order, so that two transactions never wait for each other. Held until the transaction ends.
  select count(pg_advisory_xact_lock(key)) into asked from (
    select hashtextextended(provider || ' ' || event_key, 0) as key from json_to_recordset(events) as given (provider text, event_key text)
    group by provider, event_key order by key
  ) keys;
  if asked < json_array_length(events) then
    raise cardinality_violation using message = 'An event is given twice';
  end if;
  -- Each statement here has a snapshot of its own, so these see what was committed before the locks were free.
  return query update provider_events e set state = given.state, note = given.note, applied_at = given.applied_at,
      call_id = coalesce(e.call_id, given.call_id), org_id = coalesce(e.org_id, given.org_id)
    from json_to_recordset(events)
      as given (provider text, event_key text, state text, note text, applied_at timestamptz, call_id uuid, org_id uuid)
    where e.id = (select id from provider_events known where known.provider = given.provider and known.event_key = given.event_key limit 1)
      and e.state in ('received', 'failed')
    returning e.provider, e.event_key;
  return query insert into provider_events as e
      (id, provider, event_key, call_id, org_id, body, path, content_type, received_at, state, note, applied_at)
    select id, provider, event_key, call_id, org_id, body, path, content_type, received_at, state, note, applied_at
    from json_to_recordset(events) as given (id uuid, provider text, event_key text, call_id uuid, org_id uuid, body text, path text,
      content_type text, received_at timestamptz, state text, note text, applied_at timestamptz)
    -- A subquery for each: its plan finds a row by the index, however large the table has become since.
    where (select true from provider_events known where known.provider = given.provider and known.event_key = given.event_key limit 1) is null
    on conflict do nothing
    returning e.provider, e.event_key;
end $$;
