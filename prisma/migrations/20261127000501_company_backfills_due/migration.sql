-- outside a transaction
-- Each organization that exists. The workers make companies of its contacts.
-- repeat until no row changes
insert into company_backfills (org_id)
select id from organizations where not exists (select from company_backfills where org_id = organizations.id) order by id limit 500;
