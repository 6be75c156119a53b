-- A number of the operator's account with a telephone company speaks for one agent of it, whosever that is. What the simulator and an
-- organization's own server call from is the organization's own choice, and takes nothing from another.
drop index voice_agents_phone_number;
create unique index voice_agents_account_number on voice_agents (provider, phone_number)
  where status <> 'archived' and provider in ('twilio', 'vapi');
create unique index voice_agents_own_number on voice_agents (org_id, provider, phone_number)
  where status <> 'archived' and provider not in ('twilio', 'vapi');

-- Agents' signing secrets stood in these in the clear.
delete from idempotency_keys where answer like '%"whsec_%';
