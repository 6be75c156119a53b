-- By whose invitation a membership came: it outlives the invitation, which is deleted a month after it has expired.
-- Who also used an address of the operator's has the operator's word.
alter table memberships add column invited_by_id text;
update memberships m set invited_by_id = first.invited_by_id
from (select distinct on (used_by_id, organization_id) used_by_id, organization_id, invited_by_id from invitations
      where used_at is not null order by used_by_id, organization_id, invited_by_id is null desc, used_at) first
where first.used_by_id = m.user_id and first.organization_id = m.organization_id and first.invited_by_id is not null;
