// Words of the menus of saved views.

import { room } from '../../language.ts'

export const viewMenuWords = room('viewMenus', {
  saveChanges: 'Save changes',
  notSaved: 'The view was not saved',
  yours: 'Your views',
  shared: 'Shared views',
  first: 'first',
  saveNew: 'Save as a new view',
  signUp: 'Sign up to save views',
  rename: 'Rename and share',
  delete: 'Delete the view',
  deleteVerb: 'Delete view',
  askDelete: (view: string) => `Delete the view "${view}"?`,
  losesShared: (records: string) => `It disappears for everybody in the organization. The ${records} stay.`,
  losesOwn: (records: string) => `Its filters and columns are lost. The ${records} stay.`,
  notDeleted: 'The view was not deleted',
})
