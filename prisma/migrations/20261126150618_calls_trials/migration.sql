-- AlterTable
ALTER TABLE "calls" ADD COLUMN     "is_trial" BOOLEAN NOT NULL DEFAULT false;

-- The statistics of calls, as before, without trials.

create or replace function calls_counted_on_insert() returns trigger language plpgsql as $body$
begin
  insert into call_counts as counted (org_id, day, slot,
    total, active, placed, answered, answered_seconds, status_queued, status_ringing, status_in_progress, status_completed, status_busy,
    status_no_answer, status_failed, status_canceled, outcome_goal_met, outcome_goal_not_met, outcome_callback_requested, outcome_transferred,
    outcome_voicemail, outcome_no_answer, outcome_busy, outcome_declined, outcome_wrong_number, outcome_do_not_call, outcome_failed,
    outcome_unknown)
  with change as (select 1 as sign, * from (select org_id, (created_at at time zone 'UTC')::date as created_day, status, outcome,
  status in ('queued', 'ringing', 'in_progress') as is_active, dispatch_state = 'dispatched' as is_placed,
  answered_at is not null as is_answered, coalesce(duration_seconds, 0) as seconds
from came where not is_trial) gained)
  select org_id, created_day as day, pg_backend_pid() & 15,
    sum(sign), sum(sign * is_active::int), sum(sign * is_placed::int), sum(sign * is_answered::int), sum(sign * seconds),
    sum(sign * (status = 'queued')::int), sum(sign * (status = 'ringing')::int), sum(sign * (status = 'in_progress')::int),
    sum(sign * (status = 'completed')::int), sum(sign * (status = 'busy')::int), sum(sign * (status = 'no_answer')::int),
    sum(sign * (status = 'failed')::int), sum(sign * (status = 'canceled')::int), sum(sign * coalesce((outcome = 'goal_met')::int, 0)),
    sum(sign * coalesce((outcome = 'goal_not_met')::int, 0)), sum(sign * coalesce((outcome = 'callback_requested')::int, 0)),
    sum(sign * coalesce((outcome = 'transferred')::int, 0)), sum(sign * coalesce((outcome = 'voicemail')::int, 0)),
    sum(sign * coalesce((outcome = 'no_answer')::int, 0)), sum(sign * coalesce((outcome = 'busy')::int, 0)),
    sum(sign * coalesce((outcome = 'declined')::int, 0)), sum(sign * coalesce((outcome = 'wrong_number')::int, 0)),
    sum(sign * coalesce((outcome = 'do_not_call')::int, 0)), sum(sign * coalesce((outcome = 'failed')::int, 0)),
    sum(sign * coalesce((outcome = 'unknown')::int, 0))
  from change group by org_id, created_day
  union all
  select org_id, date '-infinity', pg_backend_pid() & 15, sum(sign), sum(sign * is_active::int),
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
  from change group by org_id having sum(sign) <> 0 or sum(sign * is_active::int) <> 0
  -- One order for everybody, so that two writers in one slot wait for each other and never in a circle.
  order by 1, 2
  on conflict (org_id, day, slot) do update set
    total = counted.total + excluded.total, active = counted.active + excluded.active, placed = counted.placed + excluded.placed,
    answered = counted.answered + excluded.answered, answered_seconds = counted.answered_seconds + excluded.answered_seconds,
    status_queued = counted.status_queued + excluded.status_queued, status_ringing = counted.status_ringing + excluded.status_ringing,
    status_in_progress = counted.status_in_progress + excluded.status_in_progress,
    status_completed = counted.status_completed + excluded.status_completed, status_busy = counted.status_busy + excluded.status_busy,
    status_no_answer = counted.status_no_answer + excluded.status_no_answer, status_failed = counted.status_failed + excluded.status_failed,
    status_canceled = counted.status_canceled + excluded.status_canceled,
    outcome_goal_met = counted.outcome_goal_met + excluded.outcome_goal_met,
    outcome_goal_not_met = counted.outcome_goal_not_met + excluded.outcome_goal_not_met,
    outcome_callback_requested = counted.outcome_callback_requested + excluded.outcome_callback_requested,
    outcome_transferred = counted.outcome_transferred + excluded.outcome_transferred,
    outcome_voicemail = counted.outcome_voicemail + excluded.outcome_voicemail,
    outcome_no_answer = counted.outcome_no_answer + excluded.outcome_no_answer, outcome_busy = counted.outcome_busy + excluded.outcome_busy,
    outcome_declined = counted.outcome_declined + excluded.outcome_declined,
    outcome_wrong_number = counted.outcome_wrong_number + excluded.outcome_wrong_number,
    outcome_do_not_call = counted.outcome_do_not_call + excluded.outcome_do_not_call,
    outcome_failed = counted.outcome_failed + excluded.outcome_failed, outcome_unknown = counted.outcome_unknown + excluded.outcome_unknown;
  return null;
end $body$;

create or replace function calls_counted_on_update() returns trigger language plpgsql as $body$
begin
  insert into call_counts as counted (org_id, day, slot,
    total, active, placed, answered, answered_seconds, status_queued, status_ringing, status_in_progress, status_completed, status_busy,
    status_no_answer, status_failed, status_canceled, outcome_goal_met, outcome_goal_not_met, outcome_callback_requested, outcome_transferred,
    outcome_voicemail, outcome_no_answer, outcome_busy, outcome_declined, outcome_wrong_number, outcome_do_not_call, outcome_failed,
    outcome_unknown)
  with change as (select 1 as sign, * from ((select org_id, (created_at at time zone 'UTC')::date as created_day, status, outcome,
  status in ('queued', 'ringing', 'in_progress') as is_active, dispatch_state = 'dispatched' as is_placed,
  answered_at is not null as is_answered, coalesce(duration_seconds, 0) as seconds
from came where not is_trial) except all (select org_id, (created_at at time zone 'UTC')::date as created_day, status, outcome,
  status in ('queued', 'ringing', 'in_progress') as is_active, dispatch_state = 'dispatched' as is_placed,
  answered_at is not null as is_answered, coalesce(duration_seconds, 0) as seconds
from went where not is_trial)) gained union all
    select -1 as sign, * from ((select org_id, (created_at at time zone 'UTC')::date as created_day, status, outcome,
  status in ('queued', 'ringing', 'in_progress') as is_active, dispatch_state = 'dispatched' as is_placed,
  answered_at is not null as is_answered, coalesce(duration_seconds, 0) as seconds
from went where not is_trial) except all (select org_id, (created_at at time zone 'UTC')::date as created_day, status, outcome,
  status in ('queued', 'ringing', 'in_progress') as is_active, dispatch_state = 'dispatched' as is_placed,
  answered_at is not null as is_answered, coalesce(duration_seconds, 0) as seconds
from came where not is_trial)) lost)
  select org_id, created_day as day, pg_backend_pid() & 15,
    sum(sign), sum(sign * is_active::int), sum(sign * is_placed::int), sum(sign * is_answered::int), sum(sign * seconds),
    sum(sign * (status = 'queued')::int), sum(sign * (status = 'ringing')::int), sum(sign * (status = 'in_progress')::int),
    sum(sign * (status = 'completed')::int), sum(sign * (status = 'busy')::int), sum(sign * (status = 'no_answer')::int),
    sum(sign * (status = 'failed')::int), sum(sign * (status = 'canceled')::int), sum(sign * coalesce((outcome = 'goal_met')::int, 0)),
    sum(sign * coalesce((outcome = 'goal_not_met')::int, 0)), sum(sign * coalesce((outcome = 'callback_requested')::int, 0)),
    sum(sign * coalesce((outcome = 'transferred')::int, 0)), sum(sign * coalesce((outcome = 'voicemail')::int, 0)),
    sum(sign * coalesce((outcome = 'no_answer')::int, 0)), sum(sign * coalesce((outcome = 'busy')::int, 0)),
    sum(sign * coalesce((outcome = 'declined')::int, 0)), sum(sign * coalesce((outcome = 'wrong_number')::int, 0)),
    sum(sign * coalesce((outcome = 'do_not_call')::int, 0)), sum(sign * coalesce((outcome = 'failed')::int, 0)),
    sum(sign * coalesce((outcome = 'unknown')::int, 0))
  from change group by org_id, created_day
  union all
  select org_id, date '-infinity', pg_backend_pid() & 15, sum(sign), sum(sign * is_active::int),
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
  from change group by org_id having sum(sign) <> 0 or sum(sign * is_active::int) <> 0
  -- One order for everybody, so that two writers in one slot wait for each other and never in a circle.
  order by 1, 2
  on conflict (org_id, day, slot) do update set
    total = counted.total + excluded.total, active = counted.active + excluded.active, placed = counted.placed + excluded.placed,
    answered = counted.answered + excluded.answered, answered_seconds = counted.answered_seconds + excluded.answered_seconds,
    status_queued = counted.status_queued + excluded.status_queued, status_ringing = counted.status_ringing + excluded.status_ringing,
    status_in_progress = counted.status_in_progress + excluded.status_in_progress,
    status_completed = counted.status_completed + excluded.status_completed, status_busy = counted.status_busy + excluded.status_busy,
    status_no_answer = counted.status_no_answer + excluded.status_no_answer, status_failed = counted.status_failed + excluded.status_failed,
    status_canceled = counted.status_canceled + excluded.status_canceled,
    outcome_goal_met = counted.outcome_goal_met + excluded.outcome_goal_met,
    outcome_goal_not_met = counted.outcome_goal_not_met + excluded.outcome_goal_not_met,
    outcome_callback_requested = counted.outcome_callback_requested + excluded.outcome_callback_requested,
    outcome_transferred = counted.outcome_transferred + excluded.outcome_transferred,
    outcome_voicemail = counted.outcome_voicemail + excluded.outcome_voicemail,
    outcome_no_answer = counted.outcome_no_answer + excluded.outcome_no_answer, outcome_busy = counted.outcome_busy + excluded.outcome_busy,
    outcome_declined = counted.outcome_declined + excluded.outcome_declined,
    outcome_wrong_number = counted.outcome_wrong_number + excluded.outcome_wrong_number,
    outcome_do_not_call = counted.outcome_do_not_call + excluded.outcome_do_not_call,
    outcome_failed = counted.outcome_failed + excluded.outcome_failed, outcome_unknown = counted.outcome_unknown + excluded.outcome_unknown;
  return null;
end $body$;

create or replace function calls_counted_on_delete() returns trigger language plpgsql as $body$
begin
  insert into call_counts as counted (org_id, day, slot,
    total, active, placed, answered, answered_seconds, status_queued, status_ringing, status_in_progress, status_completed, status_busy,
    status_no_answer, status_failed, status_canceled, outcome_goal_met, outcome_goal_not_met, outcome_callback_requested, outcome_transferred,
    outcome_voicemail, outcome_no_answer, outcome_busy, outcome_declined, outcome_wrong_number, outcome_do_not_call, outcome_failed,
    outcome_unknown)
  with change as (select -1 as sign, * from (select org_id, (created_at at time zone 'UTC')::date as created_day, status, outcome,
  status in ('queued', 'ringing', 'in_progress') as is_active, dispatch_state = 'dispatched' as is_placed,
  answered_at is not null as is_answered, coalesce(duration_seconds, 0) as seconds
from went where not is_trial) lost)
  select org_id, created_day as day, pg_backend_pid() & 15,
    sum(sign), sum(sign * is_active::int), sum(sign * is_placed::int), sum(sign * is_answered::int), sum(sign * seconds),
    sum(sign * (status = 'queued')::int), sum(sign * (status = 'ringing')::int), sum(sign * (status = 'in_progress')::int),
    sum(sign * (status = 'completed')::int), sum(sign * (status = 'busy')::int), sum(sign * (status = 'no_answer')::int),
    sum(sign * (status = 'failed')::int), sum(sign * (status = 'canceled')::int), sum(sign * coalesce((outcome = 'goal_met')::int, 0)),
    sum(sign * coalesce((outcome = 'goal_not_met')::int, 0)), sum(sign * coalesce((outcome = 'callback_requested')::int, 0)),
    sum(sign * coalesce((outcome = 'transferred')::int, 0)), sum(sign * coalesce((outcome = 'voicemail')::int, 0)),
    sum(sign * coalesce((outcome = 'no_answer')::int, 0)), sum(sign * coalesce((outcome = 'busy')::int, 0)),
    sum(sign * coalesce((outcome = 'declined')::int, 0)), sum(sign * coalesce((outcome = 'wrong_number')::int, 0)),
    sum(sign * coalesce((outcome = 'do_not_call')::int, 0)), sum(sign * coalesce((outcome = 'failed')::int, 0)),
    sum(sign * coalesce((outcome = 'unknown')::int, 0))
  from change group by org_id, created_day
  union all
  select org_id, date '-infinity', pg_backend_pid() & 15, sum(sign), sum(sign * is_active::int),
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
  from change group by org_id having sum(sign) <> 0 or sum(sign * is_active::int) <> 0
  -- One order for everybody, so that two writers in one slot wait for each other and never in a circle.
  order by 1, 2
  on conflict (org_id, day, slot) do update set
    total = counted.total + excluded.total, active = counted.active + excluded.active, placed = counted.placed + excluded.placed,
    answered = counted.answered + excluded.answered, answered_seconds = counted.answered_seconds + excluded.answered_seconds,
    status_queued = counted.status_queued + excluded.status_queued, status_ringing = counted.status_ringing + excluded.status_ringing,
    status_in_progress = counted.status_in_progress + excluded.status_in_progress,
    status_completed = counted.status_completed + excluded.status_completed, status_busy = counted.status_busy + excluded.status_busy,
    status_no_answer = counted.status_no_answer + excluded.status_no_answer, status_failed = counted.status_failed + excluded.status_failed,
    status_canceled = counted.status_canceled + excluded.status_canceled,
    outcome_goal_met = counted.outcome_goal_met + excluded.outcome_goal_met,
    outcome_goal_not_met = counted.outcome_goal_not_met + excluded.outcome_goal_not_met,
    outcome_callback_requested = counted.outcome_callback_requested + excluded.outcome_callback_requested,
    outcome_transferred = counted.outcome_transferred + excluded.outcome_transferred,
    outcome_voicemail = counted.outcome_voicemail + excluded.outcome_voicemail,
    outcome_no_answer = counted.outcome_no_answer + excluded.outcome_no_answer, outcome_busy = counted.outcome_busy + excluded.outcome_busy,
    outcome_declined = counted.outcome_declined + excluded.outcome_declined,
    outcome_wrong_number = counted.outcome_wrong_number + excluded.outcome_wrong_number,
    outcome_do_not_call = counted.outcome_do_not_call + excluded.outcome_do_not_call,
    outcome_failed = counted.outcome_failed + excluded.outcome_failed, outcome_unknown = counted.outcome_unknown + excluded.outcome_unknown;
  return null;
end $body$;
