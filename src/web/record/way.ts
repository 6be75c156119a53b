// The way to the page of a record, or to its notes.

import { linkOptions } from '@tanstack/react-router'
import type { RecordRef } from './ref.ts'

/** For a link or for `navigate`. `note`: leads to the notes, to the anchor of one or to their beginning. */
export function wayToRecord({ noun, id }: RecordRef, note?: string | true) {
  const place = { ...(note && { search: { tab: 'notes' } as const }), ...(typeof note === 'string' && { hash: note }) }
  if (noun === 'company') return linkOptions({ to: '/companies/$companyId', params: { companyId: id }, ...place })
  if (noun === 'deal') return linkOptions({ to: '/deals/$dealId', params: { dealId: id }, ...place })
  return linkOptions({ to: '/contacts/$contactId', params: { contactId: id }, ...place })
}
