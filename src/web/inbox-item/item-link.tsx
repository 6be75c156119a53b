// A link to the subject of an inbox item.

import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { InboxRow } from './sentence.ts'

interface ItemLinkProps {
  item: InboxRow
  className?: string | undefined
  onClick?(): void
  children: ReactNode
}

export function ItemLink({ item: { kind, subjectType, subjectId, inboxContactId: contactId }, ...props }: ItemLinkProps) {
  if (kind === 'MENTIONED' && contactId)
    return <Link to="/contacts/$contactId" params={{ contactId }} search={{ tab: 'notes' }} {...props} />
  switch (subjectType) {
    case 'contact_task':
      return <Link to="/tasks" search={{ open: subjectId }} {...props} />
    case 'call':
      return <Link to="/calls/$callId" params={{ callId: subjectId }} {...props} />
    case 'enrichment_job':
      return <Link to="/jobs" search={{ open: subjectId }} {...props} />
    case 'contact_import':
      return <Link to="/imports/$importId" params={{ importId: subjectId }} {...props} />
    case 'credits':
      return <Link to="/credits" {...props} />
    case 'webhook_endpoint':
      return <Link to="/settings/webhooks/$endpointId" params={{ endpointId: subjectId }} {...props} />
    default:
      return contactId ? <Link to="/contacts/$contactId" params={{ contactId }} {...props} /> : <Link to="/contacts" {...props} />
  }
}
