-- The order in which events were written, so that events of one entity keep it: the writer of an event holds the lock on the entity's row.
-- Events from before have none; a client cannot resume behind them.
create sequence events_sequence_seq;
alter table events add column sequence bigint;
alter table events alter column sequence set default nextval('events_sequence_seq');
alter sequence events_sequence_seq owned by events.sequence;
