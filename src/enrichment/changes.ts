// Changes of jobs and suggestions, read from the outbox.

import { getContact } from '../contacts/contact/contact.ts'
import type { Context } from '../kernel/context.ts'
import type { OutboxEvent } from '../kernel/events/event.sql.ts'
import { followOutbox, type Positioned } from '../kernel/events/follow.ts'
import { getJob } from './jobs/job.ts'

/** A committed event of a job or a suggestion. */
export interface EnrichmentChange {
  /** The event's id. */
  id: string
  /** `enrichment_job.completed`, `suggestion.accepted`, ... */
  type: string
  /** The id of the job or the suggestion. */
  entityId: string
  createdAt: string
}

/** The changes of the organization's jobs, or of one, from now on or behind `after`. Throws NOT_FOUND for an unknown job. */
export async function followJobs(
  context: Context,
  { jobId, after }: { jobId?: string | null; after?: string | null },
): Promise<AsyncIterableIterator<Positioned<EnrichmentChange>>> {
  const one = jobId == null ? undefined : (await getJob(context, jobId)).id
  return followOutbox(context, { entities: ['enrichment_job'], after }, event =>
    one === undefined || event.entityId === one ? [changeOf(event)] : [],
  )
}

/** The changes of the organization's suggestions, or of one contact's suggestions, in the same way. Throws NOT_FOUND for an unknown contact. */
export async function followSuggestions(
  context: Context,
  { contactId, after }: { contactId?: string | null; after?: string | null },
): Promise<AsyncIterableIterator<Positioned<EnrichmentChange>>> {
  const one = contactId == null ? undefined : (await getContact(context, contactId)).id
  return followOutbox(context, { entities: ['suggestion'], after }, event =>
    one === undefined || event.contactId === one ? [changeOf(event)] : [],
  )
}

const changeOf = ({ id, type, entityId, createdAt }: OutboxEvent): EnrichmentChange => ({ id, type, entityId, createdAt })
