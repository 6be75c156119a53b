-- Four roles, invitations by mail, the organization that a session has chosen, and lists of members and invitations.

-- Null for an address that is handed over by other means than mail.
alter table invitations add column email text, add column sent_at timestamptz(3);
alter table invitations drop constraint invitations_role;
alter table invitations add constraint invitations_role check (role in ('owner', 'admin', 'member', 'viewer'));
alter table memberships add constraint memberships_role check (role in ('owner', 'admin', 'member', 'viewer'));

-- Members are listed in the order in which they joined, invitations newest first.
create index memberships_organization_id_created_at_user_id_idx on memberships (organization_id, created_at, user_id);
drop index memberships_organization_id_idx;
create index invitations_organization_id_id_idx on invitations (organization_id, id desc);
drop index invitations_organization_id_idx;

-- The organization that requests of the session are about unless X-Org-Id names another. A change is announced like a revocation.
alter table sessions add column organization_id uuid;
create trigger sessions_announced_on_switch after update of organization_id on sessions
  for each row when (old.organization_id is distinct from new.organization_id) execute function sessions_announced();
