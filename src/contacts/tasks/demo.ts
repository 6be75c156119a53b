// Keeps the tasks of the demo organization current: guests always see tasks of today.

import { handlerOf } from '../../kernel/queue/handler.ts'
import { queueItem } from '../../kernel/queue/item.ts'
import { moveDemoTasks } from './demo.sql.ts'

// Every hour: a server that was down at midnight makes up for it.
export const demoTasksHandler = handlerOf(
  queueItem('demo-tasks', { retryLimit: 0, retryDelaySeconds: 60, timeoutSeconds: 60, concurrency: 1, cron: '3 * * * *' }),
  services => services.database.query(moveDemoTasks, [services.now().toISOString()]),
)
