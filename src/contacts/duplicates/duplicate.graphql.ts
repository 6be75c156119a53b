// GraphQL: contacts that may be the same person.

import { builder } from '../../graphql/schema/builder.ts'
import { connectionOf } from '../../graphql/schema/lists/connection.graphql.ts'
import { defaultPageSize, maxPageSize } from '../../kernel/lists/pagination.ts'
import { ContactType } from '../contact/contact.graphql.ts'
import { dismissDuplicate } from './dismiss.ts'
import { duplicatesOf, listDuplicates } from './list.ts'
import { type DuplicatePair, type DuplicateReason, duplicateReasons } from './pair.ts'

const DuplicateReasonEnum = builder.enumType('DuplicateReason', {
  description: 'Why two contacts may be the same person.',
  values: Object.fromEntries(
    Object.entries(duplicateReasons).map(([reason, description]) => [
      reason.toUpperCase(),
      { value: reason as DuplicateReason, description },
    ]),
  ),
})

const DuplicatePairType = builder.objectRef<DuplicatePair>('DuplicatePair').implement({
  description: 'Two contacts that may be the same person.',
  fields: t => ({
    contact: t.expose('contact', { type: ContactType, description: 'The one that was added first.' }),
    duplicate: t.expose('duplicate', { type: ContactType, description: 'The other one.' }),
    reasons: t.expose('reasons', { type: [DuplicateReasonEnum], description: 'Their shared properties, the surest first.' }),
    score: t.exposeFloat('score', { description: 'How sure that is, 0 to 1.' }),
  }),
})

const DuplicatePairConnection = connectionOf('DuplicatePair', 'pairs of contacts that may be the same person', DuplicatePairType)

builder.queryFields(t => ({
  findDuplicates: t.field({
    type: DuplicatePairConnection,
    description:
      'Pairs of live contacts with the same mailbox, then with the same telephone number, then with the same name and company. Dismissed pairs, and pairs whose shared value more than 20 contacts have, are left out.',
    authScopes: { scope: 'contacts:read' },
    args: {
      first: t.arg.int({ description: `Entries of the page, 1 to ${maxPageSize}. Default: ${defaultPageSize}.` }),
      after: t.arg.string({ description: 'The `endCursor` of the page before.' }),
    },
    resolve: (_root, args, context) => listDuplicates(context, args),
  }),
  duplicatesOf: t.field({
    type: DuplicatePairConnection,
    nullable: true,
    description:
      'Contacts that may be the same person as a contact, by similar names too: the surest first, at most 20. Null with NOT_FOUND for one that is deleted or does not exist.',
    authScopes: { scope: 'contacts:read' },
    extensions: { complexity: 20 },
    args: { contactId: t.arg.id({ required: true, description: "The contact's id." }) },
    resolve: (_root, { contactId }, context) => duplicatesOf(context, contactId),
  }),
}))

const DismissDuplicateInput = builder.inputType('DismissDuplicateInput', {
  description: 'Two contacts that are not the same person.',
  fields: t => ({
    contactId: t.id({ required: true, description: 'One contact.' }),
    otherId: t.id({ required: true, description: 'The other one.' }),
  }),
})

builder.mutationField('dismissDuplicate', t =>
  t.field({
    type: ContactType,
    description: 'Remembers that two contacts are not the same person, so that they are not found as duplicates again. Answers the first.',
    authScopes: { scope: 'contacts:write' },
    effect: { isIdempotent: true },
    args: { input: t.arg({ type: DismissDuplicateInput, required: true, description: 'The two contacts.' }) },
    resolve: (_root, { input }, context) => dismissDuplicate(context, input),
  }),
)
