// The lists of a contact: timeline, notes, tasks, calls. Each is read when somebody opens it.

import { Tabs } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useShortcut } from '../keyboard/shortcuts.ts'
import { contactWords } from '../language/en/contacts.ts'
import { taskWords } from '../language/en/tasks.ts'
import { Calls } from './activity/calls.tsx'
import { Notes } from './activity/notes.tsx'
import { Tasks } from './activity/tasks.tsx'
import { Timeline } from './activity/timeline.tsx'
import classes from './record.module.css'

const recordTabs = ['timeline', 'notes', 'tasks', 'calls'] as const
export type RecordTab = (typeof recordTabs)[number]

interface RecordTabsProps {
  contactId: string
  mayWrite: boolean
  tab: RecordTab | 'fields'
  onTab(tab: RecordTab | 'fields'): void
  /** The panel also has a tab for the fields; the page shows them beside the tabs. */
  fields?: ReactNode
}

export function RecordTabs({ contactId, mayWrite, tab, onTab, fields }: RecordTabsProps) {
  const shown = tab === 'fields' && !fields ? 'timeline' : tab
  const tabs = fields ? (['fields', ...recordTabs] as const) : recordTabs
  const [taskCount, setTaskCount] = useState(0)
  useShortcut(
    'T',
    taskWords.add,
    () => {
      onTab('tasks')
      setTaskCount(count => count + 1)
    },
    { isOn: mayWrite },
  )
  return (
    <Tabs value={shown} onChange={next => onTab(tabs.find(one => one === next) ?? 'timeline')} keepMounted={false}>
      <Tabs.List className={classes.tabs}>
        {tabs.map(one => (
          <Tabs.Tab key={one} value={one}>
            {contactWords.tabs[one]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {fields && (
        <Tabs.Panel value="fields" pt="sm">
          {fields}
        </Tabs.Panel>
      )}
      <Tabs.Panel value="timeline">
        <Timeline contactId={contactId} mayWrite={mayWrite} />
      </Tabs.Panel>
      <Tabs.Panel value="notes">
        <Notes contactId={contactId} mayWrite={mayWrite} />
      </Tabs.Panel>
      <Tabs.Panel value="tasks">
        <Tasks contactId={contactId} mayWrite={mayWrite} focusCount={taskCount} />
      </Tabs.Panel>
      <Tabs.Panel value="calls">
        <Calls contactId={contactId} />
      </Tabs.Panel>
    </Tabs>
  )
}
