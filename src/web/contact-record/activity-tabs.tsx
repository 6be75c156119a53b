// The tabs of a record: timeline, notes and tasks, and others in front of them and behind. Each is read when somebody opens it.

import { Tabs } from '@mantine/core'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { loadPart } from '../app/loaded.ts'
import { useShortcut } from '../keyboard/shortcuts.ts'
import { contactWords } from '../language/en/contacts.ts'
import { taskWords } from '../language/en/tasks.ts'
import type { RecordRef } from '../record/ref.ts'
import classes from './record.module.css'

const Notes = lazy(() => loadPart(() => import('./activity/notes.tsx')))
const Tasks = lazy(() => loadPart(() => import('./activity/tasks.tsx')))

export type ActivityTab = 'timeline' | 'notes' | 'tasks'

interface OtherTab<Id extends string> {
  id: Id
  label: string
  content: ReactNode
}

interface ActivityTabsProps<Id extends string> {
  record: RecordRef
  mayWrite: boolean
  /** A tab that is not there means the timeline. */
  tab: Id | ActivityTab
  onTab(tab: Id | ActivityTab): void
  timeline: ReactNode
  first?: readonly OtherTab<Id>[]
  last?: readonly OtherTab<Id>[]
}

export function ActivityTabs<Id extends string = never>({
  record,
  mayWrite,
  tab,
  onTab,
  timeline,
  first = [],
  last = [],
}: ActivityTabsProps<Id>) {
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
  const { tabs: labels } = contactWords
  const tabs: readonly OtherTab<Id | ActivityTab>[] = [
    ...first,
    { id: 'timeline', label: labels.timeline, content: timeline },
    { id: 'notes', label: labels.notes, content: <Notes record={record} mayWrite={mayWrite} /> },
    { id: 'tasks', label: labels.tasks, content: <Tasks record={record} mayWrite={mayWrite} focusCount={taskCount} /> },
    ...last,
  ]
  const find = (wanted: string | null) => tabs.find(({ id }) => id === wanted)?.id ?? 'timeline'
  return (
    <Tabs value={find(tab)} onChange={next => onTab(find(next))} keepMounted={false}>
      <Tabs.List className={classes.tabs}>
        {tabs.map(({ id, label }) => (
          <Tabs.Tab key={id} value={id}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ id, content }) => (
        <Tabs.Panel key={id} value={id} pt={first.some(one => one.id === id) ? 'sm' : undefined}>
          <Suspense>{content}</Suspense>
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
