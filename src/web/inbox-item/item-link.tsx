// The way to the subject of an inbox item.

import { Link, linkOptions } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { recordIn } from '../record/ref.ts'
import { wayToRecord } from '../record/way.ts'
import { type InboxRow, nounOf } from './sentence.ts'

interface ItemLinkProps {
  item: InboxRow
  className?: string | undefined
  onClick?(): void
  children: ReactNode
}

export const ItemLink = ({ item, ...props }: ItemLinkProps) => <Link {...wayTo(item)} {...props} />

const lists = {
  contact: linkOptions({ to: '/contacts' }),
  company: linkOptions({ to: '/companies' }),
  deal: linkOptions({ to: '/deals' }),
}

/** Where the item leads, for a link or for `navigate`. */
export function wayTo({ kind, subjectType, subjectId, inboxContactId, company, deal }: InboxRow) {
  const record = recordIn({ contactId: inboxContactId, companyId: company?.id ?? null, dealId: deal?.id ?? null })
  if (kind === 'MENTIONED' && record) return wayToRecord(record, true)
  switch (subjectType) {
    case 'contact_task':
      return linkOptions({ to: '/tasks', search: { open: subjectId } })
    case 'call':
      return linkOptions({ to: '/calls/$callId', params: { callId: subjectId } })
    case 'enrichment_job':
      return linkOptions({ to: '/jobs', search: { open: subjectId } })
    case 'contact_import':
      return linkOptions({ to: '/imports/$importId', params: { importId: subjectId } })
    case 'credits':
      return linkOptions({ to: '/credits' })
    case 'webhook_endpoint':
      return linkOptions({ to: '/settings/webhooks/$endpointId', params: { endpointId: subjectId } })
    default:
      return record ? wayToRecord(record) : lists[nounOf(subjectType)]
  }
}
