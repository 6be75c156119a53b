// Words of the notice that a saved view has parts that the list cannot show.

import { room } from '../../language.ts'

export const goneWords = room('viewGone', {
  and: ' and ',
  view: (name: string) => `The view "${name}"`,
  address: 'The address',
  filters: (what: string, fields: string) => `${what} filters by ${fields}, which no longer exists, so nothing matches.`,
  columns: (what: string, fields: string) => `${what} has a column of ${fields}, which is a deleted field.`,
  without: 'Show without it',
  remove: 'Remove it from the view',
  notChanged: 'The view was not changed',
})
