// Waiting for jobs, and creating contacts for them.

import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Json, TestApp } from '../support/app.ts'

/** Polls the job until it has ended. The timeout is generous for busy machines; only a failing test reaches it. */
export async function ended(app: TestApp, key: string, id: string, withinMs = 25_000): Promise<Json> {
  const until = Date.now() + withinMs
  for (;;) {
    const { body } = await app.rest('GET', `/api/enrich/v1/jobs/${id}`, { key })
    if (body.status !== 'queued' && body.status !== 'running') return body
    if (Date.now() > until) throw new Error(`The job is still ${body.status} after ${withinMs} ms: ${JSON.stringify(body)}`)
    await sleep(30)
  }
}

/** A contact created through REST. */
export async function givenContact(app: TestApp, key: string, fields: Record<string, unknown>): Promise<Json> {
  const { status, body } = await app.rest('POST', '/api/crm/v1/contacts', { key, body: fields })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}

/** Queues a job and waits for its end. */
export async function enriched(app: TestApp, key: string, body: Record<string, unknown>): Promise<Json> {
  const answer = await app.rest('POST', '/api/enrich/v1/jobs', { key, body })
  expect(answer.status, JSON.stringify(answer.body)).toBe(202)
  return ended(app, key, answer.body.job_id)
}

/** The suggestions of a job, by field. */
export async function suggestionsOf(app: TestApp, key: string, jobId: string): Promise<Record<string, Json>> {
  const { body } = await app.rest('GET', `/api/enrich/v1/suggestions?job_id=${jobId}`, { key })
  return Object.fromEntries(body.data.map((suggestion: Json) => [suggestion.field, suggestion]))
}
