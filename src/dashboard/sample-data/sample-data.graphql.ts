// Sample data in the schema.

import { builder } from '../../graphql/schema/builder.ts'
import { OrganizationType } from '../../identity/organizations/organization.graphql.ts'
import { addSampleData, hasSampleData, removeSampleData } from './sample-data.ts'

builder.objectField(OrganizationType, 'hasSampleData', t =>
  t.boolean({
    description: 'Whether it has sample data, or gets some, which `removeSampleData` removes.',
    resolve: ({ id }, _args, context) => hasSampleData(context, id),
  }),
)

builder.mutationFields(t => ({
  addSampleData: t.field({
    type: OrganizationType,
    description:
      'Adds 40 contacts who do not exist to the organization of the request, with their companies, deals, notes, tasks for the caller, a voice agent of the simulator, its calls and suggestions. It costs no credits. Answers when all of it is there, or after four seconds; then the rest follows, and ORGANIZATION_SAMPLE_DATA_ADDED comes at the end. CONFLICT where there is sample data already.',
    authScopes: { role: 'admin' },
    effect: { undoneBy: 'removeSampleData' },
    resolve: (_parent, _args, context) => addSampleData(context),
  }),
  removeSampleData: t.field({
    type: OrganizationType,
    description:
      'Removes the sample data of the organization of the request for good, also while it is being added, with later changes, and with all notes, tasks and calls of its contacts. A contact that was merged with one of your own stays, and so does a company that your own contacts or deals have. CONFLICT where there is none, or while a call to a sample contact is under way.',
    authScopes: { role: 'admin' },
    effect: { overwrites: true },
    resolve: (_parent, _args, context) => removeSampleData(context),
  }),
}))
