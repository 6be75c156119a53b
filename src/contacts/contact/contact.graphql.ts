// GraphQL: the Contact type, the query for one contact, and the mutations.

import { builder, byId, checkWith, inputOfId } from '../../graphql/schema/builder.ts'
import { inputFields, outputFields } from '../../graphql/schema/fields.graphql.ts'
import { readsProperty, selected } from '../../graphql/schema/lists/selection.graphql.ts'
import { Node } from '../../graphql/schema/node.graphql.ts'
import { noun } from '../../graphql/schema/noun.graphql.ts'
import { together } from '../../kernel/batching/together.ts'
import { tag } from '../records/fields.ts'
import { recordOutputs } from '../records/record.graphql.ts'
import { searchContacts } from '../search/search.ts'
import { addressChanges, addressInputs, addressOutputs } from './addresses/fields.graphql.ts'
import { problemsOfContacts } from './check.ts'
import { deleteContact, getContact, loadContacts, restoreContact, updateContact } from './contact.ts'
import type { ContactPatch } from './input.ts'
import { isCallable } from './phone.ts'
import { contactFieldTable, type ListedContact } from './row.ts'
import { type Written, writeContacts } from './write.ts'

export const ContactType = builder.objectRef<ListedContact>('Contact').implement({
  description: 'A person the organization knows.',
  interfaces: [Node],
  fields: t => ({
    id: t.exposeID('id', { description: 'A UUIDv7: ids sort by time of creation.' }),
    orgId: t.exposeID('orgId', { description: 'The organization it belongs to.' }),
    ...outputFields(t, contactFieldTable),
    phoneCallable: t.boolean({
      nullable: true,
      description: 'Whether the number can be called, which needs its country; null without a number.',
      extensions: readsProperty('phone'),
      resolve(contact) {
        const phone = selected('phone')(contact)
        return phone === null ? null : isCallable(phone)
      },
    }),
    ...addressOutputs(t),
    ...recordOutputs(t, 'contact'),
  }),
})

builder.queryFields(t => ({
  contact: t.field({
    type: ContactType,
    nullable: true,
    description: 'A contact; null with NOT_FOUND for one that is deleted or does not exist.',
    authScopes: { scope: 'contacts:read' },
    args: {
      ...byId,
      includeDeleted: t.arg.boolean({ defaultValue: false, description: 'Finds it deleted as well; `deletedAt` says so.' }),
    },
    resolve: (_parent, { id, includeDeleted }, context) => getContact(context, id, { evenDeleted: includeDeleted ?? false }),
  }),
}))

export const OnConflictEnum = builder.enumType('OnConflict', {
  description:
    'Action for an input whose record exists: a live contact with its email address, or a live company with its domain or external id.',
  values: {
    UPDATE: { value: 'update', description: 'It changes that record.' },
    SKIP: { value: 'skip', description: 'It changes nothing.' },
  } as const,
})

export const WriteOutcomeEnum = builder.enumType('WriteOutcome', {
  description: 'Outcome of an input.',
  values: {
    CREATED: { value: 'created', description: 'It was added.' },
    UPDATED: { value: 'updated', description: 'The record is now as the input says.' },
    SKIPPED: { value: 'skipped', description: 'It exists, and was left as it is.' },
    FAILED: { value: 'failed', description: 'Nothing was written, for the reason given.' },
  } as const,
})

export const CreateContactInput = builder.inputType('CreateContactInput', {
  description: 'A contact to add. Where it changes one that exists, an absent field stays as it is, and null clears it.',
  fields: t => ({ ...inputFields(t, contactFieldTable), ...addressInputs(t) }),
})

const UpsertContactInput = builder.inputType('UpsertContactInput', {
  description: 'A contact to add or change. In one that exists an absent field stays as it is, and null clears it.',
  fields: t => ({
    onConflict: t.field({ type: OnConflictEnum, defaultValue: 'update', description: 'Action where it exists.' }),
    ...inputFields(t, contactFieldTable),
    ...addressInputs(t),
  }),
})

const UpdateContactInput = builder.inputType('UpdateContactInput', {
  description: 'The changes: an absent field stays as it is, null clears it.',
  fields: t => ({
    id: t.id({ required: true, description: 'Its id.' }),
    ifVersion: t.int({ description: 'Changes this version only; PRECONDITION_FAILED for another.' }),
    ...inputFields(t, contactFieldTable),
    ...addressInputs(t),
    ...addressChanges(t),
    addTags: t.stringList({ description: 'Tags to add.', extensions: { maxLength: tag.maxLength } }),
    removeTags: t.stringList({ description: 'Tags to remove.', extensions: { maxLength: tag.maxLength } }),
  }),
})

const DeleteContactInput = builder.inputType('DeleteContactInput', {
  description: 'A contact to delete.',
  fields: t => ({
    id: t.id({ required: true, description: 'Its id.' }),
    ifVersion: t.int({ description: 'Deletes this version only; PRECONDITION_FAILED for another.' }),
  }),
})

const UpsertContactPayload = builder.objectRef<Written>('UpsertContactPayload').implement({
  description: 'A contact added or changed.',
  fields: t => ({
    contact: t.expose('contact', { type: ContactType, description: 'As it is now.' }),
    outcome: t.expose('outcome', { type: WriteOutcomeEnum, description: 'The outcome.' }),
  }),
})

const checksContact = checkWith(async ({ input }: { input: ContactPatch }, context) => (await problemsOfContacts(context, [input])).flat())

builder.mutationFields(t => ({
  createContact: t.field({
    type: ContactType,
    description: 'Adds a contact. ALREADY_EXISTS with `existingId` where a live contact has the email address.',
    authScopes: { scope: 'contacts:write' },
    // Batched, because it inserts two rows and waits for no lock.
    effect: { undoneBy: 'deleteContact' },
    extensions: { isBatched: true, ...checksContact },
    args: { input: t.arg({ type: CreateContactInput, required: true, description: 'The contact.' }) },
    async resolve(_parent, { input }, context) {
      const { contact } = await together(context, writeContacts, { contact: input, onConflict: null })
      return contact
    },
  }),
  upsertContact: t.field({
    type: UpsertContactPayload,
    description: 'Adds a contact, or changes the live one with the same email address. A deleted one stays deleted.',
    authScopes: { scope: 'contacts:write' },
    effect: {
      overwrites: true,
      undoneBy: 'deleteContact where it was added, updateContact with the former values where it was changed',
      isIdempotent: true,
    },
    extensions: checksContact,
    args: { input: t.arg({ type: UpsertContactInput, required: true, description: 'The contact. `email` is required.' }) },
    resolve: (_parent, { input: { onConflict, ...contact } }, context) =>
      together(context, writeContacts, { contact, onConflict: onConflict ?? 'update' }),
  }),
  updateContact: t.field({
    type: ContactType,
    description: 'Changes a contact.',
    authScopes: { scope: 'contacts:write' },
    effect: { overwrites: true, undoneBy: 'updateContact with the former values, which the timeline has', isIdempotent: true },
    extensions: checksContact,
    args: { input: t.arg({ type: UpdateContactInput, required: true, description: 'The changes.' }) },
    resolve: (_parent, { input: { id, ifVersion, ...changes } }, context) => updateContact(context, id, changes, ifVersion),
  }),
  deleteContact: t.field({
    type: ContactType,
    description: 'Deletes a contact. `restoreContact` brings it back.',
    authScopes: { scope: 'contacts:write' },
    effect: { overwrites: true, undoneBy: 'restoreContact', isIdempotent: true },
    args: { input: t.arg({ type: DeleteContactInput, required: true, description: 'A contact to delete.' }) },
    resolve: (_parent, { input: { id, ifVersion } }, context) => deleteContact(context, id, ifVersion),
  }),
  restoreContact: t.field({
    type: ContactType,
    description: 'Brings a deleted contact back. ALREADY_EXISTS where another contact has its email address now.',
    authScopes: { scope: 'contacts:write' },
    effect: { overwrites: true, undoneBy: 'deleteContact', isIdempotent: true },
    args: inputOfId('RestoreContactInput', 'A contact to bring back.'),
    resolve: (_parent, { input }, context) => restoreContact(context, input.id),
  }),
}))

noun('contact', ContactType, {
  scope: 'contacts:read',
  load: loadContacts,
  isInTimelines: true,
  search: { description: 'Contacts, by name, email address, phone number and company', find: searchContacts },
  rank: 1,
})
