// One task for each of the selected contacts.

import { Button, Checkbox, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { contactWords } from '../../language/en/contacts.ts'
import { fieldLabel } from '../../language/values.ts'
import { useMe } from '../../session/use-me.ts'
import { DueInput, dueProblem } from '../../task/due-input.tsx'
import { fromLocal } from '../../task/moment.ts'
import type { TaskForAll } from './use-bulk.tsx'

export function TaskForm({ onAdd }: { onAdd(task: TaskForAll): void }) {
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
