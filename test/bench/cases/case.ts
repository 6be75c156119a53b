// A case of the bench: the same work, asked of this server and of its peers.

import type { Workload } from '../load.ts'

/** This server alone and behind a pooler, and its peers. */
export type Name = 'project' | 'project pooled' | 'fastify+pg' | 'mercurius' | 'postgraphile'

export interface Case {
  name: string
  what: string
  /** What each server is asked. This server is asked the same in all its forms. */
  requests: Partial<Record<Name, Workload>>
  /** The least that the best peer's CPU, PostgreSQL's included, may be of this server's. */
  floor?: number
  /** Parts of the answer that differ from one request to the next: ids and times of what it has written. */
  differing?: RegExp
  /** Every write is compared with those of the others, row by row. */
  isCreate?: boolean
  /** Requests at once. Default: the bench's. */
  connections?: number
  /** Subscriptions to `changes` that are open meanwhile; the figures are then those of one delivered change. */
  listeners?: number
}

/** What the cases need to know of the data. */
export interface Data {
  /** An API key of the organization that is read, and one of the organization that is written. */
  readerKey: string
  writerKey: string
  serviceToken: string
  /** The organization that is read, and one of its users. */
  orgId: string
  userId: string
  agents: readonly string[]
  /** A contact with a timeline. */
  contactId: string
  /** The pipeline of the deals. */
  pipelineId: string
  /** The cursor of the page in the middle of the list. */
  middle: string
}

/** The headers of a caller with this API key. */
export const keyed = (key: string) => ({ authorization: `Bearer ${key}` })
