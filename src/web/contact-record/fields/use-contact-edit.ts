// Writes a field of a contact: sends the version that the person saw, offers an undo, and asks when another person was faster.

import { modals } from '@mantine/modals'
import { createElement, useCallback } from 'react'
import { type Client, useClient } from 'urql'
import { failureOf, isOffline } from '../../data/failure.ts'
import { newId } from '../../data/new-id.ts'
import { ContactValuesDocument, UpdateContactDocument } from '../../generated/documents/contact-record-fields.ts'
import { contactWords } from '../../language/en/contacts.ts'
import { valueText } from '../../language/values.ts'
import { Conflict } from '../../pieces/states/conflict.tsx'
import { offerUndo } from '../../pieces/undo.tsx'
import { type Contact, type ContactField, changeOf, fieldValue } from './fields.ts'
import { tellRefusal } from './notices.tsx'

interface Edit {
  contact: Contact
  field: ContactField
  value: unknown
}

/** Writes in the background: the new value shows at once, and disappears when the server refuses it. */
export function useContactEdit(): (edit: Edit) => void {
  const client = useClient()
  return useCallback((edit: Edit) => void save(client, edit), [client])
}

/** `idempotencyKey` repeats the key of an attempt whose answer may have been lost. */
async function save(client: Client, edit: Edit, idempotencyKey = newId()): Promise<void> {
  const { contact, field, value } = edit
  const input = { id: contact.id, ifVersion: contact.version, ...changeOf(field.id, value) }
  // `keepalive` also sends it while the browser leaves the page.
  const { data, error } = await client.mutation(UpdateContactDocument, { input }, { idempotencyKey, keepalive: true }).toPromise()
  const failure = error ? failureOf(error) : null
  if (failure?.code === 'PRECONDITION_FAILED') return compare(client, edit)
  if (failure) {
    const retry = isOffline(failure) ? () => void save(client, edit, idempotencyKey) : undefined
    return tellRefusal(contactWords.record.notChanged(field.label), failure, { typed: valueText(value), retry })
  }
  if (!data) return
  const before = fieldValue(contact, field.id)
  offerUndo(contactWords.record.changed(field.label), () => void save(client, { contact: data.updateContact, field, value: before }))
}

/** Another person has changed the contact. If they changed another field, both changes can stand. */
async function compare(client: Client, edit: Edit): Promise<void> {
  const { contact, field, value } = edit
  const variables = { id: contact.id }
  const { data } = await client.query(ContactValuesDocument, variables, { requestPolicy: 'network-only' }).toPromise()
  const theirs = data?.contact
  if (!theirs) return
  const standing = valueText(fieldValue(theirs, field.id))
  if (standing === valueText(fieldValue(contact, field.id))) return save(client, { ...edit, contact: theirs })
  const id = modals.open({
    title: contactWords.record.whichValue,
    withCloseButton: false,
    children: createElement(Conflict, {
      label: field.label,
      yours: valueText(value),
      theirs: standing,
      onTakeTheirs: () => modals.close(id),
      onKeepYours: () => {
        modals.close(id)
        void save(client, { ...edit, contact: theirs })
      },
    }),
  })
}
