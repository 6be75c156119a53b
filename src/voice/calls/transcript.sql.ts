// Transcripts of calls, in a table that is partitioned by the ids of the calls.

/**
 * SQL: the transcript of a call, `[]` without one. `of`: the name of the table of calls, with a dot. A subquery, and no join: it is planned for
 * one id, so that it looks in one partition.
 */
export const transcriptOf = (of: string) =>
  `coalesce((select lines from call_transcripts t where t.org_id = ${of}org_id and t.id = ${of}id), '[]'::jsonb)`
