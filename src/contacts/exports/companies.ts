// Exports of companies.

import { eventsOf } from '../../kernel/nouns/events.ts'
import { revenueOf } from '../companies/input.ts'
import { type CompanyFilter, type CompanySort, conditionsOf, countCompanies, everyCompany } from '../companies/list.ts'
import { companyFields } from '../companies/row.ts'
import { type Exported, exporterOf } from './exporter.ts'
import { fieldsOf } from './fields.ts'

const events = eventsOf('company_export', {
  created: 'A link to an export of companies was made.',
  downloaded: 'Such a link was used.',
})

const exportedCompanies: Exported<CompanyFilter, CompanySort> = {
  noun: 'company',
  events,
  fields: fieldsOf(companyFields, { behind: 'employeeCount', further: ['annualRevenue'] }),
  check: conditionsOf,
  count: countCompanies,
  async *every(context, listed) {
    for await (const companies of everyCompany(context, listed))
      yield companies.map(company => ({ ...company, annualRevenue: revenueOf(company) }))
  },
}

export const createCompanyExport = exporterOf(exportedCompanies, 'created_at_desc')
