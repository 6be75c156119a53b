// Words of saved views beside the title of a list.

import { room } from '../../language.ts'

export const viewWords = room('views', {
  all: (records: string) => `All ${records}`,
  deleted: (records: string) => `Deleted ${records}`,
  saveAsView: 'Save as a view',
  changeNamed: (view: string) => `Change the view ${view}`,
})
