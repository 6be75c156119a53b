// The lists of tasks: mine, due, open and done.

import type { TaskFilter } from '../generated/operations.ts'
import type { TaskSort } from '../generated/schema.ts'
import { dayOf, daysAfter, startOfDay } from '../language/zone.ts'

export type TaskList = 'mine' | 'due' | 'open' | 'done'

export const taskLists: readonly { value: TaskList; label: string }[] = [
  { value: 'mine', label: 'Mine' },
  { value: 'due', label: 'Due' },
  { value: 'open', label: 'All open' },
  { value: 'done', label: 'Done' },
]

export const nothingIn: Readonly<Record<TaskList, string>> = {
  mine: 'Nothing is assigned to you.',
  due: 'Nothing is due today.',
  open: 'There is nothing to do.',
  done: 'Nothing is done yet.',
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
