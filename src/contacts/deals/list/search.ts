// Searching deals by title.

import { searchStatements } from '../../records/search.sql.ts'
import { searchOf } from '../../records/search.ts'
import { loadDeals } from '../deal.ts'

export const searchDeals = searchOf({
  statements: searchStatements('deals'),
  load: loadDeals,
  titleOf: ({ title }) => title,
  textOf: ({ title }) => title,
})
