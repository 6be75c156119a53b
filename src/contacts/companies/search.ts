// Searching companies by name and domain.

import { searchStatements } from '../records/search.sql.ts'
import { searchOf } from '../records/search.ts'
import { loadCompanies } from './company.ts'
import { domainsOf } from './input.ts'

export const searchCompanies = searchOf({
  statements: searchStatements('companies'),
  load: loadCompanies,
  titleOf: ({ name }) => name,
  textOf: company => [company.name, ...domainsOf(company)].join(' · '),
})
