// The endpoints of the ids that records have in other systems.

import { GetCompanyExternalIdsDocument, GetContactExternalIdsDocument, GetDealExternalIdsDocument } from '../../../generated/operations.ts'
import { developers, type Route, route } from '../../router/route.ts'

const common = {
  role: 'api',
  callers: developers,
  scope: 'contacts:read',
  description:
    'By the name of the system, such as `hubspot` or `salesforce`. Imports keep them, so that the next export of the system changes the same record.',
  examples: { answer: { external_ids: { hubspot: '901', salesforce: '0035g00000AbCdEAAV' } } },
} as const

export const externalIdRoutes: readonly Route[] = [
  route('GET', '/api/crm/v1/contacts/{contact_id}/external-ids', GetContactExternalIdsDocument, {
    ...common,
    tag: 'Contacts',
    summary: 'Get the ids of a contact in other systems',
  }),
  route('GET', '/api/crm/v1/companies/{company_id}/external-ids', GetCompanyExternalIdsDocument, {
    ...common,
    tag: 'Companies',
    summary: 'Get the ids of a company in other systems',
  }),
  route('GET', '/api/crm/v1/deals/{deal_id}/external-ids', GetDealExternalIdsDocument, {
    ...common,
    tag: 'Deals',
    summary: 'Get the ids of a deal in other systems',
  }),
]
