// tasks: what failed for good, and another chance for it.

import { validate as isUuid } from 'uuid'
import { ConfigError } from '../config.ts'
import { startServices } from '../start.ts'
import { type Command, reachDatabase } from './command.ts'

export async function tasks(command: Command): Promise<void> {
  const { config, log, words, print } = command
  const [action = 'list', id] = words
  const database = await reachDatabase(command)
  try {
    const { services, stop } = await startServices({ ...config, ROLES: ['api'] }, { log, databaseUrl: database.url })
    try {
      if (action === 'retry' && id) {
        if (!isUuid(id) || !(await services.tasks.retry(id))) throw new ConfigError([`There is no dead task ${id}`])
        print(`queued again: ${id}`)
      } else if (action === 'list') {
        const dead = await services.tasks.dead()
        if (dead.length === 0) print('no dead tasks')
        for (const task of dead) print(`${task.id}  ${task.failedAt}  ${task.name}  ${JSON.stringify(task.reason)}`)
      } else throw new ConfigError(['tasks knows list and retry <id>'])
    } finally {
      await stop(1_000)
    }
  } finally {
    await database.leave()
  }
}
