// Writes all addresses or numbers of a contact together, and offers an undo.

import { useCallback } from 'react'
import { type Client, useClient } from 'urql'
import { existingRecord, failureOf } from '../../data/failure.ts'
import { newId } from '../../data/new-id.ts'
import { UpdateContactDocument } from '../../generated/documents/contact-record-fields.ts'
import { contactWords } from '../../language/en/contacts.ts'
import { fieldWords } from '../../language/en/values.ts'
import { tellRefusal } from '../../pieces/notices/refusal.tsx'
import { offerUndo } from '../../pieces/notices/undo.tsx'
import type { ShowRefusal } from '../../table/use-ending.ts'
import type { ContactRecord } from '../use-record.ts'

export type AddressKind = 'emails' | 'phones'

interface Address {
  value: string
  label: string | null
  isPrimary: boolean
}
type SaveAddresses = (list: readonly Address[], showRefusal?: ShowRefusal) => Promise<boolean>

export function useAddresses(contact: ContactRecord, kind: AddressKind): SaveAddresses {
  const client = useClient()
  return useCallback((list, showRefusal) => save(client, contact, kind, list, showRefusal), [client, contact, kind])
}

type Written = Pick<ContactRecord, 'id' | 'version' | AddressKind>

/** Resolves with false when `showRefusal` has shown the refusal. */
async function save(
  client: Client,
  { id, version, ...before }: Written,
  kind: AddressKind,
  list: readonly Address[],
  showRefusal?: ShowRefusal,
): Promise<boolean> {
  const all = list.map(({ value, label, isPrimary }) => ({ value, label, isPrimary }))
  const input = { id, ifVersion: version, [kind]: all }
  const { data, error } = await client.mutation(UpdateContactDocument, { input }, { idempotencyKey: newId(), keepalive: true }).toPromise()
  const label = kind === 'emails' ? fieldWords.email : fieldWords.phone
  if (error) {
    const failure = failureOf(error)
    const isShown = showRefusal?.(failure) ?? false
    // The notice also leads to the contact that has the address.
    if (!isShown || existingRecord(failure)) tellRefusal(contactWords.record.notChanged(label), failure)
    return !isShown
  }
  const changed = data?.updateContact
  if (changed) offerUndo(contactWords.record.changed(label), () => void save(client, changed, kind, before[kind]))
  return true
}
