// The endpoints of contacts themselves.

import { z } from 'zod'
import {
  BatchContactsDocument,
  type ContactSource,
  CreateContactDocument,
  DeleteContactDocument,
  GetContactDocument,
  type LifecycleStage,
  ListContactsDocument,
  ListContactTimelineDocument,
  type OnConflict,
  RestoreContactDocument,
  UpdateContactDocument,
  UpsertContactDocument,
} from '../../../generated/operations.ts'
import { derivedRoute } from '../../router/derived.ts'
import { developers, type Route, route } from '../../router/route.ts'
import { examples } from '../examples.ts'
import { anyOf, enumOf, filterText, oneText, pageOf, time, total, yesOrNo } from '../inputs.ts'

const contacts = '/api/crm/v1/contacts'
const contact = `${contacts}/{contact_id}` as const
const changing = 'the contact is being changed by others at this moment'
const taken = 'another contact has this email; `existing_id` says which'
const aContact = { role: 'api', tag: 'Contacts', callers: developers } as const

const described = {
  lifecycle_stage: 'How far the contact has come. A new one is a subscriber unless said otherwise.',
  source: 'Where the contact came from. Unless given, who asks decides: `api` for an API key.',
}
const newContact = { name: 'NewContact', required: ['email'], neverNull: ['source'], described } as const

const contactSorts = {
  created_at: 'created_at',
  '-created_at': 'created_at_desc',
  updated_at: 'updated_at',
  '-updated_at': 'updated_at_desc',
  last_name: 'last_name',
  '-last_name': 'last_name_desc',
  email: 'email',
  '-email': 'email_desc',
  stage: 'stage',
  '-stage': 'stage_desc',
} as const
// Object.keys does not keep the key type; the keys are exactly these.
const contactSortNames = Object.keys(contactSorts) as (keyof typeof contactSorts)[]

/** `-created_at` is newest first; the GraphQL schema has an enum value for it. */
export const contactSort = z
  .enum(contactSortNames)
  .transform(sort => contactSorts[sort])
  .meta({ title: 'ContactOrder', unlessGiven: '-created_at' })

export const contactFilter = {
  q: filterText(200),
  email: filterText(320),
  phone: filterText(64),
  lifecycle_stage: anyOf(enumOf<LifecycleStage>('LifecycleStage')),
  source: anyOf(enumOf<ContactSource>('ContactSource')),
  tag: anyOf(oneText(64)),
  owner_user_id: anyOf(oneText(255)),
  company_id: anyOf(oneText(64)),
  import_id: oneText(64).optional().meta({ description: 'Added or changed by this import of a file.' }),
  created_since: time.optional(),
  updated_since: time.optional(),
  include_deleted: yesOrNo().optional(),
  only_deleted: yesOrNo().optional(),
}

/** The action of a create when a contact with the email exists. */
const onConflict = enumOf<OnConflict>('OnConflict').meta({
  description: 'Action when the email is taken: update the contact that has it, or answer with it as it is.',
})

export const contactRoutes: readonly Route[] = [
  route('GET', contacts, ListContactsDocument, {
    ...aContact,
    summary: 'List contacts',
    description: 'Newest first unless sorted otherwise. Filters combine with "and", the values of one with "or".',
    scope: 'contacts:read',
    query: z.strictObject({
      ...pageOf,
      sort: contactSort.optional(),
      include: total,
      ...contactFilter,
    }),
    examples: { answer: examples.contactPage },
  }),
  derivedRoute('POST', contacts, CreateContactDocument, {
    ...aContact,
    summary: 'Create a contact',
    description: 'An email that a contact of the organization has already is 409, or with `on_conflict` updates or returns that contact.',
    scope: 'contacts:write',
    query: z.strictObject({ on_conflict: onConflict.optional() }),
    takes: newContact,
    status: 201,
    instead: { given: 'on_conflict', document: UpsertContactDocument },
    location: `${contacts}/{id}`,
    errors: { ALREADY_EXISTS: taken },
    examples: { body: examples.newContact, answer: examples.contact },
  }),
  derivedRoute('PUT', contacts, UpsertContactDocument, {
    ...aContact,
    summary: 'Create or update a contact by email',
    description: 'A field that is absent stays as it is, null clears it. A deleted contact stays deleted: the email then makes a new one.',
    scope: 'contacts:write',
    query: z.strictObject({ match: z.literal('email').meta({ description: 'The field that identifies the contact.' }) }),
    takes: { ...newContact, without: ['on_conflict'] },
    location: `${contacts}/{id}`,
    examples: { body: examples.newContact, answer: examples.contact },
  }),
  derivedRoute('POST', `${contacts}/batch`, BatchContactsDocument, {
    ...aContact,
    summary: 'Create or update up to 100 contacts',
    description:
      'Each row has its own result, unless a row has not the shape below: then the request is 422, and nothing is written. ' +
      'With `atomic`, one bad row undoes all.',
    scope: 'contacts:write',
    takes: {
      neverNull: ['on_conflict', 'atomic'],
      described: {
        contacts: 'The contacts to create or update.',
        on_conflict: 'Action for a row whose email is taken. Absent: it fails.',
        atomic: 'Whether one bad row undoes all. Default: false.',
      },
      of: { contacts: { ...newContact, name: 'NewContactRow' } },
    },
    errors: { ALREADY_EXISTS: 'atomic, and the email of the row in `index` is taken' },
    examples: { body: examples.newContacts, answer: examples.batchResult },
  }),
  route('GET', contact, GetContactDocument, {
    ...aContact,
    summary: 'Get a contact',
    description: 'By its id. A deleted one is not found until it is restored.',
    scope: 'contacts:read',
    etag: true,
    examples: { answer: examples.contact },
  }),
  derivedRoute('PATCH', contact, UpdateContactDocument, {
    ...aContact,
    summary: 'Change a contact',
    description:
      'A field that is absent stays as it is, null clears it. `email` and `phone` choose the primary one: with another that the contact has, ' +
      'it takes its place; else the given one replaces it.',
    scope: 'contacts:write',
    takes: {
      name: 'ContactChange',
      neverNull: ['source', 'add_tags', 'remove_tags', 'add_emails', 'remove_emails', 'add_phones', 'remove_phones'],
      described,
    },
    ifMatch: true,
    etag: true,
    errors: { ALREADY_EXISTS: taken, CONFLICT: changing },
    examples: { body: examples.contactChange, answer: examples.changedContact },
  }),
  route('DELETE', contact, DeleteContactDocument, {
    ...aContact,
    summary: 'Delete a contact',
    description: 'It leaves the lists and frees its email, and can be restored.',
    scope: 'contacts:write',
    ifMatch: true,
    etag: true,
    errors: { CONFLICT: changing },
    examples: { answer: examples.deletedContact },
  }),
  route('POST', `${contact}/restore`, RestoreContactDocument, {
    ...aContact,
    summary: 'Restore a deleted contact',
    description: 'It is in the lists again, with everything it had. One that is not deleted stays as it is.',
    scope: 'contacts:write',
    etag: true,
    errors: { ALREADY_EXISTS: taken, CONFLICT: changing },
    examples: { answer: examples.contact },
  }),
  route('GET', `${contact}/timeline`, ListContactTimelineDocument, {
    ...aContact,
    summary: "List a contact's timeline",
    description: 'History of the contact, newest first: who changed what, through which door.',
    scope: 'contacts:read',
    query: z.strictObject({ ...pageOf, include: total }),
    keyedByField: 'changes',
    examples: { answer: examples.timelinePage },
  }),
]
