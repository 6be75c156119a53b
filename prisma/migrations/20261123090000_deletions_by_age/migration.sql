-- outside a transaction
-- Every deletion of old rows finds them by an index. BRIN indexes found them only until deleted rows made room for new ones: a range of
-- pages keeps the time of the oldest row that it ever had.
create index concurrently if not exists idempotency_keys_by_age on idempotency_keys (created_at);
create index concurrently if not exists provider_events_by_age on provider_events (received_at);
create index concurrently if not exists webhook_deliveries_over on webhook_deliveries (created_at)
  where state in ('delivered', 'failed', 'canceled');
create index concurrently if not exists gateway_events_seen on gateway_events (created_at) where seen_at is not null;
create index concurrently if not exists gateway_sessions_main on gateway_sessions (id) where key = 'main';
create index concurrently if not exists gateway_runs_by_session_age on gateway_runs (session_id, created_at);
create index concurrently if not exists hook_payloads_by_time on hook_payloads (received_at);
create index concurrently if not exists uploads_by_age on uploads (created_at);
create index concurrently if not exists uploads_incomplete on uploads (created_at) where completed_at is null;
create index concurrently if not exists contact_imports_waiting on contact_imports (created_at) where status = 'waiting';
create index concurrently if not exists contact_imports_by_end on contact_imports (finished_at);
create index concurrently if not exists contact_bulk_changes_by_end on contact_bulk_changes (finished_at);
create index concurrently if not exists invitations_by_expiry on invitations (expires_at);
create index concurrently if not exists sessions_revoked on sessions (revoked_at) where revoked_at is not null;
create index concurrently if not exists oauth_grants_revoked on oauth_grants (revoked_at) where revoked_at is not null;
create index concurrently if not exists idp_sessions_by_expiry on idp_sessions (expires_at);
create index concurrently if not exists idp_verifications_by_expiry on idp_verifications (expires_at);
create index concurrently if not exists idp_sign_in_attempts_by_age on idp_sign_in_attempts (began_at);
