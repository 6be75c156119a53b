-- Who began a conversation: what comes with a hook token continues none that a person began. Null for the main session.
alter table gateway_sessions add column begun_by text;
update gateway_sessions s set begun_by = first.begun_by
from (select distinct on (session_id) session_id, case when origin is null then 'user' else 'hook' end as begun_by
      from gateway_runs where kind = 'hook' order by session_id, position) first
where first.session_id = s.id and s.key <> 'main';
