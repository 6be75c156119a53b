// The root fields of other doors.

import { nouns, oneOf } from '../../support/nouns.ts'
import { mergesOfTools } from './merge-principals.ts'

const id = '019a0000-0000-7000-8000-000000000000'

/** What only other doors run: backends and telephone providers by REST, and signing in. Nobody's document may name it. */
export const ofOtherDoors: Record<string, string> = {
  'Query.changedEntity': `{ changedEntity(entity: "contact", id: "${id}") { __typename } }`,
  'Query.companyContacts': `{ companyContacts(id: "${id}") { __typename } }`,
  'Query.contactTimeline': `{ contactTimeline(id: "${id}") { __typename } }`,
  ...Object.fromEntries(
    nouns.flatMap(noun =>
      noun.upsert ? [[`Query.${oneOf(noun)}Timeline`, `{ ${oneOf(noun)}Timeline(id: "${id}") { __typename } }`] as const] : [],
    ),
  ),
  ...mergesOfTools,
  'Mutation.adjustCredits': 'mutation { adjustCredits(input: { userId: "x", amount: 0, reference: "" }) { amount } }',
  'Mutation.continueCall': 'mutation { continueCall(input: { provider: "twilio", path: "", headers: {}, body: "" }) { xml } }',
  'Mutation.createSession': 'mutation { createSession { userId } }',
  'Mutation.deductCredits': 'mutation { deductCredits(input: { userId: "x", amount: 0 }) { amount } }',
  'Mutation.grantCredits': 'mutation { grantCredits(input: { userId: "x", amount: 0 }) { grant { id } } }',
  'Mutation.recordProviderEvent':
    'mutation { recordProviderEvent(input: { provider: "simulator", path: "", headers: {}, body: "" }) { outcome } }',
  'Mutation.voidCreditGrant': `mutation { voidCreditGrant(input: { id: "${id}" }) { id } }`,
}
