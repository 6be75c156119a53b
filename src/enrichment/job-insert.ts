// New jobs into the queue, each with its event, together with whoever else is queueing at the moment.

import { type Context, inTransaction } from '../context.ts'
import { convoy } from '../convoy.ts'
import { type Queries, statement } from '../database/client.ts'
import { eventColumns } from '../events.ts'
import { ofEach } from '../own.ts'
import type { Job } from './job.sql.ts'
import { contactIdSql, keysOf } from './target.ts'

/** A job to be written; `event` in the order of `eventColumns`. */
export interface Insert {
  job: Job
  payerId: string | null
  /** With so many of the organization waiting it is not written. */
  limit: number
  event: unknown[]
}

/** `isNew` is false where an open job has the target and recipe, or too many wait: `waiting`, as far as they were counted. */
export interface Inserted {
  isNew: boolean
  contactId: string | null
  waiting: number
}

/** Writes the job in company. */
export function insertTogether({ db }: Context, insert: Insert): Promise<Inserted> {
  return joinOf(db)(insert)
}

/** Writes the job by itself. */
export async function insertAlone({ db }: Context, insert: Insert): Promise<Inserted> {
  const [inserted] = await insertAll(db, [insert])
  return inserted ?? { isNew: false, contactId: null, waiting: 0 }
}

// One for each database that this process writes to, and for each transaction while it lasts.
const joinOf = ofEach((db: Queries) => convoy<Insert, Inserted>(inserts => insertAll(db, inserts)))

const names = eventColumns.split(', ')
const eventOfRow = names.map(name => (name === 'contact_id' ? 'row.contact_id' : `event.${name}`)).join(', ')

// Waiting jobs are counted up to the limit, and those of one statement among each other.
const insertJobs = statement<{ id: string; isNew: boolean; contactId: string | null; waiting: number }>(
  'jobs_insert',
  `with asked as (
     select *, row_number() over (partition by org_id) as place from jsonb_to_recordset($1) as job (id uuid, org_id uuid, host_app text, target_id text,
       target_kind text, contact_id uuid, external_id text, recipe text, recipe_version int, options jsonb, payer_id text, created_by_type text,
       created_by_id text, created_by_name text, created_at timestamptz, most int)
   ), queues as materialized (
     select org_id, (select count(*)::int from (select 1 from enrichment_jobs j where j.org_id = o.org_id and j.status = 'queued' limit o.most) queued) as waiting
     from (select org_id, max(most) as most from asked group by org_id) o
   ), row as (
     insert into enrichment_jobs (id, org_id, host_app, target_id, target_kind, contact_id, recipe, recipe_version, options, payer_id,
       created_by_type, created_by_id, created_by_name, created_at, run_after)
     select id, org_id, host_app, target_id, target_kind, ${contactIdSql('asked.org_id', 'asked.contact_id', 'asked.external_id')}, recipe,
       recipe_version, options, payer_id, created_by_type, created_by_id, created_by_name, created_at, created_at
     from asked join queues using (org_id) where waiting + place <= most
     -- One order for everybody, so that two statements with the same targets wait for each other and never in a circle.
     order by org_id, host_app, target_kind, target_id, recipe
     on conflict (org_id, host_app, target_kind, target_id, recipe) where status in ('queued', 'running') do nothing
     returning id, contact_id
   ), event as (
     insert into events (${eventColumns})
     select ${eventOfRow} from jsonb_populate_recordset(null::events, $2) event join row on row.id::text = event.entity_id
   )
   select asked.id, row.id is not null as "isNew", row.contact_id as "contactId", waiting
   from asked join queues using (org_id) left join row using (id)`,
)

async function insertAll(db: Queries, inserts: readonly Insert[]): Promise<Inserted[]> {
  const jobs = inserts.map(({ job, payerId, limit }) => {
    const [contactId, externalId] = keysOf(job.target)
    return {
      ...{ id: job.id, org_id: job.orgId, host_app: job.target.hostApp, target_id: job.target.id, target_kind: job.target.kind },
      ...{ contact_id: contactId, external_id: externalId, recipe: job.recipe, recipe_version: job.recipeVersion, options: job.options },
      ...{ payer_id: payerId, created_by_type: job.createdBy.type, created_by_id: job.createdBy.id, created_by_name: job.createdBy.name },
      ...{ created_at: job.createdAt, most: limit },
    }
  })
  const events = inserts.map(({ event }) => {
    const row = Object.fromEntries(names.map((name, index) => [name, event[index]]))
    return { ...row, changes: JSON.parse(String(row.changes)) as unknown }
  })
  const rows = await db.query(insertJobs, [JSON.stringify(jobs), JSON.stringify(events)])
  const byId = new Map(rows.map(row => [row.id, row]))
  return inserts.map(({ job }) => byId.get(job.id) ?? { isNew: false, contactId: null, waiting: 0 })
}

/** Who is queueing in a transaction at this moment. */
const queueing = new WeakMap<Queries, number>()

/** Thrown to have a shared transaction undone and repeated one by one: a write that waits for others must not make all wait in a circle. */
export class MustBeAlone extends Error {}

/** Runs a write that is counted among those of its transaction while it lasts. */
export async function counted<Result>(context: Context, work: () => Promise<Result>): Promise<Result> {
  const { db } = context
  if (!db.inTransaction) return work()
  queueing.set(db, (queueing.get(db) ?? 0) + 1)
  try {
    return await work()
  } finally {
    queueing.set(db, (queueing.get(db) ?? 1) - 1)
  }
}

/** Runs work that may wait for locks, in a transaction that nobody else writes in. Throws MustBeAlone. */
export async function alone<Result>(context: Context, work: (inside: Context) => Promise<Result>): Promise<Result> {
  // Whoever shares the transaction begins in the same turn of the event loop.
  if (context.db.inTransaction) await new Promise(setImmediate)
  if ((queueing.get(context.db) ?? 0) > 1) throw new MustBeAlone()
  return context.db.transaction(tx => work(inTransaction(context, tx)))
}
