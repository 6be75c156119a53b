-- outside a transaction

-- Widgets of the days in stages and of activity read the changes of a range.
create index concurrently if not exists deal_stage_changes_by_time on deal_stage_changes (org_id, changed_at);
