// Merges of records for the tests of dry runs: a pair to merge, and a merge to undo.

import type { Json } from '../support/app.ts'
import type { Tried } from './writes.ts'

export type SeededMerges = Awaited<ReturnType<typeof seedMerges>>

export async function seedMerges(post: (path: string, body: Json) => Promise<Json>, ask: (document: string) => Promise<Json>) {
  const add = async (path: string, body: Json) => (await post(path, body)).id as string
  const contact = (email: string) => add('/api/crm/v1/contacts', { email })
  const company = (name: string) => add('/api/crm/v1/companies', { name })
  const [twin, double] = [await contact('twin@example.com'), await contact('double@example.com')]
  const [twinCompany, doubleCompany] = [await company('Twin'), await company('Double')]
  const { contacts, companies } = await ask(`mutation {
    contacts: mergeContacts(input: { winnerId: "${twin}", loserId: "${double}" }) { mergeId }
    companies: mergeCompanies(input: { winnerId: "${twinCompany}", loserId: "${doubleCompany}" }) { mergeId } }`)
  return { twin, merge: contacts.mergeId as string, twinCompany, companyMerge: companies.mergeId as string }
}

export const mergeWrites = (ids: SeededMerges & { contact: string; company: string }): Record<string, Tried | null> => ({
  dismissDuplicate: [`{ contactId: "${ids.contact}", otherId: "${ids.twin}" }`, '{ id }'],
  dismissCompanyDuplicate: [`{ companyId: "${ids.company}", otherId: "${ids.twinCompany}" }`, '{ id }'],
  mergeContacts: [`{ winnerId: "${ids.contact}", loserId: "${ids.twin}" }`, '{ winner { id } }'],
  undoMerge: [`{ mergeId: "${ids.merge}" }`, '{ undoneAt }'],
  mergeCompanies: [`{ winnerId: "${ids.company}", loserId: "${ids.twinCompany}" }`, '{ winner { id } }'],
  // Tools run them: test/mcp/merges.test.ts.
  ...{ mergeRecords: null, undoMergeOfRecords: null, dismissDuplicateOfRecord: null },
  undoCompanyMerge: [`{ mergeId: "${ids.companyMerge}" }`, '{ undoneAt }'],
})

export const mergeRequests = ({ twin, twinCompany }: SeededMerges) => ({
  'POST /api/crm/v1/contacts/{contact_id}/merge': { body: { loser_id: twin } },
  'POST /api/crm/v1/contacts/{contact_id}/duplicates/dismiss': { body: { other_id: twin } },
  'POST /api/crm/v1/merges/{merge_id}/undo': {},
  'POST /api/crm/v1/companies/{company_id}/duplicates/dismiss': { body: { other_id: twinCompany } },
  'POST /api/crm/v1/companies/{company_id}/merge': { body: { loser_id: twinCompany } },
  'POST /api/crm/v1/company-merges/{merge_id}/undo': {},
})
