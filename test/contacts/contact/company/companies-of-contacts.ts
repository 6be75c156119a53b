// Shorthands for the tests of contacts and their companies.

import type { Json, TestApp } from '../../../support/app.ts'
import { type Client, clientWith } from '../../client.ts'

const crm = '/api/crm/v1'

const words = 'id companyId companyName companyDomain company { id name domain } version'
/** What a contact says of its company. */
export const wordsOf = ({ companyName, companyDomain, company }: Json) => [companyName, companyDomain, company?.name ?? null]

/** A signed-in owner who writes contacts and companies. */
export async function owner(app: TestApp) {
  const { session, orgId } = await app.given.session()
  const on = clientWith(app, { session, orgId })
  const rest = (method: string, path: string, body?: object) => app.rest(method, `${crm}${path}`, { session, body })
  let number = 0
  return {
    on,
    rest,
    session,
    orgId,
    /** Adds a contact with an address of its own. */
    add: (input: Json = {}): Promise<Json> => on.create({ email: `person${++number}@mail.example`, ...input }, words),
    change: async (id: string, input: Json): Promise<Json> =>
      (await on.data(`mutation ($input: UpdateContactInput!) { updateContact(input: $input) { ${words} } }`, { input: { id, ...input } }))
        .updateContact,
    read: async (id: string): Promise<Json> =>
      (await on.data(`query ($id: ID!) { contact(id: $id, includeDeleted: true) { ${words} } }`, { id })).contact,
    company: async (input: Json): Promise<Json> =>
      (await on.data('mutation ($input: CreateCompanyInput!) { createCompany(input: $input) { id name domain } }', { input }))
        .createCompany,
    companies: () => companiesOf(on),
  }
}

/** All companies with their domains, by name. */
const companiesOf = async (on: Client): Promise<[string, string | null][]> =>
  (await on.data('{ companies(sort: NAME, first: 100) { nodes { name domain } } }')).companies.nodes.map(({ name, domain }: Json) => [
    name,
    domain,
  ])
