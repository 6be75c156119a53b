// Words about tasks.

import type { TaskStatus } from '../../generated/schema.ts'
import { room } from '../language.ts'

export const taskWords = room('tasks', {
  status: { OPEN: 'Open', DONE: 'Done', CANCELED: 'Canceled' } satisfies Record<TaskStatus, string>,
})
