// The due time of a task in words, in red when it is over.

import { Text } from '@mantine/core'
import type { TaskRowFragment } from '../generated/operations.ts'
import { Time } from '../pieces/time.tsx'

export type Task = TaskRowFragment

const isOverdue = ({ status, dueAt }: Task): boolean => status === 'OPEN' && dueAt !== null && Date.parse(dueAt) < Date.now()

export function Due({ task }: { task: Task }) {
  if (task.dueAt === null) return null
  return (
    <Text span inherit c={isOverdue(task) ? 'var(--mantine-color-error)' : undefined}>
      <Time at={task.dueAt} isPlanned />
      {isOverdue(task) && ', overdue'}
    </Text>
  )
}
