// Words of the components that many screens use: dialogs, notices, forms and lists.

import { room } from '../../language.ts'

export const pieceWords = room('pieces', {
  close: 'Close',
  cancel: 'Cancel',
  clearFilters: 'Clear the filters',
  searching: 'Searching',
  lacking: (credits: string) => `You need ${credits} more.`,
  toCredits: 'Look at the credits',
  signUpToDo: 'Sign up to do this',
  newTab: 'opens in a new tab',
  sort: 'Sort',
  sortedBy: (column: string) => `Sorted by ${column}`,
  selectCard: 'Select the card',
  dropped: 'Some filters of the address were left out, because this list does not know them:',
})
