// Adds one task to each of the selected contacts.

import { Button, Checkbox, Popover, Stack, TextInput } from '@mantine/core'
import { IconListCheck } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { contactWords } from '../../language/en/contacts.ts'
import { fieldLabel } from '../../language/values.ts'
import { useMe } from '../../session/use-me.ts'
import { DueInput, dueProblem } from '../../task/due-input.tsx'
import { fromLocal } from '../../task/moment.ts'
import type { TaskForAll } from './use-bulk.tsx'

interface TaskActionProps {
  isDisabled: boolean
  /** "37 contacts". */
  contacts: string
  onAdd(task: TaskForAll): void
}

export function TaskAction({ isDisabled, contacts, onAdd }: TaskActionProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover opened={isOpen} onChange={setOpen} position="top" shadow="md" trapFocus returnFocus width={300}>
      <Popover.Target>
        <Button variant="subtle" color="gray" disabled={isDisabled} leftSection={<IconListCheck />} onClick={() => setOpen(!isOpen)}>
          {contactWords.bulk.task}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={contactWords.bulk.newTask(contacts)}>
        <TaskForm
          onAdd={task => {
            setOpen(false)
            onAdd(task)
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}

function TaskForm({ onAdd }: { onAdd(task: TaskForAll): void }) {
  const { me } = useMe()
  const [title, setTitle] = useState('')
  const [due, setDue] = useState('')
  const [isMine, setMine] = useState(true)
  const [isSent, setSent] = useState(false)
  const noTitle = title.trim() === '' ? contactWords.bulk.titleNeeded : null
  const add = (event: FormEvent) => {
    event.preventDefault()
    setSent(true)
    if (noTitle || dueProblem(due)) return
    onAdd({ title: title.trim(), dueAt: fromLocal(due), assigneeUserId: isMine ? (me?.userId ?? null) : null })
  }
  return (
    <form onSubmit={add} noValidate>
      <Stack gap="sm">
        <TextInput
          label={contactWords.bulk.title}
          maxLength={200}
          data-autofocus
          value={title}
          error={isSent && noTitle}
          onChange={event => setTitle(event.currentTarget.value)}
        />
        <DueInput label={fieldLabel('dueAt')} error={isSent && dueProblem(due)} onChange={setDue} />
        <Checkbox label={contactWords.bulk.toMe} checked={isMine} onChange={event => setMine(event.currentTarget.checked)} />
        <Button type="submit">{contactWords.bulk.addTask}</Button>
      </Stack>
    </form>
  )
}
