// Words of the form of a saved view.

import { room } from '../../language.ts'

export const viewFormWords = room('viewForm', {
  save: 'Save a view',
  saveVerb: 'Save view',
  change: 'Change the view',
  newOf: (records: string) => `New view of ${records}`,
  nameNeeded: 'Enter a name',
  everybody: 'Everybody in the organization sees it',
  isDefault: 'Open the list with this view',
})
