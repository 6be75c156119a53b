// GraphQL: notes and tasks hang on records. The outputs and inputs that name the record, and the lists of records.

import type { FieldMap, ObjectRef } from '@pothos/core'
import { builder } from '../../../graphql/schema/builder.ts'
import { requireScope } from '../../../kernel/context.ts'
import { type Batch, load } from '../../../kernel/dataloaders.ts'
import { CompanyType } from '../../companies/company.graphql.ts'
import { loadCompanies } from '../../companies/company.ts'
import { ContactType } from '../../contact/contact.graphql.ts'
import { loadContacts } from '../../contact/contact.ts'
import { DealType } from '../../deals/deal.graphql.ts'
import { loadDeals } from '../../deals/deal.ts'
import { type RecordNoun, recordNouns } from '../nouns.ts'
import { idNameOf, type RecordIdName, type RecordIds, type RecordRef } from './ref.ts'

type Types = typeof builder.$inferSchemaTypes
type InputFields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0]
interface Row {
  id: string
}

// `as`: the rows of all three have an id. TypeScript cannot infer resolvers for the union of them.
export const typeOfNoun = { contact: ContactType, company: CompanyType, deal: DealType } as unknown as Readonly<
  Record<RecordNoun, ObjectRef<Types, Row>>
>
export const loaderOfNoun: Readonly<Record<RecordNoun, Batch<string, Row | null>>> = {
  contact: loadContacts,
  company: loadCompanies,
  deal: loadDeals,
}

/** The ids and the records of a row. `is`: what the record is to it, such as `it is about`. */
export function recordRefOutputs<Of extends RecordIds>(given: PothosSchemaTypes.ObjectFieldBuilder<Types, Of>, is: string): FieldMap {
  // `as`: TypeScript cannot infer a resolver's type for the generic row, which has all of these.
  const t = given as unknown as PothosSchemaTypes.ObjectFieldBuilder<Types, RecordIds>
  return Object.fromEntries(
    recordNouns.values.flatMap(noun => {
      const name = idNameOf[noun]
      return [
        [name, t.exposeID(name, { nullable: true, description: `The ${noun} that ${is}, if any.` })],
        [
          noun,
          t.field({
            type: typeOfNoun[noun],
            nullable: true,
            description: `The ${noun} that ${is}, deleted or not. Needs \`contacts:read\`.`,
            resolve(row, _args, context) {
              const id = row[name]
              if (id === null) return null
              requireScope(context, 'contacts:read')
              return load(context, loaderOfNoun[noun], id)
            },
          }),
        ],
      ]
    }),
  )
}

/** The inputs that name the record. */
export const recordRefInputs = (t: InputFields, describe: (noun: RecordNoun) => string) =>
  // Object.fromEntries does not keep the key type; the keys are exactly the names.
  Object.fromEntries(recordNouns.values.map(noun => [idNameOf[noun], t.id({ description: describe(noun) })])) as Record<
    RecordIdName,
    ReturnType<typeof t.id<false>>
  >

/** Defines a field of the types of all records, such as the list of their notes. */
export function fieldOfRecords(
  name: string,
  define: (t: PothosSchemaTypes.ObjectFieldBuilder<Types, Row>, noun: RecordNoun, refOf: (row: Row) => RecordRef) => FieldMap[string],
): void {
  for (const noun of recordNouns.values) builder.objectField(typeOfNoun[noun], name, t => define(t, noun, ({ id }) => ({ noun, id })))
}
