// Queues up to 100 jobs in one call. Rows fail independently; a row whose job is already open returns that job.

import pMap from 'p-map'
import { sharing } from '../../../contacts/contact/batch/batch.ts'
import { type Context, organizationOf } from '../../../kernel/context.ts'
import { AppError, invalid, type RowError, rowErrorOf } from '../../../kernel/errors.ts'
import type { Job } from '../job.sql.ts'
import { checkJob, enqueueChecked, type NewJob } from '../job.ts'

type BatchOutcome = 'created' | 'skipped' | 'failed'

export interface JobRow {
  index: number
  outcome: BatchOutcome
  id: string | null
  status: Job['status'] | null
  error: RowError | null
}

export interface JobBatch {
  results: JobRow[]
  succeeded: number
  failed: number
}

const maxJobs = 100
// 8: rows of free recipes share one batched insert; each row of a paid recipe uses a database connection.
const maxConcurrent = 8

export async function enqueueJobs(context: Context, inputs: readonly NewJob[]): Promise<JobBatch> {
  organizationOf(context)
  if (inputs.length === 0 || inputs.length > maxJobs) throw wrongSize(inputs.length)
  await context.countWrites?.(inputs.length - 1)
  // A transaction has one connection, so its rows run one after the other anyway.
  const concurrency = context.db.inTransaction ? 1 : maxConcurrent
  const results = await pMap(inputs, (input, index) => enqueueRow(context, index, input), { concurrency })
  const failed = results.filter(({ outcome }) => outcome === 'failed').length
  return { results: sharing(results), succeeded: results.length - failed, failed }
}

async function enqueueRow(context: Context, index: number, input: NewJob): Promise<JobRow> {
  try {
    const checked = checkJob(context, input)
    if (Array.isArray(checked)) throw invalid(checked)
    const { job, isNew } = await enqueueChecked(context, checked)
    return { index, outcome: isNew ? 'created' : 'skipped', id: job.id, status: job.status, error: null }
  } catch (error) {
    // A row refused for lack of credits, or because the queue is full, may have written already. In the caller's transaction this cannot be
    // rolled back for one row alone, so the whole batch fails.
    const failsAlone =
      error instanceof AppError &&
      error.cause === undefined &&
      (!context.db.inTransaction || error.code === 'INVALID' || error.code === 'FORBIDDEN')
    if (!failsAlone) throw error
    return { index, outcome: 'failed', id: null, status: null, error: rowErrorOf(error) }
  }
}

function wrongSize(size: number): AppError {
  const context = size === 0 ? { min_length: 1, actual_length: 0 } : { max_length: maxJobs, actual_length: size }
  const message =
    size === 0
      ? 'List should have at least 1 item after validation, not 0'
      : `List should have at most ${maxJobs} items after validation, not ${size}`
  return invalid({ path: ['jobs'], type: size === 0 ? 'too_short' : 'too_long', message, input: null, context })
}
