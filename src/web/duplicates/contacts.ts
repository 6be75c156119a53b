// Contacts that may be the same person.

import { useContactFields } from '../contact-record/fields/choices.ts'
import { type Contact, type ContactField, nameOf } from '../contact-record/fields/fields.ts'
import {
  DismissDuplicateDocument,
  DuplicatesCountDocument,
  DuplicatesDocument,
  MergeContactsDocument,
  MergePreviewDocument,
  UndoMergeDocument,
} from '../generated/documents/duplicates.ts'
import { duplicateWords } from '../language/en/screens/duplicates.ts'
import type { MergeKind } from './kind.ts'

const further: readonly ContactField[] = [
  { id: 'avatarUrl', label: duplicateWords.picture, kind: 'url' },
  { id: 'emails', label: duplicateWords.emails, kind: 'texts' },
  { id: 'phones', label: duplicateWords.phones, kind: 'texts' },
]

export const contactMerges: MergeKind<Contact> = {
  noun: 'contact',
  words: duplicateWords.contact,
  pairs: DuplicatesDocument,
  count: DuplicatesCountDocument,
  preview: MergePreviewDocument,
  merge: MergeContactsDocument,
  undo: UndoMergeDocument,
  dismiss: DismissDuplicateDocument,
  idName: 'contactId',
  isChangedBy: ({ type }) => /^CONTACT_(CREATED|UPDATED|DELETED|RESTORED|MERGED|UNMERGED|DUPLICATE_DISMISSED|IMPORT_COMPLETED)/.test(type),
  useFields: () => [...useContactFields(), ...further],
  nameOf,
  detailOf: ({ email }) => email,
}
