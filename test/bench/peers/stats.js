// The counts of an organization, taken from its rows at each request.

import { query } from './database.js'

const contactCounts = `select lifecycle_stage, source, email is not null as has_email, phone is not null as has_phone, do_not_call,
    count(*) as total, count(*) filter (where created_at >= $2::date) as new
  from contacts where org_id = $1 and deleted_at is null group by 1, 2, 3, 4, 5`
const callCounts = `select to_char(created_at, 'YYYY-MM-DD') as day, status, outcome, answered_at is not null as answered, count(*) as total,
    coalesce(sum(duration_seconds), 0) as seconds, count(duration_seconds) as timed,
    count(*) filter (where dispatch_state = any('{dispatching,dispatched,unconfirmed}') and status = any('{queued,ringing,in_progress}')) as active
  from calls where org_id = $1 and created_at >= $2::date group by 1, 2, 3, 4`
const jobCounts = 'select status, count(*) as total from enrichment_jobs where org_id = $1 and created_at >= $2::date group by 1'
const suggestionCounts = 'select status, count(*) as total from suggestions where org_id = $1 group by 1'

const stages = ['subscriber', 'lead', 'qualified', 'opportunity', 'customer', 'evangelist', 'other']
const sources = ['api', 'web', 'desktop', 'import', 'voice', 'enrichment', 'hook', 'agent', 'system']
const statuses = ['queued', 'ringing', 'in_progress', 'completed', 'busy', 'no_answer', 'failed', 'canceled']
const outcomes =
  'goal_met goal_not_met callback_requested transferred voicemail no_answer busy declined wrong_number do_not_call failed unknown'.split(
    ' ',
  )
const jobStatuses = ['queued', 'running', 'completed', 'failed', 'canceled', 'insufficient_credits']

const sum = (rows, is = () => true, of = 'total') => rows.reduce((total, row) => total + (is(row) ? Number(row[of]) : 0), 0)
const by = (rows, column, names) => Object.fromEntries(names.map(name => [name, sum(rows, row => row[column] === name)]))
const share = (part, whole) => (whole === 0 ? 0 : part / whole)
const dayMs = 86_400_000
const dayOf = time => new Date(time).toISOString().slice(0, 10)

/** The stats of the last 30 days. */
export async function statsOf(orgId) {
  const now = Date.now()
  const days = Array.from({ length: 30 }, (_, index) => dayOf(now - (29 - index) * dayMs))
  const [from = ''] = days
  const [contacts, calls, jobs, suggestions] = await Promise.all([
    query('contact_counts', contactCounts, [orgId, from]),
    query('call_counts', callCounts, [orgId, from]),
    query('job_counts', jobCounts, [orgId, from]),
    query('suggestion_counts', suggestionCounts, [orgId]),
  ])
  const answered = sum(calls, row => row.answered)
  const accepted = sum(suggestions, row => row.status === 'accepted')
  return {
    as_of: new Date(now).toISOString(),
    window: { from, to: days.at(-1) },
    contacts: {
      total: sum(contacts),
      new: sum(contacts, undefined, 'new'),
      by_lifecycle_stage: by(contacts, 'lifecycle_stage', stages),
      by_source: by(contacts, 'source', sources),
      with_email: sum(contacts, row => row.has_email),
      with_phone: sum(contacts, row => row.has_phone),
      do_not_call: sum(contacts, row => row.do_not_call),
    },
    calls: {
      total: sum(calls),
      active: sum(calls, undefined, 'active'),
      by_status: by(calls, 'status', statuses),
      by_outcome: by(calls, 'outcome', outcomes),
      answer_rate: share(answered, sum(calls)),
      avg_duration_seconds: share(sum(calls, undefined, 'seconds'), sum(calls, undefined, 'timed')),
      series: days.map(date => ({
        date,
        placed: sum(calls, row => row.day === date),
        answered: sum(calls, row => row.day === date && row.answered),
      })),
    },
    enrichment: {
      jobs_by_status: by(jobs, 'status', jobStatuses),
      suggestions_pending: sum(suggestions, row => row.status === 'pending'),
      accept_rate: share(accepted, accepted + sum(suggestions, row => row.status === 'rejected')),
    },
  }
}
