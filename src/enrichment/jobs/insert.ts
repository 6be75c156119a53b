// Inserts jobs with their events.

import type { RuleOfMany } from '../../kernel/batching/together.ts'
import { type EventRow, eventRecord } from '../../kernel/events/event.sql.ts'
import { enterTimelines } from '../../kernel/events/events.ts'
import { snakeCase } from '../../kernel/input/case.ts'
import { storedJson } from '../../kernel/input/storable.ts'
import { noRecordIds, type RecordIds, recordIdsOf } from '../targets/record.ts'
import { keysOf } from '../targets/target.ts'
import { insertQueued, type Job, newJob } from './job.sql.ts'

/** A job to insert, with its event. */
export interface Insert {
  job: Job
  payerId: string | null
  /** The maximum number of queued jobs of the organization. At the limit, the job is not inserted. */
  limit: number
  event: EventRow
}

/**
 * `isNew` is false if an open job has the same target and recipe, or if the queue is full. `waiting` is the number of queued jobs, counted
 * up to the limit.
 */
export interface Inserted extends RecordIds {
  isNew: boolean
  waiting: number
}

/** Inserts jobs by one statement. */
export const insertJobs: RuleOfMany<Insert, Inserted> = async asked => {
  const inserts = asked.map(({ input }) => input)
  const rows = inserts.map(({ job, payerId, limit }) => {
    const keys = Object.entries(keysOf(job.target)).map(([name, key]) => [snakeCase(name), key])
    return { ...newJob.record({ ...job, payerId }), ...Object.fromEntries(keys), max_queued: limit }
  })
  const events = inserts.map(({ event }) => eventRecord(event))
  const [first] = asked
  if (!first) return []
  const { db } = first.context
  const inserted = new Map((await db.query(insertQueued, [storedJson(rows), storedJson(events)])).map(row => [row.id, row]))
  // As the statement has written them.
  const written = inserts.map(({ job, event }) => ({ ...event, ...recordIdsOf(inserted.get(job.id) ?? noRecordIds) }))
  await enterTimelines({ db }, written)
  return inserts.map(({ job }) => inserted.get(job.id) ?? { isNew: false, ...noRecordIds, waiting: 0 })
}
