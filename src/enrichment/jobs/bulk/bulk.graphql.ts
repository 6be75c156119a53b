// GraphQL: enrichment of many contacts.

import { ContactBulkChangeType, selectionFields } from '../../../contacts/bulk/nouns/contacts.graphql.ts'
import { builder } from '../../../graphql/schema/builder.ts'
import { enrichInBulk } from './bulk.ts'

const EnrichInput = builder.inputType('EnrichContactsInBulkInput', {
  description: 'Which contacts to enrich.',
  fields: t => ({ ...selectionFields(t), recipe: t.string({ description: 'The recipe. Default: the recipe for contacts.' }) }),
})

builder.mutationField('enrichContactsInBulk', t =>
  t.field({
    type: ContactBulkChangeType,
    description:
      'Queues enrichment of many contacts, a job for each as `enqueueEnrichment` does. It waits while the queue of the organization is full, and fails where credits do not suffice. Needs `contacts:read` as well.',
    authScopes: { scope: 'enrich:write' },
    effect: {
      undoneBy: 'cancelContactBulkChange while it runs, cancelEnrichmentJob for a job that is open',
      reachesOutside: true,
      cost: { setting: null, per: 'job: the price of its recipe is reserved, and charged for the steps that find something' },
    },
    args: { input: t.arg({ type: EnrichInput, required: true, description: 'Which contacts.' }) },
    resolve: (_parent, { input }, context) => enrichInBulk(context, input),
  }),
)
