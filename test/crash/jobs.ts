// Enrichment jobs among the writes of the crash script: every acknowledged one must end, once, with each of its suggestions once.

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

type Found = (kind: 'lost' | 'doubled' | 'torn', text: string) => void
type Read = (path: string) => Promise<{ status: number; body: Record<string, unknown> & { data: Record<string, unknown>[] } }>

// What the number says by itself: nothing outside is asked.
const options = { phone: '+442079460958' }
const fields = ['country', 'phone']
// A job of a killed worker runs again within a minute.
const withinMs = 90_000

export function createJobJournal(found: Found) {
  const keyOfJob = new Map<string, string>()
  return {
    path: '/api/enrich/v1/jobs',
    size: () => keyOfJob.size,
    newJob: () => ({ target: { host_app: 'crash', id: randomUUID(), kind: 'person' }, options }),
    acknowledge(key: string, { job_id: id }: Record<string, unknown>): void {
      const known = keyOfJob.get(String(id))
      if (known !== undefined && known !== key) found('doubled', `two targets were answered with job ${id}`)
      keyOfJob.set(String(id), key)
    },
    async verify(read: Read): Promise<void> {
      const until = Date.now() + withinMs
      for (const id of keyOfJob.keys()) {
        let job = await read(`/api/enrich/v1/jobs/${id}`)
        while (job.status === 200 && (job.body.status === 'queued' || job.body.status === 'running') && Date.now() < until) {
          await sleep(200)
          job = await read(`/api/enrich/v1/jobs/${id}`)
        }
        if (job.status !== 200) {
          found('lost', `job ${id} answers ${job.status}`)
          continue
        }
        if (job.body.status !== 'completed') found('torn', `job ${id} is ${job.body.status}: ${job.body.error}`)
        const { body } = await read(`/api/enrich/v1/suggestions?job_id=${id}`)
        const made = body.data.map(({ field }) => String(field)).toSorted()
        if (made.join() !== fields.join())
          found(made.length > fields.length ? 'doubled' : 'torn', `job ${id} suggests ${made.join() || 'nothing'}`)
      }
    },
  }
}
