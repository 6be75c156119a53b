// Jobs and suggestions as they change, read from the outbox.

import { getContact } from '../contacts/contact.ts'
import { type Context, organizationOf } from '../context.ts'
import type { OutboxEvent } from '../outbox.ts'
import { getJob } from './job.ts'

/** Something that happened to a job or a suggestion. */
export interface Happening {
  /** `enrichment_job.completed`, `suggestion.accepted`, ... */
  type: string
  id: string
  createdAt: string
}

/** Every change of the organization's jobs, or of one, from now on. Throws NOT_FOUND for a job that is not there. */
export async function followJobs(context: Context, jobId?: string | null): Promise<AsyncIterableIterator<Happening>> {
  const one = jobId == null ? undefined : (await getJob(context, jobId)).id
  const events = await context.services.outbox.follow(organizationOf(context), context.signal)
  return chosen(events, ({ entity, entityId }) => entity === 'enrichment_job' && (one === undefined || entityId === one))
}

/** Every change of the organization's suggestions, or of those about one contact, from now on. */
export async function followSuggestions(context: Context, contactId?: string | null): Promise<AsyncIterableIterator<Happening>> {
  const one = contactId == null ? undefined : (await getContact(context, contactId)).id
  const events = await context.services.outbox.follow(organizationOf(context), context.signal)
  return chosen(events, event => event.entity === 'suggestion' && (one === undefined || event.contactId === one))
}

// Hands every call through, so that a reader who stops reading is heard at once, even while nothing happens.
function chosen(events: AsyncIterableIterator<OutboxEvent>, isMeant: (event: OutboxEvent) => boolean): AsyncIterableIterator<Happening> {
  return {
    async next() {
      for (;;) {
        const { done, value } = await events.next()
        if (done) return { done, value: undefined }
        if (isMeant(value)) return { done: false, value: { type: value.type, id: value.entityId, createdAt: value.createdAt } }
      }
    },
    async return() {
      await events.return?.()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
