-- outside a transaction
-- The deleted deals of a company, which follow it when it is merged into another.
create index concurrently if not exists deals_deleted_by_company on deals (org_id, company_id, id) where company_id is not null and deleted_at is not null;
