// Inserts jobs with their events. Concurrent inserts share one statement.

import { batcher } from '../../database/batcher.ts'
import type { Queries } from '../../database/client.ts'
import type { Context } from '../../kernel/context.ts'
import { type EventRow, eventRecord } from '../../kernel/events/event.sql.ts'
import { storedJson } from '../../kernel/input/storable.ts'
import { perObject } from '../../kernel/per-object.ts'
import { keysOf } from '../targets/target.ts'
import { insertJobs, type Job, newJob } from './job.sql.ts'

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

/** Inserts the job, batched with concurrent inserts. */
export function insertBatched({ db }: Context, insert: Insert): Promise<Inserted> {
  return batcherOf(db)(insert)
}

/** Inserts the job in a statement of its own. */
export async function insertOne({ db }: Context, insert: Insert): Promise<Inserted> {
  const [inserted] = await insertAll(db, [insert])
  return inserted ?? { isNew: false, contactId: null, waiting: 0 }
}

// One batcher per database or open transaction.
const batcherOf = perObject((db: Queries) => batcher<Insert, Inserted>(inserts => insertAll(db, inserts)))

async function insertAll(db: Queries, inserts: readonly Insert[]): Promise<Inserted[]> {
  const rows = inserts.map(({ job, payerId, limit }) => {
    const [contactId, externalId] = keysOf(job.target)
    return { ...newJob.record({ ...job, payerId }), contact_id: contactId, external_id: externalId, max_queued: limit }
  })
  const events = inserts.map(({ event }) => eventRecord(event))
  const inserted = await db.query(insertJobs, [storedJson(rows), storedJson(events)])
  const byId = new Map(inserted.map(row => [row.id, row]))
  return inserts.map(({ job }) => byId.get(job.id) ?? { isNew: false, contactId: null, waiting: 0 })
}
