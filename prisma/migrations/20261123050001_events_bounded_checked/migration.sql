-- outside a transaction
-- contract: after 20261123023452_oauth_client_documents
alter table events validate constraint events_first_bound;
-- A key of a partitioned table has the column that it is partitioned by. It refuses nothing: ids are unique already.
create unique index concurrently if not exists events_first_pkey on events (id, created_at);
