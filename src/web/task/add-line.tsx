// One line that adds a task of a record for the person who types. A date at its end becomes the due time, which is shown before Enter and can be
// left in the title.

import { Button, CloseButton, Group, Text, TextInput } from '@mantine/core'
import { IconCalendar, IconPlus } from '@tabler/icons-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useMutationWithProblems } from '../data/use-write.ts'
import { CreateTaskDocument, DeleteTaskDocument } from '../generated/documents/task.ts'
import { taskWords } from '../language/en/tasks.ts'
import { tellRefusal } from '../pieces/notices/refusal.tsx'
import { offerUndo } from '../pieces/notices/undo.tsx'
import { inputOfRecord, type RecordRef } from '../record/ref.ts'
import { useMe } from '../session/use-me.ts'
import { fromLocal } from './moment.ts'
import { dateText, useReadDate } from './read-date.ts'

interface AddLineProps {
  record: RecordRef
  mayWrite: boolean
  /** The focus goes to the line each time that this changes to a number above 0. */
  focusCount: number
  onAdded(): void
  /** Opens the form with all fields. */
  onForm(): void
}

const maxTitle = 200

export function AddLine({ record, mayWrite, focusCount, onAdded, onForm }: AddLineProps) {
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  // The words that somebody has left in the title.
  const [kept, setKept] = useState<string | null>(null)
  const read = useReadDate()
  const { me } = useMe()
  const create = useMutationWithProblems(CreateTaskDocument)
  const remove = useMutationWithProblems(DeleteTaskDocument)
  useEffect(() => {
    if (focusCount > 0) input.current?.focus()
  }, [focusCount])

  const found = read?.(text) ?? null
  const due = found && found.rest !== '' && found.words !== kept ? found : null
  const dueAt = due && fromLocal(due.at)
  const undo = async (id: string) => {
    const { failure } = await remove.run({ input: { id } })
    if (failure) tellRefusal(taskWords.notDeleted, failure)
  }
  const add = async (event: FormEvent) => {
    event.preventDefault()
    const title = (due ? due.rest : text).trim()
    if (title === '') return onForm()
    const { data, failure } = await create.run({ input: { ...inputOfRecord(record), title, dueAt, assigneeUserId: me?.userId ?? null } })
    if (failure) return tellRefusal(taskWords.notAdded, failure, { typed: text, retry: undefined })
    setText('')
    setKept(null)
    input.current?.focus()
    onAdded()
    offerUndo(taskWords.added(title), () => void undo(data.createTask.id))
  }
  return (
    <form onSubmit={event => void add(event)}>
      <Group gap="xs" wrap="nowrap">
        <TextInput
          ref={input}
          flex={1}
          aria-label={taskWords.addLine}
          placeholder={taskWords.addExample}
          maxLength={maxTitle}
          autoComplete="off"
          enterKeyHint="done"
          disabled={!mayWrite}
          value={text}
          onChange={event => setText(event.currentTarget.value)}
          onKeyDown={event => {
            // The key that ends an input method's word adds nothing.
            if (event.key === 'Enter' && event.nativeEvent.isComposing) event.preventDefault()
          }}
        />
        <Button
          type="submit"
          variant={text.trim() === '' ? 'default' : 'filled'}
          leftSection={<IconPlus />}
          disabled={!mayWrite}
          loading={create.isRunning}
        >
          {taskWords.add}
        </Button>
      </Group>
      <Group gap={4} mt={4} mih={28} wrap="nowrap" role="status">
        {due && dueAt && (
          <>
            <IconCalendar size={14} aria-hidden />
            <Text size="xs" c="dimmed">
              {taskWords.due(dateText(dueAt))}
            </Text>
            <CloseButton
              size="sm"
              aria-label={taskWords.notDue(due.words)}
              title={taskWords.notDue(due.words)}
              onClick={() => setKept(due.words)}
            />
          </>
        )}
      </Group>
    </form>
  )
}
