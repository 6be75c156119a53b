-- outside a transaction
-- Hooks no longer change what `last` means. A default that nobody of the organization named is forgotten: the fallback channel and its default
-- recipient are used again.
-- repeat until no row changes
update gateway_sessions set last_channel = null, last_recipient = null where id in (
  select s.id from gateway_sessions s where s.last_channel is not null and not exists (
    select from gateway_deliveries d join gateway_runs r on r.id = d.run_id
    where r.org_id = s.org_id and r.origin is null and r.recipient = d.recipient
      and d.channel = s.last_channel and d.recipient = s.last_recipient and d.state = 'sent')
  limit 500
);
