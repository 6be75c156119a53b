// Inserts jobs with their events.

import type { RuleOfMany } from '../../kernel/batching/together.ts'
import { type EventRow, eventRecord } from '../../kernel/events/event.sql.ts'
import { storedJson } from '../../kernel/input/storable.ts'
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
export interface Inserted {
  isNew: boolean
  contactId: string | null
  waiting: number
}

/** Inserts jobs by one statement. */
export const insertJobs: RuleOfMany<Insert, Inserted> = async asked => {
  const inserts = asked.map(({ input }) => input)
  const rows = inserts.map(({ job, payerId, limit }) => {
    const [contactId, externalId] = keysOf(job.target)
    return { ...newJob.record({ ...job, payerId }), contact_id: contactId, external_id: externalId, max_queued: limit }
  })
  const events = inserts.map(({ event }) => eventRecord(event))
  const inserted = (await asked[0]?.context.db.query(insertQueued, [storedJson(rows), storedJson(events)])) ?? []
  const byId = new Map(inserted.map(row => [row.id, row]))
  return inserts.map(({ job }) => byId.get(job.id) ?? { isNew: false, contactId: null, waiting: 0 })
}
