// Words of the editors of the filters of contacts.

import { room } from '../../language.ts'

export const filterWords = room('contactFilters', {
  ofImport: 'Contacts that one import has added or changed.',
  atLeast: 'At least',
  atMost: 'At most',
  from: 'From',
  until: 'Until',
  hasNone: 'Has no value',
  hasOne: 'Has a value',
  number: 'Write a number, such as 1250.5',
  howTags: 'How several tags match',
  any: 'Any of them',
  all: 'All of them',
  noTag: 'No tag has this name',
  part: 'A part is enough, such as "acme". Press Enter to add another; any of them matches',
  several: 'Press Enter to add a value; any of them matches',
})
