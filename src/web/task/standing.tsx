// A task that somebody else changed meanwhile: yours and theirs, field by field.

import { Stack } from '@mantine/core'
import { useQuery } from 'urql'
import { TaskNowDocument } from '../generated/documents/task.ts'
import { Conflict } from '../pieces/conflict.tsx'
import { exact } from '../pieces/time.tsx'
import type { Task } from './due.tsx'

interface StandingProps {
  task: Task
  yours: { title: string; description: string | null; dueAt: string | null; status: string }
  /** Both get the task that is shown as theirs. */
  onTakeTheirs(theirs: Task): void
  onKeepYours(theirs: Task): void
}

export function Standing({ task, yours, onTakeTheirs, onKeepYours }: StandingProps) {
  const [{ data }] = useQuery({ query: TaskNowDocument, variables: { id: task.id }, requestPolicy: 'network-only' })
  const theirs = data?.task
  if (!theirs) return null
  const day = (at: string | null) => (at === null ? 'not due' : exact(at))
  const said = (one: StandingProps['yours']) =>
    [one.title, one.description, day(one.dueAt), one.status.toLowerCase()].filter(Boolean).join(' · ')
  return (
    <Stack mb="md">
      <Conflict
        label="The task"
        yours={said(yours)}
        theirs={said(theirs)}
        onTakeTheirs={() => onTakeTheirs(theirs)}
        onKeepYours={() => onKeepYours(theirs)}
      />
    </Stack>
  )
}
