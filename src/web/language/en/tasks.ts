// Words about tasks.

import type { TaskStatus } from '../../generated/schema.ts'
import { room } from '../language.ts'

export const taskWords = room('tasks', {
  status: { OPEN: 'Open', DONE: 'Done', CANCELED: 'Canceled' } satisfies Record<TaskStatus, string>,
  isDone: (title: string) => `"${title}" is done`,
  isOpenAgain: (title: string) => `"${title}" is open again`,
  notChanged: (title: string) => `"${title}" was not changed`,
  keysDone: 'marks the row in focus as done',
  lists: { mine: 'Mine', due: 'Due', open: 'All open', done: 'Done' },
  none: {
    mine: 'Nothing is assigned to you.',
    due: 'Nothing is due today.',
    open: 'There is nothing to do.',
    done: 'Nothing is done yet.',
  },
  which: 'Which tasks',
  task: 'Task',
  contact: 'Contact',
  about: 'About',
  nobody: 'Nobody',
  titleNeeded: 'Enter a title',
  contactNeeded: 'Choose a contact',
  signUp: 'Sign up to add tasks',
  save: 'Save task',
  delete: 'Delete task',
  deleted: (title: string) => `"${title}" deleted`,
  notRestored: 'The task was not restored',
  add: 'Add task',
  addLine: 'New task',
  addExample: 'Call about the offer tomorrow 9',
  allFields: 'All fields',
  added: (title: string) => `"${title}" added`,
  notAdded: 'The task was not added',
  notDeleted: 'The task was not deleted',
  due: (time: string) => `Due ${time}`,
  notDue: (words: string) => `"${words}" is no date, keep it in the title`,
  dueExample: 'tomorrow 9, fri, in 2 weeks',
  noDate: 'This is not a date. Write one such as "tomorrow 9" or "in 2 weeks", or choose it in the calendar',
  calendar: (field: string) => `${field}: choose in a calendar`,
  inWords: (field: string) => `${field}: write in words`,
})
