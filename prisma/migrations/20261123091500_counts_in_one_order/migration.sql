-- Two transactions of one organization whose counts have the same slot waited for each other in a circle, where one changed the row of a day
-- before that of day -infinity, or the jobs before the suggestions, and the other one the reverse. Now a transaction locks its slot of the
-- organization before the first of its rows, which it holds to its end anyway.

create function counts_slot_locked() returns trigger language plpgsql as $body$
begin
  perform pg_advisory_xact_lock(hashtextextended(tg_table_name || ' ' || new.org_id, new.slot));
  return new;
end $body$;

-- Of an `on conflict do update` too, this comes before the conflict is looked for.
create trigger call_counts_slot_locked before insert on call_counts for each row execute function counts_slot_locked();
create trigger enrichment_counts_slot_locked before insert on enrichment_counts for each row execute function counts_slot_locked();
