// The lists of a contact: timeline, notes, tasks, calls.

import type { ReactNode } from 'react'
import { contactWords } from '../language/en/contacts.ts'
import { Calls } from './activity/calls.tsx'
import { type ActivityTab, ActivityTabs } from './activity-tabs.tsx'
import { ContactTimeline } from './contact-timeline.tsx'

export type RecordTab = ActivityTab | 'fields' | 'calls'

interface RecordTabsProps {
  contactId: string
  mayWrite: boolean
  tab: RecordTab
  onTab(tab: RecordTab): void
  /** The panel also has a tab for the fields; the page shows them beside the tabs. */
  fields?: ReactNode
}

export function RecordTabs({ contactId, mayWrite, tab, onTab, fields }: RecordTabsProps) {
  return (
    <ActivityTabs<RecordTab>
      record={{ noun: 'contact', id: contactId }}
      mayWrite={mayWrite}
      tab={tab}
      onTab={onTab}
      first={fields ? [{ id: 'fields', label: contactWords.tabs.fields, content: fields }] : []}
      timeline={<ContactTimeline contactId={contactId} mayWrite={mayWrite} />}
      last={[{ id: 'calls', label: contactWords.tabs.calls, content: <Calls contactId={contactId} /> }]}
    />
  )
}
