// enrich: queues an enrichment job for a contact, and with --watch waits for its end.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '../../../client/client.ts'
import type { Answer } from '../../../client/endpoints.ts'
import { CommandError, type Terminal } from '../../terminal.ts'
import type { CommonFlags } from '../flags.ts'
import { isForPeople, printJson } from '../output/print.ts'
import { startSpinner } from '../output/progress.ts'
import { printFields } from '../output/table.ts'
import { connect } from '../session/connect.ts'

export interface Flags extends CommonFlags {
  recipe?: string
  watch?: boolean
}

type Job = Answer<'get', '/api/enrich/v1/jobs/{job_id}'>

const pollMs = 1_000

export async function enrich(this: Terminal, flags: Flags, contact: string): Promise<void> {
  const client = connect(this, flags)
  const target = { host_app: 'rolocom', kind: 'contact', id: contact }
  const { job_id } = await client.post('/api/enrich/v1/jobs', { body: { target, recipe: flags.recipe } })
  const job = flags.watch ? await followJob(this, client, job_id) : await jobOf(client, job_id)
  if (isForPeople(this, flags))
    printFields(this, [
      ['job', job.job_id],
      ['recipe', job.recipe],
      ['status', job.status],
      ['suggestions', job.suggestion_count],
      ['credits', job.credits_charged],
      ['error', job.error],
    ])
  else printJson(this, job)
  if (flags.watch && job.status !== 'completed')
    throw new CommandError(`The job ${job.job_id} is ${job.status}${job.error ? `: ${job.error}` : ''}`)
}

const jobOf = (client: Client, job_id: string): Promise<Job> => client.get('/api/enrich/v1/jobs/{job_id}', { path: { job_id } })

async function followJob(terminal: Terminal, client: Client, id: string): Promise<Job> {
  const spinner = startSpinner(terminal, 'queued')
  for (;;) {
    const job = await jobOf(client, id)
    if (job.status !== 'queued' && job.status !== 'running') {
      spinner.stop(job.status)
      return job
    }
    spinner.advance(0, job.status)
    await sleep(pollMs)
  }
}
