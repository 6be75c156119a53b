// tasks: lists tasks and enrichment jobs that have failed permanently, and retries them.

import { validate as isUuid } from 'uuid'
import { ConfigError } from '../../config/environment.ts'
import { deadJobs, retryDeadJob } from '../../enrichment/jobs/queue.ts'
import type { Services } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { startServices } from '../../server/services.ts'
import { type Command, reachDatabase, upToDate } from './command.ts'

export async function tasks(command: Command): Promise<void> {
  const { config, log, words, print } = command
  const [action = 'list', id] = words
  const database = await reachDatabase(command)
  try {
    await upToDate(config, database.url, log)
    const { services, stop } = await startServices({ ...config, ROLES: ['api'] }, { log, databaseUrl: database.url })
    try {
      if (action === 'retry' && id) {
        if (!(await retry(services, id))) throw new ConfigError([`There is no dead task or enrichment job ${id}`])
        print(`queued again: ${id}`)
      } else if (action === 'list') {
        const [dead, jobs] = await Promise.all([services.queue.dead(), deadJobs(services.database)])
        if (dead.length + jobs.length === 0) print('no dead tasks')
        for (const task of dead) print(`${task.id}  ${task.failedAt}  ${task.name}  ${JSON.stringify(task.reason)}`)
        for (const { id, finishedAt, recipe, hostApp, targetKind, targetId, error } of jobs)
          print(
            `${id}  ${finishedAt?.toISOString()}  enrichment ${recipe} of ${hostApp} ${targetKind} ${targetId}  ${JSON.stringify(error)}`,
          )
      } else throw new ConfigError(['tasks knows list and retry <id>'])
    } finally {
      await stop(1_000)
    }
  } finally {
    await database.leave()
  }
}

async function retry(services: Services, id: string): Promise<boolean> {
  if (!isUuid(id)) return false
  if (await services.queue.retry(id)) return true
  return retryDeadJob(services, id).catch((error: unknown) => {
    throw error instanceof AppError ? new ConfigError([error.message]) : error
  })
}
