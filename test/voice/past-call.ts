// Adds a call that was placed at some time, as its rows: with an id of that time, and a transcript of one line.

import type pg from 'pg'
import { v7 as uuid } from 'uuid'
import type { CallFixture } from './call-fixture.ts'

export interface PastCall {
  at: Date
  said: string
  summary?: string
  /** When the transcript was written. Default: `at`. */
  writtenAt?: Date
}

/** Resolves with its id. */
export async function addPastCall(
  client: pg.Client,
  { orgId, agent }: CallFixture,
  { at, said, summary, writtenAt = at }: PastCall,
): Promise<string> {
  const id = uuid({ msecs: at.getTime() })
  await client.query(
    `insert into calls (id, org_id, agent_id, agent_version, provider, dispatch_state, status, outcome, to_number, summary, transcript_lines,
       max_duration_seconds, ring_timeout_seconds, record, voicemail_action, dispatch_after, created_by_type, created_at)
     values ($1, $2, $3, 1, 'simulator', 'dispatched', 'completed', 'goal_met', '+14155550100', $4, 1, 60, 30, false, 'hang_up', $5, 'system', $5)`,
    [id, orgId, agent.id, summary, at],
  )
  const lines = JSON.stringify([{ seq: 1, role: 'user', text: said, startMs: null, endMs: null }])
  await client.query('insert into call_transcripts (id, org_id, summary, lines, written_at) values ($1, $2, $3, $4, $5)', [
    ...[id, orgId, summary, lines],
    writtenAt,
  ])
  return id
}
