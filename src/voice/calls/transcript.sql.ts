// Transcripts of calls, in a table that is partitioned by the month with which the ids of the calls begin, and dropped by month. A row has a copy
// of the summary, so that one index finds a call by both; a summary is found as long as its transcript is kept.

/**
 * SQL: the transcript of a call, `[]` without one. `of`: the name of the table of calls, with a dot. A subquery, and no join: it is planned for
 * one id, so that it looks in one partition.
 */
export const transcriptOf = (of: string) =>
  `coalesce((select lines from call_transcripts t where t.org_id = ${of}org_id and t.id = ${of}id), '[]'::jsonb)`

/**
 * An insert that writes summaries and transcripts, of calls that are locked, so that nobody else writes these rows. `$said` the ids of the calls,
 * with their organizations, summaries, and transcripts or none to keep them, as JSON; `$now` a time.
 */
export const writeTranscriptsSql = (said: number, now: number) =>
  `insert into call_transcripts as kept (id, org_id, summary, lines, written_at)
   select id, org_id, summary, coalesce(lines, '[]'), $${now}
   from json_to_recordset($${said}) as given (id uuid, org_id uuid, summary text, lines jsonb)
   on conflict (id) do update set summary = excluded.summary, lines = case excluded.lines when '[]' then kept.lines else excluded.lines end`
