// Documents and shorthands for the tests of companies.

import type { Json, TestApp } from '../../support/app.ts'
import { type Client, clientWith } from '../client.ts'

export const companies = '/api/crm/v1/companies'

const whole =
  'id name domain domains website phone linkedinUrl industry employeeCount annualRevenue annualRevenueCurrency description city region country ownerUserId owner { name } tags custom externalId source createdBy { type } createdAt updatedAt deletedAt version'
export const creating = `mutation ($input: CreateCompanyInput!) { createCompany(input: $input) { ${whole} } }`
export const updating = `mutation ($input: UpdateCompanyInput!) { updateCompany(input: $input) { ${whole} } }`
export const upserting = `mutation ($input: UpsertCompanyInput!) { upsertCompany(input: $input) { outcome company { ${whole} } } }`
export const deleting = 'mutation ($input: DeleteCompanyInput!) { deleteCompany(input: $input) { id deletedAt version } }'
export const restoring = 'mutation ($id: ID!) { restoreCompany(input: { id: $id }) { id deletedAt version } }'
export const add = async (on: Client, input: Json): Promise<Json> =>
  (await on.data(creating, { input: { name: 'Engines', ...input } })).createCompany
export const change = async (on: Client, input: Json): Promise<Json> => (await on.data(updating, { input })).updateCompany
export const upsert = async (on: Client, input: Json): Promise<Json> => (await on.data(upserting, { input })).upsertCompany
export const read = async (on: Client, id: string): Promise<Json> =>
  (await on.data(`query ($id: ID!) { company(id: $id) { ${whole} } }`, { id })).company
export const listed = async (on: Client, args: string): Promise<string[]> =>
  (await on.data(`{ companies(${args}) { nodes { name } } }`)).companies.nodes.map(({ name }: Json) => name)
export const timelineOf = async (on: Client, id: string): Promise<Json[]> =>
  (
    await on.data(
      `query ($id: ID!) { company(id: $id, includeDeleted: true) { timeline { nodes {
         type changes { field before after } event { __typename ... on CompanyCreatedEntry { companyId } }
       } } } }`,
      { id },
    )
  ).company.timeline.nodes

export async function member(app: TestApp): Promise<{ on: Client; userId: string; session: string; orgId: string }> {
  const { session, orgId, userId } = await app.given.session()
  return { on: clientWith(app, { session, orgId }), userId, session, orgId }
}
export const setCurrency = (on: Client, currency: string) =>
  on.data('mutation ($currency: String) { setOrganizationCurrency(input: { currency: $currency }) { currency } }', { currency })
