// GraphQL: the ids that records, notes and tasks have in other systems.

import type { ObjectRef } from '@pothos/core'
import { builder } from '../../graphql/schema/builder.ts'
import { load } from '../../kernel/dataloaders.ts'
import { CompanyType } from '../companies/company.graphql.ts'
import { ContactType } from '../contact/contact.graphql.ts'
import { DealType } from '../deals/deal.graphql.ts'
import { NoteType } from '../notes/note.graphql.ts'
import { ContactTaskType } from '../tasks/task.graphql.ts'
import { type Holder, holderNouns } from './external-id.sql.ts'
import { externalIdLoaders } from './external-id.ts'

type Types = typeof builder.$inferSchemaTypes
// `as`: the rows of all of them have an id. TypeScript cannot infer resolvers for the union of them.
const typeOf = {
  ...{ contact: ContactType, company: CompanyType, deal: DealType, note: NoteType, task: ContactTaskType },
} as unknown as Readonly<Record<Holder, ObjectRef<Types, { id: string }>>>

for (const noun of holderNouns)
  builder.objectField(typeOf[noun], 'externalIds', t =>
    t.field({
      type: 'JSONObject',
      description: `The ids that the ${noun} has in the systems it was imported from: \`{ "hubspot": "901" }\`.`,
      resolve: ({ id }, _args, context) => load(context, externalIdLoaders[noun], id),
    }),
  )
