-- outside a transaction
create index concurrently if not exists credit_entries_by_organization on credit_entries (user_id, org_id, seq);
-- Who paid until now: the owner who came first.
-- repeat until no row changes
update organizations o set payer_id = first.user_id
from (
  select distinct on (m.organization_id) m.organization_id, m.user_id
  from memberships m join organizations unpaid on unpaid.id = m.organization_id
  where m.role = 'owner' and unpaid.payer_id is null
  order by m.organization_id, m.created_at, m.user_id limit 500
) first
where o.id = first.organization_id and o.payer_id is null;
