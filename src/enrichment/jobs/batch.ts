// Up to 100 jobs in one call: each is queued or fails alone, and one that is open already is only named.

import { sharing } from '../contacts/batch.ts'
import { type Context, organizationOf } from '../context.ts'
import { AppError, invalid, type Problem } from '../errors.ts'
import type { Job } from './job.sql.ts'
import { checkedJob, enqueueChecked, type NewJob } from './job.ts'

export type BatchOutcome = 'created' | 'skipped' | 'failed'

export interface JobRow {
  index: number
  outcome: BatchOutcome
  id: string | null
  status: Job['status'] | null
  error: { code: string; message: string; problems: readonly Problem[] | null } | null
}

export interface JobBatch {
  results: JobRow[]
  succeeded: number
  failed: number
}

const mostJobs = 100
// 8: rows that are written together cost little more than one; each that has to be paid for takes a connection of its own.
const mostAtOnce = 8

export async function enqueueJobs(context: Context, inputs: readonly NewJob[]): Promise<JobBatch> {
  organizationOf(context)
  if (inputs.length === 0 || inputs.length > mostJobs) throw wrongSize(inputs.length)
  await context.countWrites?.(inputs.length - 1)
  const results: JobRow[] = []
  // A transaction has one connection, so within one there is nothing to gain.
  const size = context.db.inTransaction ? 1 : mostAtOnce
  for (let at = 0; at < inputs.length; at += size)
    results.push(...(await Promise.all(inputs.slice(at, at + size).map((input, index) => enqueueRow(context, at + index, input)))))
  const failed = results.filter(({ outcome }) => outcome === 'failed').length
  return { results: sharing(results), succeeded: results.length - failed, failed }
}

async function enqueueRow(context: Context, index: number, input: NewJob): Promise<JobRow> {
  try {
    const checked = checkedJob(context, input)
    if (Array.isArray(checked)) throw invalid(checked)
    const { job, isNew } = await enqueueChecked(context, checked)
    return { index, outcome: isNew ? 'created' : 'skipped', id: job.id, status: job.status, error: null }
  } catch (error) {
    // A row that meets the money's or the queue's end may have begun to write; within a transaction of the caller's that cannot be
    // taken back for one row alone.
    const isHarmless =
      error instanceof AppError &&
      error.cause === undefined &&
      (!context.db.inTransaction || error.code === 'INVALID' || error.code === 'FORBIDDEN')
    if (!isHarmless) throw error
    const { code, message, extras } = error
    const { problems = null } = extras as { problems?: readonly Problem[] }
    return { index, outcome: 'failed', id: null, status: null, error: { code, message, problems } }
  }
}

function wrongSize(size: number): AppError {
  const context = size === 0 ? { min_length: 1, actual_length: 0 } : { max_length: mostJobs, actual_length: size }
  const message =
    size === 0
      ? 'List should have at least 1 item after validation, not 0'
      : `List should have at most ${mostJobs} items after validation, not ${size}`
  return invalid({ path: ['input'], type: size === 0 ? 'too_short' : 'too_long', message, input: null, context })
}
