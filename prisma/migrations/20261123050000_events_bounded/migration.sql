-- contract: after 20261123023452_oauth_client_documents
-- The events that there are, and those of the next two months, become the first partition. Its bound is recorded as a comment for the
-- migration that attaches it. Checked in the next migration, without a lock that stops writers.
do $$
declare
  bound text := to_char(date_trunc('month', greatest(now(), (select max(created_at) from events)) at time zone 'UTC') + interval '2 months',
    'YYYY-MM-DD"T"HH24:MI:SS"Z"');
begin
  execute format('alter table events add constraint events_first_bound check (created_at < %L) not valid', bound);
  execute format('comment on constraint events_first_bound on events is %L', bound);
end $$;
