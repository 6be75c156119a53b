// Words of every table: its selection, its order and its columns.

import { room } from '../language.ts'

export const tableWords = room('table', {
  selected: 'Selected rows',
  selectAll: (count: string) => `Select all ${count} that match`,
  /** The same, where the bar is narrow. */
  all: (count: string) => `All ${count}`,
  clear: 'Clear the selection',
  changed: 'The list has changed. Show it',
})
