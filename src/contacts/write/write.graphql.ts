// GraphQL: the mutations that write a contact.

import { builder, checkedBy, inputOfId } from '../../graphql/schema/builder.ts'
import { ContactSourceEnum, ContactType, LifecycleStageEnum } from '../contact/contact.graphql.ts'
import { createContact, deleteContact, restoreContact, updateContact, upsertContact, type Written } from '../contact/contact.ts'
import { problemsOfContacts } from './check.ts'
import type { ContactPatch } from './input.ts'

export const OnConflictEnum = builder.enumType('OnConflict', {
  description: 'What happens to an input whose e-mail address a live contact has.',
  values: {
    UPDATE: { value: 'update', description: 'It changes that contact.' },
    SKIP: { value: 'skip', description: 'It changes nothing.' },
  } as const,
})

export const WriteOutcomeEnum = builder.enumType('WriteOutcome', {
  description: 'What became of an input.',
  values: {
    CREATED: { value: 'created', description: 'A contact was added.' },
    UPDATED: { value: 'updated', description: 'A contact now is as the input says.' },
    SKIPPED: { value: 'skipped', description: 'A contact with the address exists and was left as it is.' },
    FAILED: { value: 'failed', description: 'Nothing was written, for the reason given.' },
  } as const,
})

type InputFields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0]

const contactFields = (t: InputFields) => ({
  email: t.string({ description: 'At most 320 characters. Unique among live contacts, without regard to case.' }),
  firstName: t.string({ description: 'At most 200 characters.' }),
  lastName: t.string({ description: 'At most 200 characters.' }),
  fullName: t.string({ description: 'Default: first and last name.' }),
  phone: t.string({ description: 'Digits, spaces and `+().-`. International numbers (`+...`) are stored in E.164.' }),
  jobTitle: t.string({ description: 'At most 200 characters.' }),
  companyName: t.string({ description: 'At most 200 characters.' }),
  companyDomain: t.string({ description: 'A domain; a web address is cut down to it.' }),
  linkedinUrl: t.string({ description: 'An http or https address.' }),
  city: t.string({ description: 'At most 200 characters.' }),
  region: t.string({ description: 'At most 200 characters.' }),
  country: t.string({ description: 'ISO 3166-1 alpha-2, such as DE.' }),
  timezone: t.string({ description: 'IANA time zone, such as Europe/Berlin.' }),
  avatarUrl: t.string({ description: 'An http or https address.' }),
  lifecycleStage: t.field({ type: LifecycleStageEnum, description: 'Default: SUBSCRIBER.' }),
  source: t.field({ type: ContactSourceEnum, description: 'Default: API for API keys, WEB for sessions, and so on.' }),
  ownerUserId: t.id({ description: 'A member of the organization.' }),
  tags: t.stringList({ description: 'All tags: at most 50, of at most 64 characters each.' }),
  custom: t.field({ type: 'JSONObject', description: 'Custom fields by key. Others stay as they are; null removes one.' }),
  doNotCall: t.boolean({ description: 'The contact must not be called. Default: false.' }),
  externalId: t.id({ description: "The contact's id in another system, at most 255 characters." }),
  lastContactedAt: t.field({ type: 'DateTime', description: 'When somebody last spoke with the contact.' }),
})

export const CreateContactInput = builder.inputType('CreateContactInput', {
  description: 'A contact to add. Where it changes one that exists, an absent field stays as it is, and null clears it.',
  fields: contactFields,
})

const UpsertContactInput = builder.inputType('UpsertContactInput', {
  description: 'A contact to add or change. In one that exists an absent field stays as it is, and null clears it.',
  fields: t => ({
    onConflict: t.field({ type: OnConflictEnum, defaultValue: 'update', description: 'What to do where it exists.' }),
    ...contactFields(t),
  }),
})

const UpdateContactInput = builder.inputType('UpdateContactInput', {
  description: 'What to change: an absent field stays as it is, null clears it.',
  fields: t => ({
    id: t.id({ required: true, description: 'Its id.' }),
    ifVersion: t.int({ description: 'Changes this version only; PRECONDITION_FAILED for another.' }),
    ...contactFields(t),
    addTags: t.stringList({ description: 'Tags to add.' }),
    removeTags: t.stringList({ description: 'Tags to remove.' }),
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
    outcome: t.expose('outcome', { type: WriteOutcomeEnum, description: 'What was done.' }),
  }),
})

const checksContact = checkedBy(async ({ input }: { input: ContactPatch }, context) => (await problemsOfContacts(context, [input])).flat())

builder.mutationFields(t => ({
  createContact: t.field({
    type: ContactType,
    description: 'Adds a contact. ALREADY_EXISTS with `existingId` where a live contact has the e-mail address.',
    authScopes: { scope: 'contacts:write' },
    // Batched, because it inserts two rows and waits for no lock.
    effect: { undoneBy: 'deleteContact' },
    extensions: { isBatched: true, ...checksContact },
    args: { input: t.arg({ type: CreateContactInput, required: true, description: 'The contact.' }) },
    resolve: (_parent, { input }, context) => createContact(context, input),
  }),
  upsertContact: t.field({
    type: UpsertContactPayload,
    description: 'Adds a contact, or changes the live one with the same e-mail address. A deleted one stays deleted.',
    authScopes: { scope: 'contacts:write' },
    effect: {
      overwrites: true,
      undoneBy: 'deleteContact where it was added, updateContact with the former values where it was changed',
      isIdempotent: true,
    },
    extensions: checksContact,
    args: { input: t.arg({ type: UpsertContactInput, required: true, description: 'The contact. `email` is required.' }) },
    resolve: (_parent, { input: { onConflict, ...contact } }, context) => upsertContact(context, contact, onConflict ?? 'update'),
  }),
  updateContact: t.field({
    type: ContactType,
    description: 'Changes a contact.',
    authScopes: { scope: 'contacts:write' },
    effect: { overwrites: true, undoneBy: 'updateContact with the former values, which the timeline has', isIdempotent: true },
    extensions: checksContact,
    args: { input: t.arg({ type: UpdateContactInput, required: true, description: 'What to change.' }) },
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
    description: 'Brings a deleted contact back. ALREADY_EXISTS where another has its e-mail address by now.',
    authScopes: { scope: 'contacts:write' },
    effect: { overwrites: true, undoneBy: 'deleteContact', isIdempotent: true },
    args: inputOfId('RestoreContactInput', 'A contact to bring back.'),
    resolve: (_parent, { input }, context) => restoreContact(context, input.id),
  }),
}))
