// The endpoints of companies.

import { z } from 'zod'
import {
  CreateCompanyDocument,
  DeleteCompanyDocument,
  GetCompanyDocument,
  ListCompaniesDocument,
  ListCompanyContactsDocument,
  ListCompanyTimelineDocument,
  type OnConflict,
  RestoreCompanyDocument,
  UpdateCompanyDocument,
  UpsertCompanyDocument,
} from '../../../generated/operations.ts'
import { derivedRoute } from '../../router/derived.ts'
import { developers, type Route, route } from '../../router/route.ts'
import { examples as contactExamples } from '../examples.ts'
import { anyOf, enumOf, filterText, oneText, pageOf, total } from '../inputs.ts'
import { companyExamples as examples } from './company-examples.ts'
import { orderBy, sharedFilters } from './records.ts'

const companies = '/api/crm/v1/companies'
const company = `${companies}/{company_id}` as const
const taken = 'another company has one of the domains; `existing_id` says which'
const aCompany = { role: 'api', tag: 'Companies', callers: developers } as const
const described = {
  source: 'Where the company came from. Unless given, who asks decides: `api` for an API key.',
}

export const companySort = orderBy(['name'], 'CompanyOrder')
export const companyFilter = {
  q: filterText(200),
  domain: anyOf(oneText(2048)),
  industry: anyOf(oneText(200)),
  country: anyOf(oneText(64)),
  ...sharedFilters,
}

export const companyRoutes: readonly Route[] = [
  route('GET', companies, ListCompaniesDocument, {
    ...aCompany,
    summary: 'List companies',
    description: 'Newest first unless sorted otherwise. Filters combine with "and", the values of one with "or".',
    scope: 'contacts:read',
    query: z.strictObject({ ...pageOf, sort: companySort, include: total, ...companyFilter }),
    examples: { answer: examples.companyPage },
  }),
  derivedRoute('POST', companies, CreateCompanyDocument, {
    ...aCompany,
    summary: 'Create a company',
    description: 'A domain that a company of the organization has already is 409.',
    scope: 'contacts:write',
    takes: { name: 'NewCompany', neverNull: ['source'], described },
    status: 201,
    location: `${companies}/{id}`,
    errors: { ALREADY_EXISTS: taken },
    examples: { body: examples.newCompany, answer: examples.company },
  }),
  derivedRoute('PUT', companies, UpsertCompanyDocument, {
    ...aCompany,
    summary: 'Create or update a company',
    description:
      'The company with the domain, first or further, or else with the external id. A field that is absent stays as it is, null clears it. ' +
      'A deleted company stays deleted: its domain then makes a new one.',
    scope: 'contacts:write',
    query: z.strictObject({
      on_conflict: enumOf<OnConflict>('OnConflict').optional().meta({ description: 'Action for a company that exists. Absent: update.' }),
    }),
    takes: { name: 'CompanyToUpsert', neverNull: ['name', 'source'], described },
    location: `${companies}/{id}`,
    errors: { ALREADY_EXISTS: taken },
    examples: { body: examples.newCompany, answer: examples.company },
  }),
  route('GET', company, GetCompanyDocument, {
    ...aCompany,
    summary: 'Get a company',
    description: 'By its id. A deleted one is not found until it is restored.',
    scope: 'contacts:read',
    etag: true,
    examples: { answer: examples.company },
  }),
  derivedRoute('PATCH', company, UpdateCompanyDocument, {
    ...aCompany,
    summary: 'Change a company',
    description: 'A field that is absent stays as it is, null clears it.',
    scope: 'contacts:write',
    takes: { name: 'CompanyChange', neverNull: ['name', 'source', 'add_tags', 'remove_tags'], described },
    ifMatch: true,
    etag: true,
    errors: { ALREADY_EXISTS: taken },
    examples: { body: examples.companyChange, answer: examples.changedCompany },
  }),
  route('DELETE', company, DeleteCompanyDocument, {
    ...aCompany,
    summary: 'Delete a company',
    description: 'It leaves the lists and frees its domains, and can be restored.',
    scope: 'contacts:write',
    ifMatch: true,
    etag: true,
    examples: { answer: examples.deletedCompany },
  }),
  route('POST', `${company}/restore`, RestoreCompanyDocument, {
    ...aCompany,
    summary: 'Restore a deleted company',
    description: 'It is in the lists again, with everything it had. One that is not deleted stays as it is.',
    scope: 'contacts:write',
    etag: true,
    errors: { ALREADY_EXISTS: taken },
    examples: { answer: examples.company },
  }),
  route('GET', `${company}/contacts`, ListCompanyContactsDocument, {
    ...aCompany,
    summary: "List a company's contacts",
    description: 'Its contacts that are not deleted, newest first. `GET /api/crm/v1/contacts?company_id=` lists them in other orders.',
    scope: 'contacts:read',
    query: z.strictObject({ ...pageOf, include: total }),
    examples: { answer: contactExamples.contactPage },
  }),
  route('GET', `${company}/timeline`, ListCompanyTimelineDocument, {
    ...aCompany,
    summary: "List a company's timeline",
    description: 'History of the company, newest first: who changed what, through which door.',
    scope: 'contacts:read',
    query: z.strictObject({ ...pageOf, include: total }),
    keyedByField: 'changes',
    examples: { answer: examples.timelinePage },
  }),
]
