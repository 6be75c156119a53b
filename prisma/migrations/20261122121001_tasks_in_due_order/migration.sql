-- Lists of tasks of every status by due time.
create index contact_tasks_in_due_order on contact_tasks (org_id, (coalesce(due_at, 'infinity'::timestamptz)), id);
