// Writes a field of a contact or of another record: sends the version that the person saw, offers an undo, and asks when another person was faster.

import { useCallback } from 'react'
import { type Client, type OperationResult, useClient } from 'urql'
import { loadPart } from '../../app/loaded.ts'
import { existingRecord, failureOf, isOffline } from '../../data/failure.ts'
import { newId } from '../../data/new-id.ts'
import { ContactValuesDocument, UpdateContactDocument } from '../../generated/documents/contact-record-fields.ts'
import { contactWords } from '../../language/en/contacts.ts'
import { valueText } from '../../language/values.ts'
import { tellRefusal } from '../../pieces/notices/refusal.tsx'
import { offerUndo } from '../../pieces/notices/undo.tsx'
import type { ShowRefusal } from '../../table/use-ending.ts'
import { type Contact, changeOf, editedValue, type FieldHolder, type RecordField } from './fields.ts'

export interface Edit<Holder extends FieldHolder> {
  record: Holder
  field: RecordField
  value: unknown
  /** The text of a value that is an id. */
  text?: string
  /** The field and value of an undo, where the field's value before is not enough. */
  before?: { field: RecordField; value: unknown }
}

/** How a noun is read, and changed. */
export interface Door<Holder> {
  read(client: Client, id: string): Promise<Holder | null | undefined>
  write(client: Client, input: { id: string }, context: object): Promise<Pick<OperationResult, 'error'> & { changed: Holder | undefined }>
  /** The text of a value that is an id; undefined for other fields. */
  textOf?(record: Holder, field: RecordField): string | undefined
}

const contacts: Door<Contact> = {
  async read(client, id) {
    return (await client.query(ContactValuesDocument, { id }, { requestPolicy: 'network-only' }).toPromise()).data?.contact
  },
  async write(client, input, context) {
    const { data, error } = await client.mutation(UpdateContactDocument, { input }, context).toPromise()
    return { error, changed: data?.updateContact }
  },
  textOf: (contact, { id }) => (id === 'companyId' ? (contact.companyName ?? '') : undefined),
}

export const useContactEdit = () => useFieldEdit(contacts)

/**
 * Writes a field: the new value shows at once, and disappears when the server refuses it. Resolves with false when `showRefusal` has shown the
 * refusal.
 */
export type SaveField<Holder extends FieldHolder> = (edit: Edit<Holder>, showRefusal?: ShowRefusal) => Promise<boolean>

export function useFieldEdit<Holder extends FieldHolder>(door: Door<Holder>): SaveField<Holder> {
  const client = useClient()
  return useCallback((edit: Edit<Holder>, showRefusal?: ShowRefusal) => save(client, door, edit, { showRefusal }), [client, door])
}

interface SaveOptions {
  showRefusal?: ShowRefusal | undefined
  /** Of an attempt whose answer may have been lost. */
  idempotencyKey?: string
}

async function save<Holder extends FieldHolder>(
  client: Client,
  door: Door<Holder>,
  edit: Edit<Holder>,
  { showRefusal, idempotencyKey = newId() }: SaveOptions = {},
): Promise<boolean> {
  const { record, field, value } = edit
  const input = { id: record.id, ifVersion: record.version, ...changeOf(field, value) }
  // `keepalive` also sends it while the browser leaves the page.
  const { changed, error } = await door.write(client, input, { idempotencyKey, keepalive: true })
  const failure = error ? failureOf(error) : null
  if (failure?.code === 'PRECONDITION_FAILED') {
    const { compare } = await loadPart(() => import('./compare.ts'))
    await compare(client, door, edit, theirs => save(client, door, { ...edit, record: theirs }))
  } else if (failure) {
    const retry = isOffline(failure) ? () => void save(client, door, edit, { idempotencyKey }) : undefined
    const isShown = !retry && (showRefusal?.(failure) ?? false)
    // The notice also leads to the record that has the value.
    if (!isShown || existingRecord(failure))
      tellRefusal(contactWords.record.notChanged(field.label), failure, isShown ? undefined : { typed: valueText(value), retry })
    return !isShown
  } else if (changed) {
    const before = edit.before ?? { field, value: editedValue(record, field) }
    offerUndo(contactWords.record.changed(field.label), () => void save(client, door, { record: changed, ...before }))
  }
  return true
}
