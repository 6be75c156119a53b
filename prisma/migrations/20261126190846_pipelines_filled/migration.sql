-- outside a transaction
-- Each organization that exists gets what new ones get (src/contacts/pipelines/usual.ts). The ids are UUIDv7.
-- repeat until no row changes
insert into pipelines (id, org_id, name, position)
select (lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0') || '7' || substr(md5(random()::text), 1, 3) || '8' ||
    substr(md5(random()::text || id::text), 1, 15))::uuid, id, 'Sales', 0
from organizations where not exists (select from pipelines where org_id = organizations.id) order by id limit 500;
-- repeat until no row changes
insert into stages (id, org_id, pipeline_id, name, position, kind, probability, stale_after_days)
select (lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0') || '7' || substr(md5(random()::text), 1, 3) || '8' ||
    substr(md5(random()::text || pipeline.id::text || stage.position), 1, 15))::uuid,
  org_id, pipeline.id, stage.name, stage.position, kind, probability, stale_after_days
from (
  select id, org_id from pipelines where not exists (select from stages where org_id = pipelines.org_id and pipeline_id = pipelines.id)
  order by id limit 500
) as pipeline, (values
  ('Lead', 0, 'open', 10, 30),
  ('Qualified', 1, 'open', 25, 30),
  ('Proposal', 2, 'open', 50, 30),
  ('Negotiation', 3, 'open', 75, 30),
  ('Won', 4, 'won', 100, null),
  ('Lost', 5, 'lost', 0, null)
) as stage (name, position, kind, probability, stale_after_days);
