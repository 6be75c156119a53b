// The lists of tasks: mine, due, open and done.

import type { TaskFilter } from '../generated/operations.ts'
import type { TaskSort } from '../generated/schema.ts'
import { taskWords } from '../language/en/tasks.ts'
import { dayOf, daysAfter, startOfDay } from '../language/zone.ts'

export type TaskList = 'mine' | 'due' | 'open' | 'done'

export const taskLists: readonly { value: TaskList; label: string }[] = [
  { value: 'mine', label: taskWords.lists.mine },
  { value: 'due', label: taskWords.lists.due },
  { value: 'open', label: taskWords.lists.open },
  { value: 'done', label: taskWords.lists.done },
]

export const nothingIn: Readonly<Record<TaskList, string>> = {
  mine: taskWords.none.mine,
  due: taskWords.none.due,
  open: taskWords.none.open,
  done: taskWords.none.done,
}

export const sortOf = (list: TaskList): TaskSort => (list === 'done' ? 'CREATED_AT_DESC' : 'DUE_AT')

/** `until` is the end of the viewer's day. */
export function filterOf(list: TaskList, userId: string | null, until: string): TaskFilter {
  switch (list) {
    case 'mine':
      return { status: 'OPEN', assigneeUserId: userId }
    case 'due':
      return { status: 'OPEN', dueUntil: until }
    case 'open':
      return { status: 'OPEN' }
    case 'done':
      return { statusIn: ['DONE', 'CANCELED'] }
  }
}

export function endOfToday(): string {
  return startOfDay(daysAfter(dayOf(new Date()), 1)).toISOString()
}
