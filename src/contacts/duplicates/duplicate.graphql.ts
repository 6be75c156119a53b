// GraphQL: records that may be the same. Each noun has types, queries and a mutation of its own.

import type { ObjectRef } from '@pothos/core'
import { builder } from '../../graphql/schema/builder.ts'
import { connectionOf } from '../../graphql/schema/lists/connection.graphql.ts'
import { capitalized } from '../../kernel/input/case.ts'
import { defaultPageSize, maxPageSize } from '../../kernel/lists/pagination.ts'
import { CompanyType } from '../companies/company.graphql.ts'
import type { Company } from '../companies/row.ts'
import { ContactType } from '../contact/contact.graphql.ts'
import type { Contact } from '../contact/row.ts'
import type { MergedNoun } from '../merge/move.sql.ts'
import { companyDuplicates } from './companies.ts'
import { contactDuplicates } from './contacts.ts'
import type { Duplicates } from './duplicates.ts'
import { type DuplicatePair, type DuplicateReason, duplicateReasons } from './pair.ts'

const DuplicateReasonEnum = builder.enumType('DuplicateReason', {
  description: 'Why two records may be the same.',
  values: Object.fromEntries(
    Object.entries(duplicateReasons).map(([reason, description]) => [
      reason.toUpperCase(),
      { value: reason as DuplicateReason, description },
    ]),
  ),
})

interface NounWithDuplicates<Row extends object> {
  type: ObjectRef<typeof builder.$inferSchemaTypes, Row>
  duplicates: Duplicates<Row>
  /** Of types and fields. */
  names: { pair: string; list: string; of: string; dismiss: string }
  plural: string
  /** Such as `the same person`. */
  same: string
  /** The pairs of the list, in their order, in words. */
  pairs: string
}

/** Puts the duplicates of a noun on the schema. Returns the type of pairs. */
function duplicatesOfNoun<Row extends object>(noun: MergedNoun, given: NounWithDuplicates<Row>) {
  const { duplicates, names, plural, same } = given
  // `as`: TypeScript cannot infer resolvers for a generic row, which is an object of this type.
  const Type = given.type as unknown as ObjectRef<typeof builder.$inferSchemaTypes, object>
  const idName = `${noun}Id`

  const PairType = builder.objectRef<DuplicatePair<Row>>(names.pair).implement({
    description: `Two ${plural} that may be ${same}.`,
    fields: t => ({
      [noun]: t.field({ type: Type, description: 'The one that was added first.', resolve: ({ first }) => first }),
      duplicate: t.field({ type: Type, description: 'The other one.', resolve: ({ duplicate }) => duplicate }),
      reasons: t.field({
        type: [DuplicateReasonEnum],
        description: 'Their shared properties, the surest first.',
        resolve: ({ reasons }) => reasons,
      }),
      score: t.float({ description: 'How sure that is, 0 to 1.', resolve: ({ score }) => score }),
    }),
  })
  const PairConnection = connectionOf(names.pair, `pairs of ${plural} that may be ${same}`, PairType)

  builder.queryFields(t => ({
    [names.list]: t.field({
      type: PairConnection,
      description: `Pairs of live ${plural} with ${given.pairs}. Dismissed pairs, and pairs whose shared value more than 20 ${plural} have, are left out.`,
      authScopes: { scope: 'contacts:read' },
      args: {
        first: t.arg.int({ description: `Entries of the page, 1 to ${maxPageSize}. Default: ${defaultPageSize}.` }),
        after: t.arg.string({ description: 'The `endCursor` of the page before.' }),
      },
      resolve: (_root, args, context) => duplicates.list(context, args),
    }),
    [names.of]: t.field({
      type: PairConnection,
      nullable: true,
      description: `${capitalized(plural)} that may be ${same} as a ${noun}, by similar names too: the surest first, at most 20. Null with NOT_FOUND for one that is deleted or does not exist.`,
      authScopes: { scope: 'contacts:read' },
      extensions: { complexity: 20 },
      args: { [idName]: t.arg.id({ required: true, description: `The ${noun}'s id.` }) },
      resolve: (_root, args, context) => duplicates.of(context, String(args[idName])),
    }),
  }))

  const DismissInput = builder.inputType(`${capitalized(names.dismiss)}Input`, {
    description: `Two ${plural} that are not ${same}.`,
    fields: t => ({
      [idName]: t.id({ required: true, description: `One ${noun}.` }),
      otherId: t.id({ required: true, description: 'The other one.' }),
    }),
  })
  builder.mutationFields(t => ({
    [names.dismiss]: t.field({
      type: Type,
      description: `Remembers that two ${plural} are not ${same}, so that they are not found as duplicates again. Answers the first.`,
      authScopes: { scope: 'contacts:write' },
      effect: { isIdempotent: true },
      args: { input: t.arg({ type: DismissInput, required: true, description: `The two ${plural}.` }) },
      // `as`: the input has both ids.
      resolve: (_root, { input }, context) => {
        const ids = input as Record<string, string>
        return duplicates.dismiss(context, ids[idName] ?? '', ids.otherId ?? '')
      },
    }),
  }))
  return PairType
}

const ContactPair = duplicatesOfNoun<Contact>('contact', {
  type: ContactType as unknown as ObjectRef<typeof builder.$inferSchemaTypes, Contact>,
  duplicates: contactDuplicates,
  names: { pair: 'DuplicatePair', list: 'findDuplicates', of: 'duplicatesOf', dismiss: 'dismissDuplicate' },
  plural: 'contacts',
  same: 'the same person',
  pairs: 'the same mailbox, then with the same telephone number, then with the same name and company',
})

const CompanyPair = duplicatesOfNoun<Company>('company', {
  type: CompanyType as unknown as ObjectRef<typeof builder.$inferSchemaTypes, Company>,
  duplicates: companyDuplicates,
  names: {
    ...{ pair: 'CompanyDuplicatePair', list: 'findCompanyDuplicates', of: 'companyDuplicatesOf', dismiss: 'dismissCompanyDuplicate' },
  },
  plural: 'companies',
  same: 'the same company',
  pairs: 'the same domain or website, then with the same telephone number, then with the same name',
})

/** The types of pairs of records that may be the same, by noun. */
export const pairTypes = { contact: ContactPair, company: CompanyPair } satisfies Record<MergedNoun, unknown>
