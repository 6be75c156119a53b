// GraphQL: the mutation that writes a batch of contacts.

import { builder, checkWith } from '../../../graphql/schema/builder.ts'
import { RowErrorType } from '../../../graphql/schema/error.graphql.ts'
import { load, withOwnLoader } from '../../../kernel/dataloaders.ts'
import { problemsOfContacts } from '../check.ts'
import { ContactType, CreateContactInput, OnConflictEnum, WriteOutcomeEnum } from '../contact.graphql.ts'
import { loadContacts } from '../contact.ts'
import type { ContactInput } from '../input.ts'
import { type BatchResult, batchContacts, maxRows } from './batch.ts'
import type { RowResult } from './existing.ts'

/** A result row with the dataloader of its batch. */
interface WrittenRow extends RowResult {
  written: typeof loadContacts
}

const BatchResultType = builder.objectRef<WrittenRow>('BatchContactResult').implement({
  description: 'Result of a row of a batch.',
  fields: t => ({
    index: t.exposeInt('index', { description: 'Its place in the input, from 0.' }),
    outcome: t.expose('outcome', { type: WriteOutcomeEnum, description: 'The outcome.' }),
    contactId: t.exposeID('id', { nullable: true, description: 'The contact; of a row that failed the one in its way, if there is one.' }),
    contact: t.field({
      type: ContactType,
      nullable: true,
      description: 'The contact as it is now; null for a row that failed.',
      resolve: ({ outcome, id, written }, _args, context) => (outcome === 'failed' || id === null ? null : load(context, written, id)),
    }),
    error: t.expose('error', { type: RowErrorType, nullable: true, description: 'Why it failed; null when it did not.' }),
  }),
})

const BatchContactsPayload = builder.objectRef<BatchResult>('BatchContactsPayload').implement({
  description: 'Result of a batch.',
  fields: t => ({
    results: t.field({
      type: [BatchResultType],
      description: 'Row by row, in the order of the input.',
      resolve({ results }) {
        const written = withOwnLoader(loadContacts)
        return results.map(row => ({ ...row, written }))
      },
    }),
    succeeded: t.exposeInt('succeeded', { description: 'Rows added, changed or skipped.' }),
    failed: t.exposeInt('failed', { description: 'Rows that failed.' }),
  }),
})

const BatchContactsInput = builder.inputType('BatchContactsInput', {
  description: 'Contacts to add or change.',
  fields: t => ({
    contacts: t.field({
      type: [CreateContactInput],
      required: true,
      description: '1 to 100 contacts.',
      extensions: { minItems: 1, maxItems: maxRows },
    }),
    onConflict: t.field({ type: OnConflictEnum, description: 'Action for a row whose contact exists. Default: the row fails.' }),
    atomic: t.boolean({ defaultValue: false, description: 'All rows or none: the first failure undoes the batch and is its error.' }),
  }),
})

builder.mutationField('batchContacts', t =>
  t.field({
    type: BatchContactsPayload,
    description: 'Adds or changes up to 100 contacts. A row that fails leaves the others alone, unless the batch is atomic.',
    authScopes: { scope: 'contacts:write' },
    effect: {
      overwrites: true,
      undoneBy: 'deleteContact for a row that was added, updateContact with the former values for one that was changed',
    },
    extensions: checkWith(async ({ input }: { input: { contacts?: ContactInput[] } }, context) => {
      const rows = await problemsOfContacts(context, input.contacts ?? [])
      return rows.flatMap((problems, index) => problems.map(problem => ({ ...problem, path: ['contacts', index, ...problem.path] })))
    }),
    args: { input: t.arg({ type: BatchContactsInput, required: true, description: 'The contacts.' }) },
    resolve: (_parent, { input: { contacts, ...options } }, context) => batchContacts(context, contacts, options),
  }),
)
